import Glibc
import Raster
import Testing

@Suite struct QuadTests {
  @Test(
    "corners in any order become the same quad",
    arguments: [[0, 1, 2, 3], [2, 0, 3, 1], [3, 2, 1, 0], [1, 3, 0, 2]])
  func ordersCorners(order: [Int]) throws {
    let corners = [
      Point(x: 10, y: 12), Point(x: 90, y: 20), Point(x: 95, y: 130), Point(x: 5, y: 120),
    ]
    let quad = try #require(Quad(corners: order.map { corners[$0] }))
    #expect(quad.corners == corners)
  }

  @Test("a page turned by any angle keeps its outline and goes clockwise", arguments: 0..<24)
  func turnedPages(step: Int) throws {
    let angle = Double(step) * 15 * .pi / 180
    let base = [(-40.0, -60.0), (40, -60), (40, 60), (-40, 60)]
    let corners = base.map { x, y in
      Point(
        x: 200 + x * cos(angle) - y * sin(angle),
        y: 200 + x * sin(angle) + y * cos(angle))
    }
    let quad = try #require(Quad(corners: corners.reversed()))
    #expect(abs(quad.area - 9600) < 1e-6)
    #expect(quad.corners.allSatisfy { quad.topLeft.length <= $0.length })
  }

  @Test("three points on a line, a repeated or an inner point make no quad")
  func degenerate() {
    let square = [Point(x: 0, y: 0), Point(x: 9, y: 0), Point(x: 9, y: 9)]
    #expect(Quad(corners: square) == nil)
    #expect(Quad(corners: square + [Point(x: 4.5, y: 0)]) == nil)
    #expect(Quad(corners: square + [Point(x: 9, y: 9)]) == nil)
    #expect(Quad(corners: square + [Point(x: 6, y: 3)]) == nil)
    #expect(Quad(corners: square + [Point(x: .nan, y: 3)]) == nil)
  }
}
