private import CSystemDeflate
package import Raster

/// How many bits of a PNG a sample takes.
package enum PNGDepth: UInt8, Sendable {
  case eight = 8
  /// Black for samples of 0, white for all others; colours are made grey before.
  case one = 1
}

/// Writes a picture as PNG: 8-bit grey, palette or RGB, marked as sRGB, with its resolution and nothing else of its history.
///
/// A picture in colour that has only greys is stored as grey, one of few colours as a palette; its pixels stay the same.
/// The bytes are the same however many processors work on them.
/// - Parameter resolution: written as pHYs, rounded to whole pixels per metre; left out when it isn't positive.
/// - Throws: `encodingFailed`, when a side is longer than a PNG can have.
package func encodePNG(
  _ raster: Raster, resolution: Resolution?, depth: PNGDepth = .eight
) throws(CodecError) -> [UInt8] {
  guard raster.rowStride <= longestRow, raster.height <= Int(Int32.max) else {
    throw .encodingFailed(detail: "too large for a PNG")
  }
  let content = PNGContent(raster, depth: depth)
  var file = PNGWriter()
  file.add(
    "IHDR", bigEndian(raster.width) + bigEndian(raster.height) + [depth.rawValue, content.colorType, 0, 0, 0])
  // Perceptual, as photos are.
  file.add("sRGB", [0])
  if let resolution, let across = pixelsPerMetre(resolution.horizontal),
    let down = pixelsPerMetre(resolution.vertical)
  {
    file.add("pHYs", bigEndian(across) + bigEndian(down) + [1])
  }
  if !content.palette.isEmpty { file.add("PLTE", content.palette) }
  file.add(packStrips(of: content))
  file.add("IEND", [])
  return file.bytes
}

/// Bytes of a row that surely fit a chunk of 2³¹ − 1 bytes when they are packed.
private let longestRow = 1 << 30

private func pixelsPerMetre(_ dotsPerInch: Double) -> Int? {
  let value = (dotsPerInch / Resolution.millimetresPerInch * 1000).rounded()
  return (1...Double(Int32.max)).contains(value) ? Int(value) : nil
}

/// The lowest four bytes, highest first.
private func bigEndian(_ value: Int) -> [UInt8] {
  [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
}

/// A PNG file as it grows.
private struct PNGWriter {
  private(set) var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  mutating func add(_ name: String, _ content: [UInt8]) {
    bytes += bigEndian(content.count)
    let start = bytes.count
    bytes += name.utf8
    bytes += content
    let sum = unsafe bytes[start...].withUnsafeBytes { unsafe libdeflate_crc32(0, $0.baseAddress, $0.count) }
    bytes += bigEndian(Int(sum))
  }

  /// Adds the strips, each as a chunk, that are one zlib stream together.
  mutating func add(_ strips: [PackedStrip]) {
    // Deflate with a window of 32 KB; the fastest of four levels, as far as that says anything.
    let header: [UInt8] = [0x78, 0x01]
    bytes.reserveCapacity(bytes.count + strips.reduce(64) { $0 + $1.bytes.count + 12 })
    var sum = Adler32()
    for (index, strip) in strips.enumerated() {
      sum.add(strip.sum, of: strip.count)
      var content = strip.bytes
      if index == 0 { content = header + content }
      if index == strips.count - 1 { content += bigEndian(Int(sum.value)) }
      add("IDAT", content)
    }
  }
}
