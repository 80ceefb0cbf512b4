import PageDetection
import Raster
import TestSupport
import Testing

private func rectangle(
  _ x: Double, _ y: Double, _ width: Double, _ height: Double, _ degrees: Double
) throws -> Quad {
  try #require(
    SyntheticScene.turnedRectangle(centre: Point(x: x, y: y), width: width, height: height, degrees: degrees))
}

private func scene(
  _ page: Quad?, on background: SyntheticScene.Background,
  _ features: [SyntheticScene.Feature] = [.text, .noise(2)]
) -> SyntheticScene {
  SyntheticScene(
    size: PixelSize(width: 600, height: 800), page: page, background: background, features: features)
}

/// What makes other scanners fail on ordinary desks.
@Suite("Pages on ordinary desks")
struct DeskTests {
  @Test("white paper is found on a desk hardly darker than it", arguments: [8, 10, 12, 15])
  func whiteOnWhite(contrast: Int) throws {
    let quad = try rectangle(300, 410, 350, 495, 6)
    var scene = scene(quad, on: .nearWhite)
    scene.contrast = Double(contrast)
    let page = try #require(detectPage(in: scene.photo()).page)
    #expect(page.quad.overlap(with: quad) >= 0.9)
  }

  @Test(
    "a receipt is found on wood, stone and cloth, lying straight and askew",
    arguments: [SyntheticScene.Background.wood, .marble, .cloth], [0.0, 17, -38])
  func receipts(background: SyntheticScene.Background, degrees: Double) throws {
    let quad = try rectangle(305, 395, 150, 480, degrees)
    let page = try #require(detectPage(in: scene(quad, on: background).photo()).page)
    #expect(page.quad.overlap(with: quad) >= 0.9)
  }

  @Test(
    "a page with one or two corners outside of the photo is found as far as it is seen", arguments: [1, 2])
  func cornersOutside(count: Int) throws {
    let quad =
      count == 1
      ? try rectangle(345, 470, 430, 560, 12) : try rectangle(300, 560, 400, 620, 2)
    let outside = quad.corners.filter { !(0...600).contains($0.x) || !(0...800).contains($0.y) }
    try #require(outside.count == count)
    let page = try #require(detectPage(in: scene(quad, on: .wood).photo()).page)
    let frame = Polygon(Quad(wholeOf: PixelSize(width: 600, height: 800)))
    let (seen, truth) = (Polygon(page.quad).clipped(to: frame), Polygon(quad).clipped(to: frame))
    #expect(seen.overlap(with: truth) >= 0.95)
  }

  @Test("of several sheets the largest is taken")
  func severalSheets() throws {
    let quad = try rectangle(370, 430, 330, 470, 5)
    var scene = scene(quad, on: .plain)
    scene.otherSheets = [try rectangle(100, 190, 150, 210, -8), try rectangle(95, 620, 140, 200, 11)]
    let page = try #require(detectPage(in: scene.photo()).page)
    #expect(page.quad.overlap(with: quad) >= 0.95)
  }

  @Test("an open book is one outline around both pages, or one page: never across the fold")
  func openBook() throws {
    let spread = try rectangle(400, 300, 640, 430, 2)
    let photo = SyntheticScene(
      size: PixelSize(width: 800, height: 600), page: spread, background: .wood,
      features: [.text, .gutter, .noise(2)]
    ).photo()
    let page = try #require(detectPage(in: photo).page)
    #expect(page.quad.overlap(with: spread) >= 0.95)
  }

  @Test(
    "every answer is a convex outline of four corners, clockwise",
    arguments: SyntheticScene.Background.allCases)
  func convex(background: SyntheticScene.Background) throws {
    for degrees in [3.0, 40, 77] {
      let quad = try rectangle(290, 420, 300, 410, degrees)
      let result = detectPage(in: scene(quad, on: background, [.text, .table, .shadow, .noise(4)]).photo())
      for observation in [result.page].compactMap(\.self) + result.runnersUp {
        let corners = observation.quad.corners
        for index in 0..<4 {
          let (a, b, c) = (corners[index], corners[(index + 1) % 4], corners[(index + 2) % 4])
          #expect((b - a).cross(c - b) > 0)
        }
      }
    }
  }

  @Test("a page that fills the photo is the whole photo, or none is reported", arguments: [0.0, 3, 8])
  func filledPhoto(noise: Double) {
    let size = PixelSize(width: 620, height: 877)
    let photo = SyntheticScene(
      size: size, page: Quad(wholeOf: size), features: [.text, .table, .noise(noise)]
    )
    .photo()
    let whole = Quad(wholeOf: size)
    #expect(detectPage(in: photo).page.map { $0.quad.overlap(with: whole) >= 0.99 } ?? true)
  }
}
