import Raster

/// Joins lines to quads: two pairs of roughly opposite lines that cross in four corners.
struct QuadAssembler {
  /// Opposite sides of a page in perspective differ in direction by no more than about 35°.
  static let oppositeCosine = 0.82
  /// Neighbouring sides cross at no less than about 45°.
  static let neighbourSine = 0.7
  /// Corners may lie this far outside of the frame, as a share of its sides.
  static let overhang = 0.5
  /// The least share of the frame's area worth a candidate; smaller outlines than asked for are kept so that the reason can be told.
  static let leastArea = 0.012
  /// A side needs a clear edge on at least this share of its visible part.
  static let leastCoverage = 0.3
  /// Candidates that are compared with the net's area, and how much that agreement weighs.
  static let compared = 400
  static let overlapWeight = 0.6
  /// Candidates that are looked at closely.
  static let kept = 40

  let profiles: [LineProfile]
  let width: Double
  let height: Double
  let support: NetSupport?

  /// The most promising quads, best first, near doubles left out.
  func candidates() -> [Candidate] {
    let count = profiles.count
    var crossings = [Point?](repeating: nil, count: count * count)
    let (lowX, highX) = (-Self.overhang * width, (1 + Self.overhang) * width)
    let (lowY, highY) = (-Self.overhang * height, (1 + Self.overhang) * height)
    for i in 0..<count {
      for j in 0..<count where i != j {
        guard abs(profiles[i].line.normal.cross(profiles[j].line.normal)) > Self.neighbourSine,
          let point = profiles[i].line.intersection(with: profiles[j].line),
          point.x > lowX, point.x < highX, point.y > lowY, point.y < highY
        else { continue }
        crossings[i * count + j] = point
      }
    }
    let reach = 0.04 * (width + height)
    var pairs: [(Int, Int)] = []
    for i in 0..<count {
      for j in (i + 1)..<max(i + 1, count) {
        let (one, two) = (profiles[i], profiles[j])
        guard abs(one.line.normal.dot(two.line.normal)) > Self.oppositeCosine else { continue }
        guard !(one.line.isFrame && two.line.isFrame) else { continue }
        // Apart in the middle of the shorter visible part.
        let middle = one.line.point(at: 0.5 * (one.range.lowerBound + one.range.upperBound))
        guard abs(two.line.normal.dot(middle) - two.line.offset) > reach else { continue }
        pairs.append((i, j))
      }
    }
    let (corners, couples) = (crossings, pairs)
    var found = mapInParallel(Array(pairs.indices)) { first in
      quads(of: couples, from: first, crossings: corners)
    }.flatMap(\.self)
    found.sort { $0.promise > $1.promise }
    if let support {
      found = found.prefix(Self.compared).map { entry in
        let (k, j, l, i) = entry.lines
        let corners = [(i, k), (k, j), (j, l), (l, i)].compactMap { crossings[$0 * count + $1] }
        var compared = entry
        compared.promise += Self.overlapWeight * support.overlap(corners)
        return compared
      }
      found.sort { $0.promise > $1.promise }
    }
    var result: [Candidate] = []
    for entry in found where result.count < Self.kept {
      let (k, j, l, i) = entry.lines
      guard let a = crossings[i * count + k], let b = crossings[k * count + j],
        let c = crossings[j * count + l], let d = crossings[l * count + i]
      else { continue }
      let candidate =
        entry.flipped
        ? Candidate(
          corners: [a, d, c, b], sides: [profiles[i], profiles[l], profiles[j], profiles[k]],
          method: .lines, promise: entry.promise)
        : Candidate(
          corners: [a, b, c, d], sides: [profiles[k], profiles[j], profiles[l], profiles[i]],
          method: .lines, promise: entry.promise)
      if result.contains(where: { $0.isNear(candidate.corners, distance: 5) }) { continue }
      result.append(candidate)
    }
    return result
  }

  /// A quad of four lines, in their order around it; `flipped` when that order is counterclockwise.
  private struct Quartet: Sendable {
    var promise: Double
    let lines: (Int, Int, Int, Int)
    let flipped: Bool
  }

  /// The quads between a pair of lines and the pairs that follow it.
  ///
  /// - Parameter crossings: where line `k` meets line `l`, at `k · count + l`.
  private func quads(of pairs: [(Int, Int)], from first: Int, crossings: [Point?]) -> [Quartet] {
    let count = profiles.count
    let frameArea = width * height
    var found: [Quartet] = []
    let (i, j) = pairs[first]
    // Most quads fail on one side, so the sides between these two are looked at once and before all else.
    let isSide = (0..<count).map { k in
      guard let one = crossings[k * count + i], let two = crossings[k * count + j] else { return false }
      return isCovered(k, from: one, to: two)
    }
    for second in (first + 1)..<max(first + 1, pairs.count) {
      let (k, l) = pairs[second]
      guard isSide[k], isSide[l], let a = crossings[i * count + k], let b = crossings[k * count + j],
        let c = crossings[j * count + l], let d = crossings[l * count + i]
      else { continue }
      let doubleArea = (c - a).cross(d - b)
      let flipped = doubleArea < 0
      guard abs(doubleArea) > 2 * Self.leastArea * frameArea else { continue }
      let sign = flipped ? -1.0 : 1.0
      guard sign * (b - a).cross(c - b) > 0, sign * (c - b).cross(d - c) > 0,
        sign * (d - c).cross(a - d) > 0, sign * (a - d).cross(b - a) > 0
      else { continue }
      let centre = (a + b + c + d) * 0.25
      guard centre.x > 0, centre.x < width, centre.y > 0, centre.y < height else { continue }
      guard
        let promise = promise(
          corners: (a, b, c, d), lines: (k, j, l, i), centre: centre, area: abs(doubleArea) / 2)
      else { continue }
      found.append(Quartet(promise: promise, lines: (k, j, l, i), flipped: flipped))
    }
    return found
  }

  /// Whether there is a clear edge on enough of a line between two of its points; always of a side of the frame.
  private func isCovered(_ index: Int, from start: Point, to end: Point) -> Bool {
    let line = profiles[index].line
    if line.isFrame { return true }
    let way = line.direction
    return profiles[index].coverage(from: way.dot(start), to: way.dot(end)) > Self.leastCoverage
  }

  /// A rough score from the sides alone, or `nil` when one of them has too little to show.
  private func promise(
    corners: (Point, Point, Point, Point), lines: (Int, Int, Int, Int), centre: Point, area: Double
  ) -> Double? {
    let ends = [corners.0, corners.1, corners.2, corners.3, corners.0]
    let indices = [lines.0, lines.1, lines.2, lines.3]
    for side in [1, 3] where !isCovered(indices[side], from: ends[side], to: ends[side + 1]) { return nil }
    var total = 0.0
    var least = 1.0
    var frameSides = 0
    for side in 0..<4 {
      let line = profiles[indices[side]].line
      if line.isFrame {
        frameSides += 1
        total += 0.3
        least = min(least, 0.3)
        continue
      }
      let way = line.direction
      let (start, end) = (way.dot(ends[side]), way.dot(ends[side + 1]))
      guard let part = profiles[indices[side]].part(from: start, to: end), part.length >= 12 else {
        return nil
      }
      let step = part.step / (part.step + 10)
      let score = 0.6 * part.support + 0.4 * step * (part.step / max(part.roughness, 1e-6))
      total += score
      least = min(least, score)
    }
    guard frameSides <= 2 else { return nil }
    return 0.125 * total + 0.5 * least + 0.25 * (area / (width * height)).squareRoot()
  }
}
