import Raster
import ScanLibrary

/// Bytes that begin as a PNG of this size; the rest tells one from another.
///
/// The library looks no further.
func samplePNG(_ seed: UInt8, width: Int = 3, height: Int = 2, bytes: Int = 200) -> [UInt8] {
  func number(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(value >> (24 - 8 * $0) & 0xFF) } }
  let header: [UInt8] =
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
    + number(width) + number(height)
  return header + (0..<max(0, bytes - header.count)).map { UInt8(truncatingIfNeeded: $0 &* 31) &+ seed }
}

/// Bytes of a photo, as far as the library cares.
func samplePhoto(_ seed: UInt8, bytes: Int = 300) -> [UInt8] {
  [0xFF, 0xD8, 0xFF] + (3..<bytes).map { UInt8(truncatingIfNeeded: $0 &* 17) &+ seed }
}

let sampleQuad = Quad(
  topLeft: Point(x: 10.5, y: 12.25), topRight: Point(x: 2000.125, y: 8),
  bottomRight: Point(x: 1990, y: 3000.75), bottomLeft: Point(x: -3.5, y: 2990))

extension Library {
  /// Stores a scan of some photos with a page each.
  @discardableResult
  func addSample(
    _ title: String = "Receipt", seeds: [UInt8] = [1], createdAt: Timestamp = .now()
  ) throws(LibraryError) -> ScanRecord {
    let pending = try beginScan()
    for seed in seeds {
      let photo = try pending.addPhoto(
        samplePhoto(seed), name: "IMG_\(seed).JPG", format: "jpeg", fileExtension: "jpg")
      _ = try pending.addPage(
        png: samplePNG(seed),
        origin: PageOrigin(photo: photo, quad: sampleQuad, found: "detected", confidence: 0.93))
    }
    return try pending.commit(title: title, mode: "enhanced", enhancement: 1, createdAt: createdAt)
  }
}
