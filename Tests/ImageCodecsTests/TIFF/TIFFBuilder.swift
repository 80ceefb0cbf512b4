/// Writes TIFF files byte by byte, the odd and broken ones that no library writes included.
struct TIFFBuilder {
  /// A tag's values, in the type they are to be written as.
  enum Value {
    case byte([Int])
    case short([Int])
    case long([Int])
    case rational([(Int, Int)])
    case undefined([UInt8])
  }

  /// A page: its tags without those of the strips, and the data of each strip or tile.
  struct Page {
    var tags: [Int: Value]
    var blocks: [[UInt8]]
    var isTiled = false
    /// Says that a block is at this place instead of where it is.
    var falseOffset: Int?

    /// A page in one strip; `samples` are as stored.
    init(
      width: Int, height: Int, bits: Int = 8, samples: Int = 1, photometric: Int = 1, data: [UInt8],
      tags: [Int: Value] = [:]
    ) {
      self.tags = [
        256: .long([width]), 257: .long([height]), 258: .short(Array(repeating: bits, count: samples)),
        259: .short([1]), 262: .short([photometric]), 277: .short([samples]), 278: .long([height]),
      ].merging(tags) { _, new in new }
      blocks = [data]
    }
  }

  var isBigEndian = false
  var isBig = false
  var pages: [Page] = []
  /// The last directory leads to the page of this number instead of ending the chain.
  var loopsToPage: Int?
  /// The last directory leads to this place instead of ending the chain.
  var chainEnd = 0

  /// One page.
  static func file(_ page: Page, bigEndian: Bool = false, big: Bool = false) -> [UInt8] {
    TIFFBuilder(isBigEndian: bigEndian, isBig: big, pages: [page]).bytes
  }

  /// The whole file: header, then for each page its data, its long values and its directory.
  var bytes: [UInt8] {
    var file: [UInt8] = isBigEndian ? [0x4D, 0x4D] : [0x49, 0x49]
    append(isBig ? 43 : 42, 2, to: &file)
    if isBig {
      append(8, 2, to: &file)
      append(0, 2, to: &file)
    }
    // The place where the next directory's offset belongs.
    var link = file.count
    append(0, offsetSize, to: &file)
    var directories: [Int] = []
    for page in pages {
      var tags = page.tags
      var offsets: [Int] = []
      for block in page.blocks {
        offsets.append(page.falseOffset ?? file.count)
        file += block
      }
      tags[page.isTiled ? 324 : 273] = tags[page.isTiled ? 324 : 273] ?? .long(offsets)
      tags[page.isTiled ? 325 : 279] = tags[page.isTiled ? 325 : 279] ?? .long(page.blocks.map(\.count))
      if page.isTiled { tags[278] = nil }
      let entries = tags.sorted { $0.key < $1.key }.map { tag, value in entry(tag, value, in: &file) }
      if file.count % 2 == 1 { file.append(0) }
      directories.append(file.count)
      overwrite(file.count, at: link, in: &file)
      append(entries.count, isBig ? 8 : 2, to: &file)
      for entry in entries { file += entry }
      link = file.count
      append(0, offsetSize, to: &file)
    }
    overwrite(loopsToPage.map { directories[$0] } ?? chainEnd, at: link, in: &file)
    return file
  }

  private var offsetSize: Int { isBig ? 8 : 4 }

  private func append(_ value: Int, _ count: Int, to file: inout [UInt8]) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    file += isBigEndian ? bytes.reversed() : bytes
  }

  private func overwrite(_ value: Int, at place: Int, in file: inout [UInt8]) {
    var bytes: [UInt8] = []
    append(value, offsetSize, to: &bytes)
    file.replaceSubrange(place..<place + offsetSize, with: bytes)
  }

  /// A directory's entry; values too long for it are put at the end of the file.
  private func entry(_ tag: Int, _ value: Value, in file: inout [UInt8]) -> [UInt8] {
    var content: [UInt8] = []
    let type: Int
    let count: Int
    switch value {
    case .byte(let numbers):
      (type, count) = (1, numbers.count)
      numbers.forEach { append($0, 1, to: &content) }
    case .short(let numbers):
      (type, count) = (3, numbers.count)
      numbers.forEach { append($0, 2, to: &content) }
    case .long(let numbers):
      (type, count) = (4, numbers.count)
      numbers.forEach { append($0, 4, to: &content) }
    case .rational(let fractions):
      (type, count) = (5, fractions.count)
      for (above, below) in fractions {
        append(above, 4, to: &content)
        append(below, 4, to: &content)
      }
    case .undefined(let bytes):
      (type, count) = (7, bytes.count)
      content = bytes
    }
    var entry: [UInt8] = []
    append(tag, 2, to: &entry)
    append(type, 2, to: &entry)
    append(count, offsetSize, to: &entry)
    if content.count <= offsetSize {
      entry += content + Array(repeating: 0, count: offsetSize - content.count)
    } else {
      append(file.count, offsetSize, to: &entry)
      file += content
    }
    return entry
  }
}

/// Packs samples of fewer than 8 bits (or 12) as TIFF does: the first in the highest bits, rows padded to a byte.
func packed(_ rows: [[Int]], bits: Int) -> [UInt8] {
  rows.flatMap { row -> [UInt8] in
    var pool = 0
    var filled = 0
    var bytes: [UInt8] = []
    for value in row {
      pool = pool << bits | value
      filled += bits
      while filled >= 8 {
        filled -= 8
        bytes.append(UInt8(truncatingIfNeeded: pool >> filled))
        pool &= (1 << filled) - 1
      }
    }
    if filled > 0 { bytes.append(UInt8(truncatingIfNeeded: pool << (8 - filled))) }
    return bytes
  }
}
