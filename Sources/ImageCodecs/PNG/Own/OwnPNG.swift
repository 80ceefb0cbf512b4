private import CSystemDeflate
package import Raster

/// A PNG of the kind that `encodePNG` writes: pages that are stored, which are read often.
///
/// It is read without libpng, in half of the time or less. Whatever is unusual about a file, and any fault, makes it none of this kind:
/// libpng has it then, and tells what is wrong. So what is read here is whole and regular, with all of its checksums right.
package struct OwnPNG {
  package let size: PixelSize
  /// Of a stored pixel.
  let channels: Int
  /// Red, green and blue of each colour, when pixels are numbers of colours.
  let palette: [UInt8]?
  package private(set) var resolution: Resolution?
  /// Where the pieces of the packed rows are.
  let pieces: [Range<Int>]

  /// Reads the chunks; `nil` when it isn't such a file.
  package init?(_ bytes: [UInt8]) {
    var chunks = Chunks(bytes)
    guard let header = chunks.next("IHDR"), header.count == 13 else { return nil }
    let size = PixelSize(
      width: chunks.number(at: header.lowerBound), height: chunks.number(at: header.lowerBound + 4))
    let kind = bytes[header.lowerBound + 9]
    // Eight bits a sample, grey, colour or palette; packed and filtered as all are, not interlaced.
    guard bytes[header.lowerBound + 8] == 8, [0, 2, 3].contains(kind),
      bytes[(header.upperBound - 3)...].prefix(3) == [0, 0, 0],
      (1...Int(Int32.max)).contains(size.width), (1...Int(Int32.max)).contains(size.height)
    else { return nil }
    guard let color = chunks.next("sRGB"), color.count == 1, bytes[color.lowerBound] <= 3 else { return nil }
    if let density = chunks.next("pHYs") {
      guard density.count == 9, bytes[density.upperBound - 1] == 1 else { return nil }
      resolution = Resolution(
        perMetre: Double(chunks.number(at: density.lowerBound)),
        Double(chunks.number(at: density.lowerBound + 4)))
    }
    if kind == 3 {
      guard let colors = chunks.next("PLTE"), colors.count % 3 == 0, (3...768).contains(colors.count) else {
        return nil
      }
      palette = Array(bytes[colors])
    } else {
      palette = nil
    }
    var pieces: [Range<Int>] = []
    while let piece = chunks.next("IDAT") { pieces.append(piece) }
    guard let end = chunks.next("IEND"), end.isEmpty, chunks.isAtEnd else { return nil }
    self.size = size
    self.pieces = pieces
    channels = kind == 2 ? 3 : 1
  }

  /// How the samples are laid out.
  var layout: SampleLayout { channels == 3 || palette != nil ? .rgb : .gray }
}

/// A PNG's chunks, one after the other.
private struct Chunks {
  private let bytes: [UInt8]
  private var position = 8

  /// - Precondition: the bytes begin with a PNG's signature, or are fewer.
  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Where the content of the next chunk is, if it has this name and its checksum is right; else nothing is passed.
  mutating func next(_ name: String) -> Range<Int>? {
    guard position + 12 <= bytes.count, bytes[(position + 4)...].prefix(4).elementsEqual(name.utf8) else {
      return nil
    }
    let length = number(at: position)
    let start = position + 8
    guard length <= bytes.count - start - 4 else { return nil }
    let sum = unsafe bytes[(start - 4)..<(start + length)].withUnsafeBytes {
      unsafe libdeflate_crc32(0, $0.baseAddress, $0.count)
    }
    guard number(at: start + length) == Int(sum) else { return nil }
    position = start + length + 4
    return start..<start + length
  }

  /// Four bytes, the highest first.
  func number(at place: Int) -> Int {
    bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
  }

  var isAtEnd: Bool { position == bytes.count }
}
