import PageDetection
import Raster
import TestSupport
import Testing

private func turned(
  _ x: Double, _ y: Double, _ width: Double, _ height: Double, _ degrees: Double
) throws -> Quad {
  try #require(
    SyntheticScene.turnedRectangle(centre: Point(x: x, y: y), width: width, height: height, degrees: degrees))
}

private func photo(
  _ width: Int, _ height: Int, page: Quad?, on background: SyntheticScene.Background = .plain,
  _ features: [SyntheticScene.Feature] = [.text, .noise(2)]
) -> Raster {
  SyntheticScene(
    size: PixelSize(width: width, height: height), page: page, background: background, features: features
  ).photo()
}

/// The overlap of what was found with the truth; 0 when nothing was found.
private func found(_ result: DetectionResult, _ truth: Quad) -> Double {
  result.page.map { $0.quad.overlap(with: truth) } ?? 0
}

@Suite("Finding the page")
struct DetectPageTests {
  @Test("a page is found on every kind of desk", arguments: SyntheticScene.Background.allCases)
  func desks(background: SyntheticScene.Background) throws {
    let quad = try turned(310, 400, 360, 510, 8)
    let result = detectPage(in: photo(600, 800, page: quad, on: background))
    #expect(found(result, quad) >= 0.95)
    #expect(result.reasons.isEmpty)
  }

  @Test(
    "a receipt of one to five is found on every kind of desk", arguments: SyntheticScene.Background.allCases)
  func receipts(background: SyntheticScene.Background) throws {
    let quad = try turned(300, 400, 136, 680, -9)
    #expect(found(detectPage(in: photo(600, 800, page: quad, on: background)), quad) >= 0.9)
  }

  @Test("a page is found however it is turned", arguments: [0, 15, 30, 45, 60, 75, 90])
  func turns(degrees: Int) throws {
    let quad = try turned(350, 350, 300, 424, Double(degrees))
    #expect(found(detectPage(in: photo(700, 700, page: quad)), quad) >= 0.97)
  }

  @Test("a page in steep perspective is found to the pixel")
  func perspective() throws {
    let quad = try #require(
      Quad(corners: [
        Point(x: 220, y: 130), Point(x: 640, y: 160), Point(x: 760, y: 1010), Point(x: 70, y: 960),
      ]))
    let page = try #require(detectPage(in: photo(840, 1120, page: quad)).page)
    for (corner, truth) in zip(page.quad.corners, quad.corners) {
      #expect(corner.distance(to: truth) < 1)
    }
  }

  @Test("a table or a picture within the page doesn't win over its outline")
  func innerFrames() throws {
    let quad = try turned(310, 400, 420, 590, 4)
    for feature in [SyntheticScene.Feature.table, .picture] {
      let result = detectPage(in: photo(600, 800, page: quad, [.text, feature, .noise(2)]))
      #expect(found(result, quad) >= 0.95, "\(feature)")
    }
  }

  @Test("a shadow's edge isn't taken for the page's")
  func shadow() throws {
    let quad = try turned(310, 400, 400, 560, -5)
    #expect(found(detectPage(in: photo(600, 800, page: quad, [.text, .shadow, .noise(2)])), quad) >= 0.95)
  }

  @Test("a covered corner is where its sides meet")
  func coveredCorner() throws {
    let quad = try turned(300, 390, 380, 540, 6)
    #expect(
      found(detectPage(in: photo(600, 800, page: quad, [.text, .coveredCorner, .noise(2)])), quad) >= 0.95)
  }

  @Test("of a side that bulges the ends are corners, not where its tangents meet", arguments: [0.03, 0.05])
  func bulgingSide(bulge: Double) throws {
    let quad = try turned(310, 420, 360, 510, 4)
    let picture = photo(600, 800, page: quad, [.text, .upperBulge(bulge), .noise(2)])
    let page = try #require(detectPage(in: picture).page)
    let diagonal = quad.topLeft.distance(to: quad.bottomRight)
    for (corner, truth) in zip(page.quad.corners, quad.corners) {
      #expect(corner.distance(to: truth) < 0.01 * diagonal)
    }
  }

  @Test("a corner outside of the frame is not pulled into it")
  func cornerOutside() throws {
    let quad = try turned(330, 400, 480, 640, 12)
    #expect(quad.corners.contains { $0.x > 600 })
    let page = try #require(detectPage(in: photo(600, 800, page: quad)).page)
    #expect(page.quad.overlap(with: quad) >= 0.95)
    #expect(page.quad.corners.contains { $0.x > 600 })
  }

  @Test("the quad is in pixels of the photo given, whatever its size", arguments: [0.5, 1, 2.5])
  func sizes(factor: Double) throws {
    let quad = try turned(310 * factor, 400 * factor, 360 * factor, 510 * factor, 8)
    let picture = photo(Int(600 * factor), Int(800 * factor), page: quad)
    #expect(found(detectPage(in: picture), quad) >= 0.95)
  }

  @Test("a grey photo does as well as a coloured one")
  func grey() throws {
    let quad = try turned(310, 400, 360, 510, 8)
    #expect(found(detectPage(in: photo(600, 800, page: quad, on: .wood).grayscale()), quad) >= 0.95)
  }

  @Test("the first corner is the one nearest to the photo's top-left, and then clockwise")
  func cornerOrder() throws {
    let quad = try turned(350, 350, 300, 424, 30)
    let page = try #require(detectPage(in: photo(700, 700, page: quad)).page)
    let distances = page.quad.corners.map(\.length)
    #expect(distances[0] == distances.min())
    #expect(page.quad.isConvex)
  }

  @Test("the same photo gives the same answer")
  func repeatable() throws {
    let picture = photo(600, 800, page: try turned(310, 400, 360, 510, 8), on: .wood)
    #expect(detectPage(in: picture) == detectPage(in: picture))
  }
}
