import Raster

/// Four corners clockwise and the lines between them, before anything is measured along those.
struct Outline: Sendable {
  var corners: [Point]
  /// Side `k` runs from corner `k` to corner `k + 1`.
  var sides: [Line]

  /// Whether all four corners given are within `distance` of this one's, in any cyclic order.
  func isNear(_ others: [Point], distance: Double) -> Bool {
    areNear(corners, others, distance: distance)
  }
}

/// Four lines that enclose an area of the small copy.
struct Candidate: Sendable {
  /// Corners clockwise; side `k` runs from corner `k` to corner `k + 1`.
  var corners: [Point]
  /// What is seen along each side's line.
  var sides: [LineProfile]
  var method: DetectionMethod
  /// A rough score that decides which candidates are looked at closely.
  var promise = 0.0

  init(
    corners: [Point], sides: [LineProfile], method: DetectionMethod, promise: Double = 0
  ) {
    self.corners = corners
    self.sides = sides
    self.method = method
    self.promise = promise
  }

  /// What is seen along an outline's sides; `nil` when one of them misses the frame.
  init?(_ outline: Outline, method: DetectionMethod, edges: EdgeMap, colours: ColourMap) {
    let profiles = outline.sides.compactMap { LineProfile(line: $0, edges: edges, colours: colours) }
    guard profiles.count == 4 else { return nil }
    self.init(corners: outline.corners, sides: profiles, method: method)
  }

  /// Area in square pixels of the copy, positive.
  var area: Double {
    0.5 * (corners[2] - corners[0]).cross(corners[3] - corners[1])
  }

  var centre: Point { (corners[0] + corners[1] + corners[2] + corners[3]) * 0.25 }

  /// Whether all four corners given are within `distance` of this one's, in any cyclic order.
  func isNear(_ others: [Point], distance: Double) -> Bool {
    areNear(corners, others, distance: distance)
  }

  func contains(_ place: Point) -> Bool {
    for side in 0..<4 {
      let (start, end) = (corners[side], corners[(side + 1) & 3])
      if (end - start).cross(place - start) < 0 { return false }
    }
    return true
  }
}

private func areNear(_ one: [Point], _ other: [Point], distance: Double) -> Bool {
  (0..<4).contains { shift in
    (0..<4).allSatisfy {
      abs(one[$0].x - other[($0 + shift) % 4].x) < distance
        && abs(one[$0].y - other[($0 + shift) % 4].y) < distance
    }
  }
}
