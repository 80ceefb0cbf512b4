import Raster

/// Moves a side onto the edge that runs beside it in the small copy.
struct SideSnapper {
  /// Places along the side at which the edge is looked for.
  static let places = 48
  /// At least this share of them must agree on one line.
  static let leastAgreement = 0.3

  let edges: EdgeMap

  /// The line along the strongest edge within `reach` pixels of the side from `start` to `end`, or `nil` when no straight edge is there.
  func snap(from start: Point, to end: Point, reach: Double) -> Line? {
    guard let line = Line(through: start, end),
      let range = line.visibleRange(width: Double(edges.width), height: Double(edges.height))
    else { return nil }
    let way = line.direction
    let length = start.distance(to: end)
    let inset = min(6, 0.08 * length)
    let low = max(range.lowerBound, way.dot(start) + inset)
    let high = min(range.upperBound, way.dot(end) - inset)
    guard high - low > 8 else { return nil }
    let (normalX, normalY) = (Float(line.normal.x), Float(line.normal.y))
    let count = min(Self.places, Int(high - low))
    var samples: [(along: Double, offset: Double, weight: Double)] = []
    for index in 0..<count {
      let along = low + (Double(index) + 0.5) / Double(count) * (high - low)
      let place = line.point(at: along)
      var best: (offset: Double, weight: Float) = (0, 0)
      var offset = -reach
      while offset <= reach {
        let column = Int(place.x + line.normal.x * offset)
        let row = Int(place.y + line.normal.y * offset)
        if column >= 0 && column < edges.width && row >= 0 && row < edges.height {
          let pixel = row * edges.width + column
          let weight = edges.strength(of: pixel, normalX, normalY)
          if weight > best.weight {
            // The pixel's own centre, measured across the line.
            let centre = Point(x: Double(column) + 0.5, y: Double(row) + 0.5)
            best = (line.normal.dot(centre) - line.offset, weight)
          }
        }
        offset += 0.5
      }
      if best.weight > 0.15 { samples.append((along, best.offset, Double(best.weight))) }
    }
    guard samples.count >= 6 else { return nil }
    guard let fit = RobustLine.fit(samples, scales: [reach, 0.6 * reach, 2, 1.2, 1.0]) else { return nil }
    guard fit.agreement * Double(samples.count) >= Self.leastAgreement * Double(count) else { return nil }
    return Line(
      through: line.point(at: low) + line.normal * (fit.intercept + fit.slope * low),
      line.point(at: high) + line.normal * (fit.intercept + fit.slope * high), votes: 0)
  }
}

/// A straight line through measured offsets of which some are wrong.
enum RobustLine {
  struct Fit {
    var intercept: Double
    var slope: Double
    /// Weighted share of samples within the last scale.
    var agreement: Double
  }

  /// Weighted least squares, repeated with Tukey's weights at narrowing scales, from several starts.
  static func fit(
    _ samples: [(along: Double, offset: Double, weight: Double)], scales: [Double]
  ) -> Fit? {
    guard samples.count >= 3, let last = scales.last else { return nil }
    var best: Fit?
    // Starts: lines through pairs of samples spread over the side, and the line as it was.
    var starts: [(Double, Double)] = [(0, 0)]
    let count = samples.count
    for (first, second) in [
      (0.1, 0.9), (0.2, 0.7), (0.3, 0.8), (0.05, 0.5), (0.5, 0.95), (0.15, 0.85), (0.4, 0.6),
    ] {
      let one = samples[Int(first * Double(count - 1))]
      let two = samples[Int(second * Double(count - 1))]
      guard two.along - one.along > 1e-6 else { continue }
      let slope = (two.offset - one.offset) / (two.along - one.along)
      guard abs(slope) < 0.2 else { continue }
      starts.append((one.offset - slope * one.along, slope))
    }
    for (startIntercept, startSlope) in starts {
      var (intercept, slope) = (startIntercept, startSlope)
      var isGood = true
      for scale in scales {
        var (sum, sumT, sumO, sumTT, sumTO) = (0.0, 0.0, 0.0, 0.0, 0.0)
        for sample in samples {
          let residual = (sample.offset - intercept - slope * sample.along) / scale
          guard abs(residual) < 1 else { continue }
          let tukey = 1 - residual * residual
          let weight = sample.weight * tukey * tukey
          sum += weight
          sumT += weight * sample.along
          sumO += weight * sample.offset
          sumTT += weight * sample.along * sample.along
          sumTO += weight * sample.along * sample.offset
        }
        let determinant = sum * sumTT - sumT * sumT
        guard sum > 0, determinant > 1e-9 * sumTT * sum else {
          isGood = false
          break
        }
        slope = (sum * sumTO - sumT * sumO) / determinant
        intercept = (sumO - slope * sumT) / sum
      }
      guard isGood else { continue }
      var (inside, all) = (0.0, 0.0)
      for sample in samples {
        all += sample.weight
        if abs(sample.offset - intercept - slope * sample.along) < last { inside += sample.weight }
      }
      let agreement = all > 0 ? inside / all : 0
      if agreement > best?.agreement ?? 0 {
        best = Fit(intercept: intercept, slope: slope, agreement: agreement)
      }
    }
    return best
  }
}
