import Raster

/// Reads PWG raster (PWG 5102.4), which printers without PDF get: grey or RGB of 8 bits, as CUPS makes it.
enum PWGRaster {
  private static let headerLength = 1796

  static func pages(_ bytes: [UInt8]) throws -> [ReceivedPage] {
    var pages: [ReceivedPage] = []
    var offset = 4
    while offset < bytes.count {
      guard bytes.count - offset >= headerLength else {
        throw UnreadablePages(description: "a header is cut short")
      }
      func number(_ place: Int) -> Int {
        (0..<4).reduce(0) { $0 << 8 | Int(bytes[offset + place + $1]) }
      }
      // HWResolution, cupsWidth, cupsHeight, cupsBitsPerPixel, in the header's order.
      let (resolution, width, height, bits) = (number(276), number(372), number(376), number(388))
      guard bits == 8 || bits == 24, width > 0, height > 0, width < 65536, height < 65536 else {
        throw UnreadablePages(description: "\(width) × \(height) pixels of \(bits) bits")
      }
      let format: PixelFormat = bits == 8 ? .gray : .rgb
      offset += headerLength
      let samples = try rows(
        bytes, at: &offset, rowLength: width * format.channels, rows: height, pixel: format.channels)
      pages.append(
        ReceivedPage(
          raster: Raster(size: PixelSize(width: width, height: height), format: format, samples: samples),
          dotsPerInch: Double(resolution)))
    }
    return pages
  }

  /// Unpacks a page: each row begins with how often it is repeated, then runs and literals of whole pixels.
  private static func rows(
    _ bytes: [UInt8], at offset: inout Int, rowLength: Int, rows: Int, pixel: Int
  ) throws -> [UInt8] {
    var samples: [UInt8] = []
    samples.reserveCapacity(rowLength * rows)
    func take(_ count: Int) throws -> ArraySlice<UInt8> {
      guard bytes.count - offset >= count else { throw UnreadablePages(description: "a page is cut short") }
      defer { offset += count }
      return bytes[offset..<offset + count]
    }
    while samples.count < rowLength * rows {
      let start = samples.count
      let repeats = Int(try take(1).first ?? 0)
      while samples.count < start + rowLength {
        let code = Int(try take(1).first ?? 0)
        switch code {
        case 0..<128:
          let color = try take(pixel)
          for _ in 0...code { samples += color }
        case 128: samples += [UInt8](repeating: 255, count: start + rowLength - samples.count)
        default: samples += try take((257 - code) * pixel)
        }
      }
      guard samples.count == start + rowLength else {
        throw UnreadablePages(description: "a row is too long")
      }
      let row = samples[start...]
      for _ in 0..<repeats { samples += row }
    }
    guard samples.count == rowLength * rows else { throw UnreadablePages(description: "a page is too long") }
    return samples
  }
}
