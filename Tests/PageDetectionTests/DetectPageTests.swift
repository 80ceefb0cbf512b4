import PageDetection
import Raster
import TestSupport
import Testing

@Suite("Finding the page")
struct DetectPageTests {
  @Test("a page is found on every kind of desk", arguments: SyntheticScene.Background.allCases)
  func desks(background: SyntheticScene.Background) throws {
    let quad = try #require(
      SyntheticScene.turnedRectangle(centre: Point(x: 310, y: 400), width: 360, height: 510, degrees: 8))
    let scene = SyntheticScene(
      size: PixelSize(width: 600, height: 800), page: quad, background: background,
      features: [.text, .noise(2)])
    let result = detectPage(in: scene.photo())
    let page = try #require(result.page)
    #expect(overlap(page.quad, quad) >= 0.95)
    #expect(result.reasons.isEmpty)
  }
}
