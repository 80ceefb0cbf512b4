import Raster

/// A straight line in the small copy: the points with `normal · p = offset`, and the part of it inside of the frame.
struct Line: Sendable {
  let normal: Point
  let offset: Double
  /// How much edge voted for it, in full-strength pixels; 0 for the frame's own sides.
  let votes: Double
  /// Whether this is a side of the frame and not an edge seen in the photo.
  let isFrame: Bool

  init(normal: Point, offset: Double, votes: Double = 0, isFrame: Bool = false) {
    self.normal = normal
    self.offset = offset
    self.votes = votes
    self.isFrame = isFrame
  }

  /// The line through two points, its normal to the right of the way from `start` to `end` as seen on the screen.
  init?(through start: Point, _ end: Point, votes: Double = 0, isFrame: Bool = false) {
    let way = end - start
    let length = way.length
    guard length > 1e-9, length.isFinite else { return nil }
    let normal = Point(x: -way.y / length, y: way.x / length)
    self.init(normal: normal, offset: normal.dot(start), votes: votes, isFrame: isFrame)
  }

  /// Unit vector along the line; positions on it are measured as `direction · p`.
  var direction: Point { Point(x: normal.y, y: -normal.x) }

  func point(at position: Double) -> Point { normal * offset + direction * position }

  /// Where two lines cross, or `nil` when they are all but parallel.
  func intersection(with other: Line) -> Point? {
    let determinant = normal.cross(other.normal)
    guard abs(determinant) > 1e-4 else { return nil }
    return Point(
      x: (offset * other.normal.y - other.offset * normal.y) / determinant,
      y: (normal.x * other.offset - other.normal.x * offset) / determinant)
  }

  /// The positions between which the line runs inside of a frame of this size, or `nil` when it misses it.
  func visibleRange(width: Double, height: Double) -> ClosedRange<Double>? {
    let origin = normal * offset
    let way = direction
    var low = -Double.greatestFiniteMagnitude
    var high = Double.greatestFiniteMagnitude
    for (start, step, limit) in [(origin.x, way.x, width), (origin.y, way.y, height)] {
      if abs(step) < 1e-12 {
        if start < 0 || start > limit { return nil }
      } else {
        let one = -start / step
        let two = (limit - start) / step
        low = max(low, min(one, two))
        high = min(high, max(one, two))
      }
    }
    return low < high ? low...high : nil
  }

  /// Whether two lines are the same for a page of this photo: near in direction, and never far apart inside of the frame.
  func isNear(_ other: Line, range: ClosedRange<Double>, distance: Double) -> Bool {
    guard abs(normal.dot(other.normal)) > 0.998 else { return false }
    let ends = [point(at: range.lowerBound), point(at: range.upperBound)]
    return ends.allSatisfy { abs(other.normal.dot($0) - other.offset) < distance }
  }

  /// The four sides of a frame, clockwise from the top.
  static func frame(width: Double, height: Double) -> [Line] {
    [
      Line(normal: Point(x: 0, y: 1), offset: 0, isFrame: true),
      Line(normal: Point(x: 1, y: 0), offset: width, isFrame: true),
      Line(normal: Point(x: 0, y: 1), offset: height, isFrame: true),
      Line(normal: Point(x: 1, y: 0), offset: 0, isFrame: true),
    ]
  }
}
