private import Glibc

/// A place in a picture, in pixels: origin at the top-left corner of the top-left pixel, x to the right, y down.
///
/// The centre of the first pixel is at (0.5, 0.5).
package struct Point: Sendable, Hashable {
  package var x: Double
  package var y: Double

  @inlinable package init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  @inlinable package static func + (left: Point, right: Point) -> Point {
    Point(x: left.x + right.x, y: left.y + right.y)
  }

  @inlinable package static func - (left: Point, right: Point) -> Point {
    Point(x: left.x - right.x, y: left.y - right.y)
  }

  @inlinable package static func * (point: Point, factor: Double) -> Point {
    Point(x: point.x * factor, y: point.y * factor)
  }

  /// The z component of the cross product: positive when `other` lies clockwise of this on the screen.
  @inlinable package func cross(_ other: Point) -> Double { x * other.y - y * other.x }

  @inlinable package func dot(_ other: Point) -> Double { x * other.x + y * other.y }

  /// Distance from the origin.
  @inlinable package var length: Double { dot(self).squareRoot() }

  /// Direction from the origin in radians, −π to π, growing clockwise on the screen.
  package var angle: Double { atan2(y, x) }

  @inlinable package func distance(to other: Point) -> Double { (other - self).length }
}

/// The outline of a page in a photo: four corners, clockwise as seen on the screen.
///
/// The first corner is the one nearest the photo's top-left; which of them is the page's own top-left is
/// told by a `QuarterTurn` kept apart. Coordinates are those of the upright photo at full size and may lie outside of it.
package struct Quad: Sendable, Hashable {
  package var topLeft: Point
  package var topRight: Point
  package var bottomRight: Point
  package var bottomLeft: Point

  package init(topLeft: Point, topRight: Point, bottomRight: Point, bottomLeft: Point) {
    self.topLeft = topLeft
    self.topRight = topRight
    self.bottomRight = bottomRight
    self.bottomLeft = bottomLeft
  }

  /// The quad through four points in any order, or `nil` when they aren't the corners of a convex one.
  ///
  /// Corners are put in order by their angle around the centre, so that a page turned by 45° keeps its shape, and then
  /// begin with the one nearest the origin.
  package init?(corners: [Point]) {
    guard corners.count == 4, corners.allSatisfy({ $0.x.isFinite && $0.y.isFinite }) else {
      return nil
    }
    let centre = corners.reduce(Point(x: 0, y: 0), +) * 0.25
    let around = corners.sorted { left, right in
      (left - centre).angle < (right - centre).angle
    }
    let distances = around.map(\.length)
    guard let nearest = distances.indices.min(by: { distances[$0] < distances[$1] }) else {
      return nil
    }
    self.init(
      topLeft: around[nearest], topRight: around[(nearest + 1) % 4],
      bottomRight: around[(nearest + 2) % 4], bottomLeft: around[(nearest + 3) % 4])
    guard isConvex else { return nil }
  }

  /// The outline of a whole picture.
  package init(wholeOf size: PixelSize) {
    let (width, height) = (Double(size.width), Double(size.height))
    self.init(
      topLeft: Point(x: 0, y: 0), topRight: Point(x: width, y: 0),
      bottomRight: Point(x: width, y: height), bottomLeft: Point(x: 0, y: height))
  }

  /// Top-left, top-right, bottom-right, bottom-left.
  package var corners: [Point] { [topLeft, topRight, bottomRight, bottomLeft] }

  /// Whether all four turns go clockwise and none is straight.
  package var isConvex: Bool {
    let points = corners
    return points.indices.allSatisfy { index in
      let side = points[(index + 1) % 4] - points[index]
      let next = points[(index + 2) % 4] - points[(index + 1) % 4]
      return side.cross(next) > 1e-9 * max(side.dot(side), next.dot(next))
    }
  }

  /// Area in square pixels: positive, since corners go clockwise.
  package var area: Double {
    0.5 * (bottomRight - topLeft).cross(bottomLeft - topRight)
  }

  /// Moves all corners.
  package mutating func move(by offset: Point) {
    self = Quad(
      topLeft: topLeft + offset, topRight: topRight + offset, bottomRight: bottomRight + offset,
      bottomLeft: bottomLeft + offset)
  }

  /// The quad in a picture that is `x` times as wide and `y` times as high.
  package func scaled(x: Double, y: Double) -> Quad {
    func scale(_ point: Point) -> Point { Point(x: point.x * x, y: point.y * y) }
    return Quad(
      topLeft: scale(topLeft), topRight: scale(topRight), bottomRight: scale(bottomRight),
      bottomLeft: scale(bottomLeft))
  }
}
