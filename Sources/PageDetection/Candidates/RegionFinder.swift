import Raster

/// Finds even regions that could be a page, and cuts their hulls to four sides.
///
/// Regions are what one threshold of one channel sets apart, at many thresholds (as in MSER, Matas et al. 2002, without the
/// stability test: the ranking decides). Text is closed over before. Runs on the half-size copy.
struct RegionFinder {
  /// Thresholds of lightness, at evenly spaced shares of its pixels and as many at evenly spaced levels; and of each colour channel.
  static let lightThresholds = 4
  static let colourThresholds = 2
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
      var apart: [Float] = []
      for level in levels where level - (apart.last ?? -.greatestFiniteMagnitude) > 0.02 * spread {
        apart.append(level)
      }
      let stepped = SteppedPlane(plane, levels: apart)
      for level in apart.indices {
        for isAbove in [true, false] {
          for outline in Self.outlines(of: stepped, level: level, isAbove: isAbove) {
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
    of plane: SteppedPlane, level: Int, isAbove: Bool, greatestArea: Double = Self.greatestArea
  ) -> [[Point]] {
    let total = Double(plane.width * plane.height)
    let areas =
      Int(Self.leastArea * total) + 1...max(Int(greatestArea * total), Int(Self.leastArea * total) + 1)
    var result: [[Point]] = []
    for region in Region.all(of: plane, level: level, isAbove: isAbove, areas: areas) {
      let hull = region.hull()
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
  /// The convex hull of all pixels' squares, clockwise on the screen from its leftmost corner, the upper one of two.
  fileprivate func hull() -> [Point] {
    // Only each row's first and last pixel matter, and rows come in order, so that nothing needs to be sorted.
    var (left, right): ([Point], [Point]) = ([], [])
    var index = 0
    while index < runs.count {
      let (row, start) = (runs[index].row, runs[index].start)
      while index + 1 < runs.count && runs[index + 1].row == row { index += 1 }
      for y in [Double(row), Double(row) + 1] {
        ConvexHull.extend(&left, with: Point(x: Double(start), y: y), turning: -1)
        ConvexHull.extend(&right, with: Point(x: Double(runs[index].end), y: y), turning: 1)
      }
      index += 1
    }
    let corners = right + left.reversed()
    guard
      let first = corners.indices.min(by: {
        (corners[$0].x, corners[$0].y) < (corners[$1].x, corners[$1].y)
      })
    else { return [] }
    return Array(corners[first...] + corners[..<first])
  }
}
