import Evaluation
import Raster
import Testing

/// A rectangle with sides along the axes.
func rectangle(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> Quad {
  Quad(
    topLeft: Point(x: x, y: y), topRight: Point(x: x + width, y: y),
    bottomRight: Point(x: x + width, y: y + height), bottomLeft: Point(x: x, y: y + height))
}

@Suite("How near an outline is")
struct OutlineScoreTests {
  private let frame = PixelSize(width: 100, height: 100)

  private func score(
    _ found: Quad, _ truth: Quad, page: PageMeasure? = nil, others: [Quad] = []
  ) throws -> OutlineScore {
    let truth = PhotoTruth(
      file: "a.png", kind: "note", answer: .page, outlines: [truth] + others, page: page)
    return try #require(OutlineScore(of: found, against: truth, frame: frame))
  }

  @Test("the truth itself is perfect, whichever corner comes first")
  func perfect() throws {
    let truth = rectangle(10, 20, 50, 60)
    let turned = Quad(
      topLeft: truth.bottomRight, topRight: truth.bottomLeft, bottomRight: truth.topLeft,
      bottomLeft: truth.topRight)
    for page in [nil, PageMeasure(width: 100, height: 120)] {
      let score = try score(turned, truth, page: page)
      #expect(abs(score.overlap - 1) < 1e-9)
      #expect(score.visibleOverlap == score.overlap)
      #expect(score.cornerError == 0)
    }
  }

  @Test("a page that is found a tenth too short")
  func short() throws {
    let score = try score(rectangle(10, 20, 30, 36), rectangle(10, 20, 30, 40))
    #expect(abs(score.overlap - 0.9) < 1e-12)
    // Two of four corners are off by 4, and the diagonal is 50.
    #expect(abs(try #require(score.cornerError) - 0.04) < 1e-12)
  }

  @Test("without the page's size only what is within the frame counts")
  func cropped() throws {
    // Half of the page is outside on the right; the outline found ends at the frame.
    let score = try score(rectangle(50, 10, 50, 80), rectangle(50, 10, 100, 80))
    #expect(score.overlap == 1)
    #expect(score.cornerError == 0)
  }

  @Test("with the page's size all of it counts, and what is visible is told apart")
  func croppedExact() throws {
    let score = try score(
      rectangle(50, 10, 50, 80), rectangle(50, 10, 100, 80), page: PageMeasure(width: 100, height: 80))
    #expect(abs(score.overlap - 0.5) < 1e-9)
    #expect(abs(score.visibleOverlap - 1) < 1e-9)
    #expect(try #require(score.cornerError) > 0.1)
  }

  @Test("a slanted page is compared in its own plane, where its far half is as large as the near one")
  func slanted() throws {
    // The square's image: parallels that meet at height 0. The middle line of the page is where the diagonals cross.
    let truth = Quad(
      topLeft: Point(x: 40, y: 40), topRight: Point(x: 60, y: 40), bottomRight: Point(x: 70, y: 80),
      bottomLeft: Point(x: 30, y: 80))
    let middle = 40 + 40.0 / 3
    let half = 10 + 10.0 / 3
    let near = Quad(
      topLeft: Point(x: 50 - half, y: middle), topRight: Point(x: 50 + half, y: middle),
      bottomRight: truth.bottomRight, bottomLeft: truth.bottomLeft)
    let measured = try score(near, truth, page: PageMeasure(width: 100, height: 100))
    #expect(abs(measured.overlap - 0.5) < 1e-9)
    #expect(abs(try score(near, truth).overlap - near.area / truth.area) < 1e-9)
  }

  @Test("an outline that goes beyond the horizon of the page's plane still has a score")
  func horizon() throws {
    let truth = Quad(
      topLeft: Point(x: 40, y: 40), topRight: Point(x: 60, y: 40), bottomRight: Point(x: 70, y: 80),
      bottomLeft: Point(x: 30, y: 80))
    let score = try score(rectangle(0, 0, 100, 100), truth, page: PageMeasure(width: 100, height: 100))
    #expect((0..<0.01).contains(score.overlap))
  }

  @Test("of several outlines that are right the nearest counts")
  func alternatives() throws {
    let (left, spread) = (rectangle(0, 0, 40, 50), rectangle(0, 0, 80, 50))
    #expect(try score(spread, left, others: [spread]).overlap == 1)
    #expect(try score(left, left, others: [spread]).overlap == 1)
  }

  @Test("corners outside of the frame were guessed and don't count, unless the page's size is known")
  func guessedCorners() throws {
    let truth = rectangle(-10, 10, 50, 60)
    let found = Quad(
      topLeft: Point(x: 0, y: 10), topRight: truth.topRight, bottomRight: truth.bottomRight,
      bottomLeft: Point(x: 0, y: 70))
    #expect(try score(found, truth).cornerError == 0)
    let exact = try #require(try score(found, truth, page: PageMeasure(width: 50, height: 60)).cornerError)
    #expect(abs(exact - 5 / (50.0 * 50 + 60 * 60).squareRoot()) < 1e-12)
    #expect(try score(found, rectangle(-20, -20, 140, 140)).cornerError == nil)
  }
}
