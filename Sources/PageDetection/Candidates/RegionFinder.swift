import Raster

/// Finds even regions that could be a page, and cuts their hulls to four sides.
///
/// Regions are what one threshold of one channel sets apart, at many thresholds (as in MSER, Matas et al. 2002, without the
/// stability test: the ranking decides). Text is closed over before. Runs on the half-size copy.
struct RegionFinder {
  /// Thresholds of lightness, at evenly spaced shares of its pixels and as many at evenly spaced levels; and of each colour channel.
  static let lightThresholds = 8
  static let colourThresholds = 5
  /// Text strokes up to about twice this many pixels wide are closed over.
  static let closingRadius = 3
  static let leastArea = 0.012
  static let greatestArea = 0.97
  /// A region fills at least this share of its convex hull.
  static let leastSolidity = 0.7
  /// Its hull fills at least this share of the four-sided outline.
  static let leastFit = 0.8

  let copy: SmallCopy

  /// Outlines in pixels of the copy given, each with four corners clockwise.
  func outlines() -> [[Point]] {
    var result: [[Point]] = []
    let light = copy.lightness.closed(radius: Self.closingRadius)
    for (plane, isSigned) in [(light, false), (copy.redGreen, true), (copy.yellowBlue, true)] {
      let spread = plane.percentile(0.98) - plane.percentile(0.02)
      // A channel without contrast has nothing to set apart.
      if isSigned && spread < 10 || spread < 4 { continue }
      let (low, high) = (plane.percentile(0.02), plane.percentile(0.98))
      var levels: [Float] = []
      let thresholds = isSigned ? Self.colourThresholds : Self.lightThresholds
      for step in 0..<thresholds {
        let share = (Double(step) + 0.5) / Double(thresholds)
        levels.append(plane.percentile(share))
        levels.append(low + Float(share) * (high - low))
      }
      levels.sort()
      var previous = -Float.greatestFiniteMagnitude
      for level in levels where level - previous > 0.02 * spread {
        previous = level
        for isAbove in [true, false] {
          for outline in Self.outlines(of: plane, level: level, isAbove: isAbove) {
            let isDouble = result.contains { other in
              (0..<4).allSatisfy { abs(other[$0].x - outline[$0].x) + abs(other[$0].y - outline[$0].y) < 3 }
            }
            if !isDouble { result.append(outline) }
          }
        }
      }
    }
    return result
  }

  /// The outlines of all regions above (or not above) a level that cover no more than `greatestArea` of the plane.
  static func outlines(
    of plane: Plane, level: Float, isAbove: Bool, greatestArea: Double = Self.greatestArea
  ) -> [[Point]] {
    let (w, h) = (plane.width, plane.height)
    var open = plane.values.map { ($0 > level) == isAbove }
    var stack: [Int] = []
    var result: [[Point]] = []
    let total = Double(w * h)
    var leftmost = [Int](repeating: w, count: h)
    var rightmost = [Int](repeating: -1, count: h)
    for seed in open.indices where open[seed] {
      open[seed] = false
      stack.append(seed)
      var area = 0
      var (top, bottom) = (h, -1)
      while let index = stack.popLast() {
        area += 1
        let row = index / w
        let column = index - row * w
        leftmost[row] = min(leftmost[row], column)
        rightmost[row] = max(rightmost[row], column)
        top = min(top, row)
        bottom = max(bottom, row)
        if column > 0 && open[index - 1] {
          open[index - 1] = false
          stack.append(index - 1)
        }
        if column + 1 < w && open[index + 1] {
          open[index + 1] = false
          stack.append(index + 1)
        }
        if row > 0 && open[index - w] {
          open[index - w] = false
          stack.append(index - w)
        }
        if row + 1 < h && open[index + w] {
          open[index + w] = false
          stack.append(index + w)
        }
      }
      defer {
        for row in top...bottom {
          leftmost[row] = w
          rightmost[row] = -1
        }
      }
      guard Double(area) > Self.leastArea * total, Double(area) <= greatestArea * total else { continue }
      var points: [Point] = []
      for row in top...bottom where rightmost[row] >= 0 {
        for y in [Double(row), Double(row) + 1] {
          points.append(Point(x: Double(leftmost[row]), y: y))
          points.append(Point(x: Double(rightmost[row]) + 1, y: y))
        }
      }
      let hull = ConvexHull.around(points)
      let hullArea = ConvexHull.area(hull)
      guard Double(area) > Self.leastSolidity * hullArea, let corners = ConvexHull.fourSides(around: hull)
      else { continue }
      let outlineArea = ConvexHull.area(corners)
      guard hullArea > Self.leastFit * outlineArea else { continue }
      result.append(corners)
    }
    return result
  }
}
