import PageNet
import Raster

extension Search {
  /// What the net must at least see of an outline's worst side and worst corner, and of paper within it, for a sheet of its own.
  private static let leastSideSeen = 0.4
  private static let leastCornerSeen = 0.25
  private static let leastInsideSeen = 0.4

  /// What the net would have seen of one of several sheets alone: of the one that stands out most.
  ///
  /// Of sheets that lie side by side the net tells sides and corners apart, but takes the whole for the page's area.
  /// - Returns: `nil` when no outline has sides and corners all around.
  func evidenceOfOneSheet() -> PageEvidence? {
    guard let evidence else { return nil }
    let sheets = ranked.filter { entry in
      entry.features["netSidesLeast"] > Self.leastSideSeen
        && entry.features["netCornersLeast"] > Self.leastCornerSeen
        && entry.features["netInside"] > Self.leastInsideSeen
    }
    // Largest and most central: half as much counts what lies at the frame.
    func prominence(_ candidate: Candidate) -> Double {
      let off = max(
        abs(candidate.centre.x / Double(copy.width) - 0.5),
        abs(candidate.centre.y / Double(copy.height) - 0.5))
      return candidate.area * (1 - off)
    }
    guard let best = sheets.max(by: { prominence($0.candidate) < prominence($1.candidate) }) else {
      return nil
    }
    let side = Double(PageEvidence.side)
    return evidence.within(
      best.candidate.corners.map {
        Point(x: $0.x / Double(copy.width) * side, y: $0.y / Double(copy.height) * side)
      })
  }
}

extension PageEvidence {
  /// Places around an outline that are its own: the blurred border of the maps.
  private static let border = 2.0

  /// All that was seen outside of an outline left out; corners clockwise, in places of the maps.
  fileprivate func within(_ outline: [Point]) -> PageEvidence {
    let lines = outline.indices.compactMap {
      Line(through: outline[$0], outline[($0 + 1) % outline.count])
    }
    var one = self
    for row in 0..<Self.side {
      for column in 0..<Self.side {
        let place = Point(x: Double(column) + 0.5, y: Double(row) + 0.5)
        // Normals point inwards.
        if lines.allSatisfy({ $0.normal.dot(place) - $0.offset > -Self.border }) { continue }
        let index = row * Self.side + column
        one.page[index] = 0
        one.sides[index] = 0
        one.corners[index] = 0
      }
    }
    return one
  }
}
