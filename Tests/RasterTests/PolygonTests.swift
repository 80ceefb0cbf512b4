import Raster
import Testing

@Suite("Polygons")
struct PolygonTests {
  private func rectangle(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> Quad {
    Quad(
      topLeft: Point(x: x, y: y), topRight: Point(x: x + width, y: y),
      bottomRight: Point(x: x + width, y: y + height), bottomLeft: Point(x: x, y: y + height))
  }

  @Test("two squares that share a half overlap by a third, whichever is asked")
  func half() {
    let (one, two) = (rectangle(0, 0, 2, 2), rectangle(1, 0, 2, 2))
    #expect(abs(one.overlap(with: two) - 1.0 / 3) < 1e-12)
    #expect(abs(two.overlap(with: one) - 1.0 / 3) < 1e-12)
  }

  @Test("a quad overlaps itself wholly, and not at all with one apart or one that touches")
  func extremes() {
    let square = rectangle(3, 4, 10, 20)
    #expect(square.overlap(with: square) == 1)
    #expect(square.overlap(with: rectangle(30, 4, 10, 20)) == 0)
    #expect(square.overlap(with: rectangle(13, 4, 10, 20)) == 0)
  }

  @Test("a square within another overlaps by the ratio of the areas")
  func nested() {
    #expect(abs(rectangle(0, 0, 10, 10).overlap(with: rectangle(2, 3, 5, 4)) - 0.2) < 1e-12)
  }

  @Test("a diamond around a square is cut to it")
  func diamond() throws {
    let diamond = try #require(
      Quad(corners: [Point(x: 5, y: -1), Point(x: 11, y: 5), Point(x: 5, y: 11), Point(x: -1, y: 5)]))
    // Each corner of the square loses a triangle with legs of 4.
    let part = Polygon(diamond).clipped(to: Polygon(rectangle(0, 0, 10, 10)))
    #expect(abs(part.area - (100 - 4 * 8)) < 1e-9)
    #expect(part.corners.count == 8)
  }

  @Test("nothing is left of what lies outside")
  func outside() {
    let part = Polygon(rectangle(0, 0, 1, 1)).cut { $0.x - 5 }
    #expect(part.corners.isEmpty)
    #expect(part.area == 0)
  }
}
