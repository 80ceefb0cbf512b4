/// Reads big-endian numbers and boxes from a part of a file, with every access checked.
struct ByteReader {
  let bytes: [UInt8]
  /// What is still to be read.
  private(set) var range: Range<Int>

  /// - Parameter range: cut to what the file holds.
  init(bytes: [UInt8], range: Range<Int>) {
    self.bytes = bytes
    self.range = range.clamped(to: 0..<bytes.count)
  }

  /// What hasn't been read yet.
  var rest: ByteReader { self }

  /// The same without its first bytes.
  func dropping(_ count: Int) -> ByteReader {
    var other = self
    other.skip(count)
    return other
  }

  mutating func skip(_ count: Int) {
    range = min(range.lowerBound + count, range.upperBound)..<range.upperBound
  }

  /// An unsigned number of up to 8 bytes; 0 for none; `nil` at the end of the part, or beyond `Int`'s range.
  mutating func number(_ count: Int) -> Int? {
    guard count <= 8, range.count >= count else { return nil }
    var result: UInt64 = 0
    for place in range.lowerBound..<range.lowerBound + count { result = result << 8 | UInt64(bytes[place]) }
    skip(count)
    return Int(exactly: result)
  }

  mutating func text(_ count: Int) -> String? {
    guard range.count >= count else { return nil }
    let text = String(decoding: bytes[range.prefix(count)], as: UTF8.self)
    skip(count)
    return text
  }

  /// A box of ISO/IEC 14496-12.
  struct Box {
    var type: String
    /// What follows its header.
    var content: Range<Int>
    /// It leads out of the part that it lies in, and its content is cut to that.
    var isCut: Bool
  }

  /// The boxes that the part is made of.
  func boxes() -> [Box] {
    var boxes: [Box] = []
    var reader = self
    while true {
      let start = reader.range.lowerBound
      guard let short = reader.number(4), let type = reader.text(4) else { break }
      var size = short
      if short == 1 {
        guard let long = reader.number(8) else { break }
        size = long
      }
      let header = reader.range.lowerBound - start
      let available = range.upperBound - start
      let isCut = short != 0 && size > available
      if short == 0 || isCut { size = available }
      guard size >= header else { break }
      boxes.append(Box(type: type, content: start + header..<start + size, isCut: isCut))
      reader.range = start + size..<range.upperBound
    }
    return boxes
  }
}
