import Raster
import Testing

@Suite struct HomographyTests {
  let photo = Quad(
    topLeft: Point(x: 120, y: 80), topRight: Point(x: 910, y: 140),
    bottomRight: Point(x: 990, y: 1300), bottomLeft: Point(x: 40, y: 1210))
  let page = Quad(wholeOf: PixelSize(width: 210, height: 297))

  @Test("corners go to corners, and back")
  func corners() throws {
    let map = try #require(Homography(from: photo, to: page))
    let back = try #require(map.inverse)
    for (from, to) in zip(photo.corners, page.corners) {
      #expect(map.apply(from).distance(to: to) < 1e-9)
      #expect(back.apply(to).distance(to: from) < 1e-9)
    }
  }

  @Test("the crossing of the diagonals stays their crossing")
  func diagonals() throws {
    let map = try #require(Homography(from: page, to: photo))
    let centre = map.apply(Point(x: 105, y: 148.5))
    let first = photo.bottomRight - photo.topLeft
    let second = photo.bottomLeft - photo.topRight
    #expect(abs(first.cross(centre - photo.topLeft)) < 1e-6 * first.length * 1000)
    #expect(abs(second.cross(centre - photo.topRight)) < 1e-6 * second.length * 1000)
  }

  @Test("a quad without area has no map")
  func degenerate() {
    let line = Quad(
      topLeft: Point(x: 0, y: 0), topRight: Point(x: 1, y: 1), bottomRight: Point(x: 2, y: 2),
      bottomLeft: Point(x: 3, y: 3))
    #expect(Homography(from: line, to: page) == nil)
  }
}
