import ImageCodecs
import PageDetection
import Raster
import ScanPipeline
import TestSupport
import Testing

/// Photos of which only a part is there, kept by `DamageTolerance.keep`.
@Suite struct DamagedPhotoTests {
  @Test("the blank rest of a damaged photo is never the page", arguments: [0.3, 0.6, 0.85])
  func blankRest(share: Double) throws {
    let whole = try PhotoFile(path: Samples.path("invoice-cluttered-desk.jpg")).read()
    let cut = Array(whole.prefix(Int(Double(whole.count) * share)))
    let image = try ImageSource(bytes: cut, options: DecodeOptions(damage: .keep)).decode()
    #expect(!image.warnings.isEmpty)
    // Stored on its side (EXIF 8): what is there is the left part of the upright photo.
    #expect(image.intact.x == 0 && image.intact.size.height == image.raster.height)
    #expect(image.intact.size.width < image.raster.width)
    let blank = image.raster.cropped(
      to: PixelRect(
        x: image.intact.size.width, y: 0,
        size: PixelSize(width: image.raster.width - image.intact.size.width, height: image.raster.height)))
    #expect(blank.samples.allSatisfy { $0 == 255 })
    guard let quad = findPage(in: image, options: DetectionOptions()).page?.quad else { return }
    let centre = quad.corners.reduce(Point(x: 0, y: 0), +) * 0.25
    #expect(centre.x < Double(image.intact.size.width))
  }

  @Test("a photo of which no row is there is refused, whatever may be kept")
  func nothingThere() throws {
    let whole = try PhotoFile(path: Samples.path("invoice-cluttered-desk.jpg")).read()
    let scan = try #require(whole.indices.dropLast().last { whole[$0] == 0xFF && whole[$0 + 1] == 0xDA })
    let options = DecodeOptions(damage: .keep)
    #expect(throws: CodecError.self) {
      try ImageSource(bytes: Array(whole.prefix(scan + 16)), options: options).decode()
    }
  }
}
