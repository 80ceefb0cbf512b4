import PageNet
import Raster

/// Tells the sheets that lie in view beside the page.
///
/// The net looks for one page, and what it takes for more of it apart from the page is another sheet. Mostly it sees only the page; so what is
/// known is painted over, in the colour of what is around it, and the net looks once more. Rather silent than wrong: docs/detection.md
/// says how many are told of.
struct OtherSheets {
  /// The net looks again only where this share of the photo, beside the page, is likelier a sheet than not.
  private static let leastSheets = 0.015
  /// How likely a page must still be in view.
  private static let leastPresence: Float = 0.5
  /// The least mean likelihood within a sheet's outline.
  private static let leastMean = 0.75
  /// The least share of the photo.
  private static let leastArea = 0.015
  /// Places of the map around what is known that belong to it: its blurred border.
  private static let border = 2.0
  /// What is painted over is this much larger than the outline: the paper's edge and its shadow go with it.
  private static let painted = 1.04
  /// And takes its colour from between that and this.
  private static let around = 1.16

  let net: PageNet
  /// What the net saw at first.
  let evidence: PageEvidence
  /// As the net takes it: red, green and blue of its square of pixels.
  let photo: [Float]

  /// - Parameter page: corners clockwise, as shares of the photo's width and height.
  func count(beside page: [Point]) -> Int {
    let side = Double(PageEvidence.side)
    var known = [page] + sheets(in: evidence, beside: [page])
    let beside = Self.left(of: evidence.sheets, beside: known).count { $0 > 0.5 }
    guard Double(beside) > Self.leastSheets * side * side else { return known.count - 1 }
    var photo = photo
    for outline in known where !paint(over: outline, in: &photo) { return known.count - 1 }
    let again = net.evidence(in: photo)
    // With the page gone, an even desk may look like a page that fills the photo.
    if again.hasPage > Self.leastPresence { known += self.sheets(in: again, beside: known) }
    return known.count - 1
  }

  /// Outlines of what looks like a page and isn't known.
  private func sheets(in evidence: PageEvidence, beside known: [[Point]]) -> [[Point]] {
    let side = PageEvidence.side
    let map = Self.left(of: evidence.page, beside: known)
    let likelihoods = RowSums(map)
    let plane = Plane(width: side, height: side, values: map)
    return RegionFinder.outlines(of: SteppedPlane(plane, levels: [0.5]), level: 0, isAbove: true)
      .filter { outline in
        let (sum, area) = likelihoods.within(outline)
        return area > Self.leastArea * Double(side * side) && sum > Self.leastMean * area
      }
      .map { $0.map { $0 * (1 / Double(side)) } }
  }

  /// A map without what belongs to known outlines.
  private static func left(of map: [Float], beside known: [[Point]]) -> [Float] {
    let side = PageEvidence.side
    let own = known.map { outline in
      let size = Double(side) * ConvexHull.area(outline).squareRoot()
      return ConvexArea(grown(outline, by: 1 + 2 * border / size))
    }
    var map = map
    for row in 0..<side {
      for column in 0..<side {
        let place = Point(x: Double(column) + 0.5, y: Double(row) + 0.5) * (1 / Double(side))
        if own.contains(where: { $0.contains(place) }) { map[row * side + column] = 0 }
      }
    }
    return map
  }

  /// Fills an outline with the median colour of what is around it.
  ///
  /// - Returns: `false` when nothing is around it.
  private func paint(over outline: [Point], in photo: inout [Float]) -> Bool {
    let side = PageNet.input
    let inner = ConvexArea(Self.grown(outline, by: Self.painted))
    let outer = ConvexArea(Self.grown(outline, by: Self.around))
    var within: [Int] = []
    var colours: [[Float]] = [[], [], []]
    for row in 0..<side {
      for column in 0..<side {
        let place = Point(x: Double(column) + 0.5, y: Double(row) + 0.5) * (1 / Double(side))
        guard outer.contains(place) else { continue }
        let index = 3 * (row * side + column)
        if inner.contains(place) {
          within.append(index)
        } else {
          for channel in 0..<3 { colours[channel].append(photo[index + channel]) }
        }
      }
    }
    guard let count = colours.first?.count, count > side / 8 else { return false }
    let medians = colours.map { $0.sorted()[count / 2] }
    for index in within {
      for channel in 0..<3 { photo[index + channel] = medians[channel] }
    }
    return true
  }

  private static func grown(_ outline: [Point], by factor: Double) -> [Point] {
    let centre = outline.reduce(Point(x: 0, y: 0), +) * (1 / Double(outline.count))
    return outline.map { centre + ($0 - centre) * factor }
  }
}

/// What lies within a convex outline, its corners clockwise.
private struct ConvexArea {
  private let sides: [Line]

  init(_ outline: [Point]) {
    sides = outline.indices.compactMap {
      Line(through: outline[$0], outline[($0 + 1) % outline.count])
    }
  }

  func contains(_ place: Point) -> Bool {
    // Normals point inwards.
    for side in sides where side.normal.dot(place) < side.offset { return false }
    return true
  }
}
