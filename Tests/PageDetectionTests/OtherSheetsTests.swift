import PageDetection
import Raster
import TestSupport
import Testing

@Suite("Several sheets in one photo")
struct OtherSheetsTests {
  private static let size = PixelSize(width: 1200, height: 900)

  private static func page(
    _ x: Double, _ y: Double = 450, width: Double, height: Double, degrees: Double = 3,
    on background: SyntheticScene.Background
  ) throws -> (photo: Raster, quad: Quad) {
    let quad = try #require(
      SyntheticScene.turnedRectangle(
        centre: Point(x: x, y: y), width: width, height: height, degrees: degrees))
    let photo = SyntheticScene(
      size: size, page: quad, background: background, features: [.text, .noise(2)]
    ).photo()
    return (photo, quad)
  }

  /// The left half of one photo beside the right half of another.
  private static func joined(_ left: Raster, _ right: Raster) -> Raster {
    var samples: [UInt8] = []
    let half = left.rowStride / 2
    for row in 0..<left.height {
      let start = row * left.rowStride
      samples += left.samples[start..<start + half] + right.samples[start + half..<start + left.rowStride]
    }
    return Raster(size: left.size, format: left.format, samples: samples)
  }

  @Test(
    "of two sheets side by side the larger is found, and the other told of",
    arguments: [SyntheticScene.Background.plain, .cloth])
  func two(background: SyntheticScene.Background) throws {
    let small = try Self.page(270, width: 250, height: 340, on: background)
    let large = try Self.page(880, width: 440, height: 620, on: background)
    let result = detectPage(in: Self.joined(small.photo, large.photo))
    let page = try #require(result.page)
    #expect(page.quad.overlap(with: large.quad) > 0.95)
    #expect(result.otherSheets == 1)
  }

  @Test(
    "two sheets of one size are no reason to find none, or both as one",
    arguments: [SyntheticScene.Background.plain, .wood])
  func alike(background: SyntheticScene.Background) throws {
    let left = try Self.page(300, 380, width: 400, height: 560, degrees: -6, on: background)
    let right = try Self.page(900, 500, width: 400, height: 560, degrees: 4, on: background)
    let page = try #require(detectPage(in: Self.joined(left.photo, right.photo)).page)
    #expect(max(page.quad.overlap(with: left.quad), page.quad.overlap(with: right.quad)) > 0.95)
  }

  @Test("beside a lone page there is no other sheet", arguments: SyntheticScene.Background.allCases)
  func alone(background: SyntheticScene.Background) throws {
    let lone = try Self.page(600, width: 440, height: 620, on: background)
    #expect(detectPage(in: lone.photo).otherSheets == 0)
  }
}
