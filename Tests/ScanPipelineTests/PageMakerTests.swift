import ImageCodecs
import PageDetection
import PerspectiveCorrection
import Raster
import ScanPipeline
import TestSupport
import Testing

@Suite("A photo becomes a page")
struct PageMakerTests {
  private static let outline = Quad(corners: [
    Point(x: 92, y: 38), Point(x: 352, y: 52), Point(x: 338, y: 420), Point(x: 78, y: 404),
  ])

  private func image(_ raster: Raster, resolution: Resolution? = nil) throws -> DecodedImage {
    try ImageSource(bytes: try encodePNG(raster, resolution: resolution)).decode()
  }

  private func photo(page: Quad?) throws -> DecodedImage {
    let size = PixelSize(width: 440, height: 480)
    return try image(SyntheticScene(size: size, page: page, features: [.text, .noise(2)]).photo())
  }

  private func blank(_ width: Int, _ height: Int, resolution: Resolution? = nil) throws -> DecodedImage {
    let size = PixelSize(width: width, height: height)
    return try image(Raster(size: size, format: .rgb, filledWith: 200), resolution: resolution)
  }

  @Test("a page that is there is found, with a confidence, and has no fewer pixels than it covers")
  func found() throws {
    let outline = try #require(Self.outline)
    let page = try makePage(from: photo(page: outline), options: PageOptions())
    #expect(page.origin == .detected && page.reasons.isEmpty)
    #expect(try #require(page.quad).overlap(with: outline) > 0.97)
    #expect(try #require(page.confidence) > 0.3)
    #expect(Double(page.raster.width * page.raster.height) >= outline.area)
  }

  @Test("a photo without a page is kept pixel by pixel, with the reasons")
  func notFound() throws {
    let photo = try photo(page: nil)
    let page = try makePage(from: photo, options: PageOptions())
    #expect(page.origin == .notFound && page.quad == nil && page.confidence == nil)
    #expect(!page.reasons.isEmpty)
    #expect(page.raster == photo.raster)
  }

  @Test("a page that fills the photo is found, and its pixels stay as they are")
  func filled() throws {
    let size = PixelSize(width: 600, height: 800)
    let scene = SyntheticScene(size: size, page: Quad(wholeOf: size), features: [.text, .noise(2)])
    let photo = try image(scene.photo(), resolution: Resolution(dotsPerInch: 90))
    let page = try makePage(from: photo, options: PageOptions())
    #expect(page.origin == .detected && page.quad == nil && page.reasons.isEmpty)
    #expect(try #require(page.confidence) >= 0.5)
    #expect(page.raster == photo.raster)
    #expect(abs(try #require(page.resolution).horizontal - 90) < 0.1)
  }

  @Test("corners that are given are taken, and those that can't be a page's are refused")
  func corners() throws {
    let outline = try #require(Self.outline)
    let given = PageOptions(choice: .corners(outline))
    let page = try makePage(from: photo(page: nil), options: given)
    #expect(page.origin == .manual && page.quad == outline)
    let far = try #require(
      Quad(corners: [(5000, 0), (6000, 0), (6000, 900), (5000, 900)].map { Point(x: $0.0, y: $0.1) }))
    #expect(throws: CorrectionError.self) {
      try makePage(from: photo(page: nil), options: PageOptions(choice: .corners(far)))
    }
  }

  @Test("the whole photo can be asked for, and keeps the resolution of its file")
  func whole() throws {
    let photo = try blank(300, 200, resolution: Resolution(dotsPerInch: 150))
    let page = try makePage(from: photo, options: PageOptions(choice: .whole))
    #expect(page.origin == .whole && page.raster == photo.raster && page.paper == nil)
    #expect(abs(try #require(page.resolution).horizontal - 150) < 0.1)
  }

  @Test("a paper that is given gives a whole photo its size, and its shape")
  func paper() throws {
    let forced = CorrectionOptions(paper: .size(.a4))
    let photo = try blank(1000, 1400, resolution: Resolution(dotsPerInch: 72))
    let page = try makePage(from: photo, options: PageOptions(choice: .whole, correction: forced))
    #expect(page.paper == .a4)
    let resolution = try #require(page.resolution)
    #expect(abs(Double(page.raster.width) / resolution.horizontal * 25.4 - 210) < 1)
    #expect(abs(Double(page.raster.height) / resolution.vertical * 25.4 - 297) < 1)
  }

  @Test("a flat scan gets the paper too, but a photo of something else isn't squeezed into its shape")
  func paperOfNoPage() throws {
    let options = PageOptions(correction: CorrectionOptions(paper: .size(.a4)))
    let flat = try makePage(from: blank(1000, 1400), options: options)
    #expect(flat.origin == .notFound && flat.paper == .a4)
    let desk = try blank(1200, 900)
    let page = try makePage(from: desk, options: options)
    #expect(page.origin == .notFound && page.paper == nil && page.raster == desk.raster)
  }

  @Test("a flat scan of a standard size that tells no resolution gets it from its proportions")
  func flatScan() throws {
    let page = try makePage(from: blank(1240, 1754), options: PageOptions())
    #expect(page.paper == .a4)
    #expect(abs(try #require(page.resolution).horizontal - 150) < 1)
  }
}
