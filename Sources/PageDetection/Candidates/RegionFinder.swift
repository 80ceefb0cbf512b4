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
      let histogram = Histogram(of: plane)
      let (low, high) = (histogram.percentile(0.02), histogram.percentile(0.98))
      let spread = high - low
      // A channel without contrast has nothing to set apart.
      if isSigned && spread < 10 || spread < 4 { continue }
      var levels: [Float] = []
      let thresholds = isSigned ? Self.colourThresholds : Self.lightThresholds
      for step in 0..<thresholds {
        let share = (Double(step) + 0.5) / Double(thresholds)
        levels.append(histogram.percentile(share))
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
    let total = Double(plane.width * plane.height)
    let areas =
      Int(Self.leastArea * total) + 1...max(Int(greatestArea * total), Int(Self.leastArea * total) + 1)
    var result: [[Point]] = []
    for region in Region.all(of: plane, level: level, isAbove: isAbove, areas: areas) {
      let hull = ConvexHull.around(region.outermostCorners())
      let hullArea = ConvexHull.area(hull)
      guard Double(region.area) > Self.leastSolidity * hullArea,
        let corners = ConvexHull.fourSides(around: hull)
      else { continue }
      let outlineArea = ConvexHull.area(corners)
      guard hullArea > Self.leastFit * outlineArea else { continue }
      result.append(corners)
    }
    return result
  }
}

extension Region {
  /// The corners of each row's first and last pixel: their hull is the region's.
  fileprivate func outermostCorners() -> [Point] {
    var points: [Point] = []
    points.reserveCapacity(4 * runs.count)
    var index = 0
    while index < runs.count {
      let (row, left) = (runs[index].row, runs[index].start)
      while index + 1 < runs.count && runs[index + 1].row == row { index += 1 }
      let right = runs[index].end
      for y in [Double(row), Double(row) + 1] {
        points.append(Point(x: Double(left), y: y))
        points.append(Point(x: Double(right), y: y))
      }
      index += 1
    }
    return points
  }
}
