import Raster

/// Four lines that enclose an area of the small copy.
struct Candidate: Sendable {
  /// Corners clockwise; side `k` runs from corner `k` to corner `k + 1`.
  var corners: [Point]
  /// What is seen along each side's line.
  var sides: [LineProfile]
  var method: DetectionMethod
  /// A rough score that decides which candidates are looked at closely.
  var promise = 0.0

  /// Area in square pixels of the copy, positive.
  var area: Double {
    0.5 * (corners[2] - corners[0]).cross(corners[3] - corners[1])
  }

  var centre: Point { (corners[0] + corners[1] + corners[2] + corners[3]) * 0.25 }

  func contains(_ place: Point) -> Bool {
    (0..<4).allSatisfy { (corners[($0 + 1) % 4] - corners[$0]).cross(place - corners[$0]) >= 0 }
  }

  /// Whether the other one's corners are all within `distance` of this one's, in any cyclic order.
  func isNear(_ other: Candidate, distance: Double) -> Bool {
    (0..<4).contains { shift in
      (0..<4).allSatisfy {
        abs(corners[$0].x - other.corners[($0 + shift) % 4].x) < distance
          && abs(corners[$0].y - other.corners[($0 + shift) % 4].y) < distance
      }
    }
  }
}
