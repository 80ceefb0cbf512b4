import PageNet
import Raster

/// What the net saw, asked for one candidate.
struct NetSupport {
  /// In the order of `features(of:)`.
  static let names = [
    "netOverlap", "netInside", "netOutside", "netSidesMean", "netSidesLeast", "netSidesSecond",
    "netCornersMean",
    "netCornersLeast", "netPage", "netNone", "netFilled", "netSheets", "netSureness", "netArea",
  ]
  /// What stands in their place where there is no net to ask.
  static let nothingSeen = [Double](repeating: 0, count: names.count)
  /// Places along a side at which the map of sides is read.
  private static let places = 16

  private let evidence: PageEvidence
  /// Map places per pixel of the small copy.
  private let scaleX: Double
  private let scaleY: Double
  private let width: Double
  private let height: Double
  private let page: RowSums
  private let sheets: RowSums
  private let sureness: Double

  init(_ evidence: PageEvidence, width: Int, height: Int) {
    self.evidence = evidence
    (self.width, self.height) = (Double(width), Double(height))
    scaleX = Double(PageEvidence.side) / Double(width)
    scaleY = Double(PageEvidence.side) / Double(height)
    page = RowSums(evidence.page)
    sheets = RowSums(evidence.sheets)
    let squares = evidence.page.reduce(0) { $0 + Double($1 * $1) }
    sureness = page.total > 0 ? squares / page.total : 0
  }

  func features(of candidate: Candidate) -> [Double] {
    let corners = candidate.corners.map { Point(x: $0.x * scaleX, y: $0.y * scaleY) }
    let (inside, area) = page.within(corners)
    let (paper, _) = sheets.within(corners)
    var sides: [Double] = []
    for side in 0..<4 where !candidate.sides[side].line.isFrame {
      if let mean = sideMean(corners[side], corners[(side + 1) % 4]) { sides.append(mean) }
    }
    sides.sort()
    var seen: [Double] = []
    for (place, corner) in zip(corners, candidate.corners)
    where corner.x > 0 && corner.x < width && corner.y > 0 && corner.y < height {
      seen.append(greatest(near: place))
    }
    func mean(_ list: [Double]) -> Double { list.isEmpty ? 0 : list.reduce(0, +) / Double(list.count) }
    return [
      inside / max(1, area + page.total - inside), inside / max(1, area),
      (page.total - inside) / max(1, page.total), mean(sides), sides.first ?? 0,
      sides.count > 1 ? sides[1] : sides.first ?? 0, mean(seen), seen.min() ?? 0, Double(evidence.hasPage),
      Double(evidence.hasNone), Double(evidence.isFilled), paper / max(1, area), sureness,
      page.total / Double(PageEvidence.side * PageEvidence.side),
    ]
  }

  /// How much of a page's side the net sees along a whole line, in places of its map.
  func sides(along line: Line) -> Double {
    guard let range = line.visibleRange(width: width, height: height) else { return 0 }
    let (start, end) = (line.point(at: range.lowerBound), line.point(at: range.upperBound))
    let count = Int(start.distance(to: end) * scaleX) + 2
    var sum = 0.0
    for index in 0..<count {
      let place = start + (end - start) * ((Double(index) + 0.5) / Double(count))
      sum += Self.between(evidence.sides, Point(x: place.x * scaleX, y: place.y * scaleY))
    }
    return sum
  }

  /// How well an outline and the page's area agree: intersection over union, likelihoods counted as shares.
  func overlap(_ corners: [Point]) -> Double {
    let (inside, area) = page.within(corners.map { Point(x: $0.x * scaleX, y: $0.y * scaleY) })
    return inside / max(1, area + page.total - inside)
  }

  /// The mean of the map of sides along one, as far as it is inside of the frame.
  private func sideMean(_ start: Point, _ end: Point) -> Double? {
    let side = Double(PageEvidence.side)
    var (sum, count) = (0.0, 0.0)
    for index in 0..<Self.places {
      let place = start + (end - start) * ((Double(index) + 0.5) / Double(Self.places))
      guard place.x >= 0, place.x < side, place.y >= 0, place.y < side else { continue }
      sum += Self.between(evidence.sides, place)
      count += 1
    }
    return count > 0 ? sum / count : nil
  }

  /// A map's value at a point, linear between the middles of places.
  private static func between(_ map: [Float], _ point: Point) -> Double {
    let side = PageEvidence.side
    let x = max(0, min(Double(side) - 1.001, point.x - 0.5))
    let y = max(0, min(Double(side) - 1.001, point.y - 0.5))
    let index = Int(y) * side + Int(x)
    let (shareX, shareY) = (Float(x - x.rounded(.down)), Float(y - y.rounded(.down)))
    let upper = map[index] * (1 - shareX) + map[index + 1] * shareX
    let lower = map[index + side] * (1 - shareX) + map[index + side + 1] * shareX
    return Double(upper * (1 - shareY) + lower * shareY)
  }

  /// The greatest likelihood of a corner within one and a half places.
  private func greatest(near point: Point) -> Double {
    let side = PageEvidence.side
    var value: Float = 0
    for y in max(0, Int(point.y) - 1)...min(side - 1, Int(point.y) + 1) {
      for x in max(0, Int(point.x) - 1)...min(side - 1, Int(point.x) + 1) {
        value = max(value, evidence.corners[y * side + x])
      }
    }
    return Double(value)
  }
}

/// A map's rows summed up, so that the sum within a convex outline costs one look a row.
struct RowSums {
  private let sums: [Double]
  let total: Double

  init(_ map: [Float]) {
    let side = PageEvidence.side
    var sums: [Double] = []
    var total = 0.0
    for y in 0..<side {
      var sum = 0.0
      sums.append(0)
      for x in 0..<side {
        sum += Double(map[y * side + x])
        sums.append(sum)
      }
      total += sum
    }
    self.sums = sums
    self.total = total
  }

  /// The sum within a convex outline, in places of the map, and how many places of the map it covers.
  func within(_ corners: [Point]) -> (sum: Double, area: Double) {
    let side = PageEvidence.side
    var (sum, area) = (0.0, 0.0)
    for y in 0..<side {
      let middle = Double(y) + 0.5
      var (low, high) = (Double.greatestFiniteMagnitude, -Double.greatestFiniteMagnitude)
      for index in corners.indices {
        let (one, two) = (corners[index], corners[(index + 1) % corners.count])
        guard (one.y <= middle) != (two.y <= middle) else { continue }
        let x = one.x + (two.x - one.x) * (middle - one.y) / (two.y - one.y)
        low = min(low, x)
        high = max(high, x)
      }
      (low, high) = (max(0, low), min(Double(side), high))
      guard high > low else { continue }
      area += high - low
      sum += upTo(high, row: y) - upTo(low, row: y)
    }
    return (sum, area)
  }

  private func upTo(_ x: Double, row: Int) -> Double {
    let start = row * (PageEvidence.side + 1)
    let whole = min(PageEvidence.side - 1, Int(x))
    let share = x - Double(whole)
    return sums[start + whole] * (1 - share) + sums[start + whole + 1] * share
  }
}
