import PageNet
import Raster

/// Outlines that the net's maps suggest.
enum NetProposals {
  /// The map is made this many times finer before it is cut, so that its steps don't show.
  private static let fineness = 4
  /// Likelihoods at which it is cut: the page's border lies at the middle one, and where the net is in doubt the others differ.
  private static let levels: [Float] = [0.25, 0.5, 0.75]

  /// Around the area that the net takes for the page, each with four corners clockwise, in pixels of a copy of this size.
  static func outlines(of evidence: PageEvidence, width: Int, height: Int) -> [[Point]] {
    let map = Plane(width: PageEvidence.side, height: PageEvidence.side, values: evidence.page)
      .magnified(fineness)
    let scaleX = Double(width) / Double(map.width)
    let scaleY = Double(height) / Double(map.height)
    let stepped = SteppedPlane(map, levels: levels)
    return levels.indices.flatMap { level in
      RegionFinder.outlines(of: stepped, level: level, isAbove: true, greatestArea: 1)
    }.map { $0.map { Point(x: $0.x * scaleX, y: $0.y * scaleY) } }
  }

  /// From this likelihood on a place may be a corner.
  private static let leastCorner: Float = 0.15
  /// Corners that are joined at most: 70 outlines.
  private static let greatestCorners = 8
  /// Outlines that are kept of those.
  private static let greatestJoined = 3

  /// Quads through four of the places that look like corners, those first that agree most with the page's area.
  ///
  /// A curled page's sides are no lines, so these are the only outlines that go through its corners.
  static func joinedCorners(of evidence: PageEvidence, _ support: NetSupport, width: Int, height: Int)
    -> [[Point]]
  {
    let (scaleX, scaleY) = (
      Double(width) / Double(PageEvidence.side), Double(height) / Double(PageEvidence.side)
    )
    let places = peaks(of: evidence.corners).map { Point(x: $0.x * scaleX, y: $0.y * scaleY) }
    guard places.count >= 4 else { return [] }
    var found: [(corners: [Point], overlap: Double)] = []
    for a in 0..<places.count - 3 {
      for b in (a + 1)..<places.count - 2 {
        for c in (b + 1)..<places.count - 1 {
          for d in (c + 1)..<places.count {
            let hull = ConvexHull.around([places[a], places[b], places[c], places[d]])
            guard hull.count == 4 else { continue }
            found.append((hull, support.overlap(hull)))
          }
        }
      }
    }
    return found.sorted { $0.overlap > $1.overlap }.prefix(greatestJoined).map(\.corners)
  }

  /// Places of a map that are greater than those around, the greatest first; to a fraction, by the centre of what is around.
  private static func peaks(of map: [Float]) -> [Point] {
    let side = PageEvidence.side
    var found: [(value: Float, place: Point)] = []
    for y in 1..<side - 1 {
      for x in 1..<side - 1 {
        let value = map[y * side + x]
        guard value > leastCorner else { continue }
        var (sum, sumX, sumY): (Double, Double, Double) = (0, 0, 0)
        var isPeak = true
        for (row, column) in (-1...1).flatMap({ row in (-1...1).map { (row, $0) } }) {
          let other = map[(y + row) * side + x + column]
          // Of two that are equal the first is the peak.
          let isBefore = row < 0 || row == 0 && column < 0
          if other > value || isBefore && other == value { isPeak = false }
          sum += Double(other)
          sumX += Double(other) * Double(column)
          sumY += Double(other) * Double(row)
        }
        guard isPeak else { continue }
        found.append(
          (value, Point(x: Double(x) + 0.5 + sumX / sum, y: Double(y) + 0.5 + sumY / sum)))
      }
    }
    return found.sorted { $0.value > $1.value }.prefix(greatestCorners).map(\.place)
  }
}

extension Plane {
  /// The plane with `factor` pixels for each of it in both directions, linear between the middles of its own.
  fileprivate func magnified(_ factor: Int) -> Plane {
    var result = Plane(width: width * factor, height: height * factor)
    for y in 0..<result.height {
      let fromY = max(0, min(Float(height) - 1.001, (Float(y) + 0.5) / Float(factor) - 0.5))
      for x in 0..<result.width {
        let fromX = max(0, min(Float(width) - 1.001, (Float(x) + 0.5) / Float(factor) - 0.5))
        let index = Int(fromY) * width + Int(fromX)
        let (shareX, shareY) = (fromX - fromX.rounded(.down), fromY - fromY.rounded(.down))
        let upper = values[index] * (1 - shareX) + values[index + 1] * shareX
        let lower = values[index + width] * (1 - shareX) + values[index + width + 1] * shareX
        result.values[y * result.width + x] = upper * (1 - shareY) + lower * shareY
      }
    }
    return result
  }
}
