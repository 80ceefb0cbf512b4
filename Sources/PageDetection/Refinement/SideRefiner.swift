import Glibc
import Raster

/// Finds each side of an outline anew in the full-size photo, to a fraction of a pixel.
///
/// In a narrow band around the side, colour is read across it at many places, projected on the direction in which it changes most, and the steepest
/// step located; a line is fitted through those steps so that wrong ones don't count. Where a side bulges, a parabola is fitted, and each
/// corner is cut with its tangents.
struct SideRefiner {
  /// Places along a side.
  static let places = 96
  /// Half the width of the band in pixels of the small copy: what the search may be off.
  static let band = 2.0
  /// The same where nothing is found in it: what the net's outline may be off that found no edge beside it.
  static let wideBand = 6.0
  /// Steps in the band to either side of the middle.
  static let steps = 20
  /// A side is moved only if at least this share of its visible places agrees on one curve.
  static let leastAgreement = 0.35
  /// A sagitta of less than this share of the side is not told from a straight one.
  static let leastBulge = 0.0015

  /// Where along a side each reading is taken, in shares of what it is averaged over.
  private static let shifts = [-0.8, -0.3, 0.3, 0.8]

  let photo: Raster
  /// Photo pixels per pixel of the small copy.
  let scale: Double

  /// A side as a slightly bent curve: `offset + slope · t + bend · t²` across the line, `t` from the line's point `origin`.
  struct Curve {
    var origin: Point
    var direction: Point
    var offset = 0.0
    var slope = 0.0
    var bend = 0.0

    /// The tangent at the place nearest to a point.
    func tangent(at point: Point) -> Line? {
      let along = direction.dot(point - origin)
      let normal = Point(x: -direction.y, y: direction.x)
      let height = offset + slope * along + bend * along * along
      let base = origin + direction * along + normal * height
      return Line(through: base, base + direction + normal * (slope + 2 * bend * along))
    }
  }

  /// The outline with every side moved onto its edge, as far as there is a clear one.
  func refined(_ quad: Quad, fixed: [Bool]) -> Quad {
    let corners = quad.corners
    let curves = mapInParallel(pieces: 4) { side in
      fixed[side]
        ? straight(corners[side], corners[(side + 1) % 4])
        : curve(from: corners[side], to: corners[(side + 1) % 4], band: Self.band)
          ?? curve(from: corners[side], to: corners[(side + 1) % 4], band: Self.wideBand)
          ?? straight(corners[side], corners[(side + 1) % 4])
    }
    var moved = corners
    // The tangents depend on where the corner is; two rounds settle it.
    for _ in 0..<2 {
      for corner in 0..<4 {
        guard let before = curves[(corner + 3) % 4].tangent(at: moved[corner]),
          let after = curves[corner].tangent(at: moved[corner]),
          let point = before.intersection(with: after)
        else { return quad }
        moved[corner] = point
      }
    }
    let limit = 4 * Self.band * scale
    for corner in 0..<4 where moved[corner].distance(to: corners[corner]) > limit {
      // Sides that meet at a slant may move a corner far, but not this far.
      return quad
    }
    let result = Quad(
      topLeft: moved[0], topRight: moved[1], bottomRight: moved[2], bottomLeft: moved[3])
    return result.isConvex ? result : quad
  }

  private func straight(_ start: Point, _ end: Point) -> Curve {
    let way = end - start
    return Curve(origin: (start + end) * 0.5, direction: way * (1 / max(1e-9, way.length)))
  }

  private func curve(from start: Point, to end: Point, band: Double) -> Curve? {
    var curve = straight(start, end)
    let length = start.distance(to: end)
    let (width, height) = (Double(photo.width), Double(photo.height))
    guard let line = Line(through: start, end),
      let range = line.visibleRange(width: width, height: height)
    else { return nil }
    let middle = curve.direction.dot(curve.origin)
    let inset = min(0.06 * length, 6 * scale)
    let low = max(range.lowerBound - middle, -length / 2 + inset)
    let high = min(range.upperBound - middle, length / 2 - inset)
    guard high - low > 12 else { return nil }
    let normal = Point(x: -curve.direction.y, y: curve.direction.x)
    let half = band * scale
    let spacing = half / Double(Self.steps)
    let count = min(Self.places, Int((high - low) / 2))
    guard count >= 8 else { return nil }
    let profileLength = 2 * Self.steps + 1
    let channels = photo.format.channels
    // How far along the side each reading is averaged: half the distance between places, at least a pixel.
    let smear = max(0.5, 0.3 * (high - low) / Double(count))
    var profiles = [Double](repeating: 0, count: count * profileLength * channels)
    var total = [Double](repeating: 0, count: profileLength * channels)
    for place in 0..<count {
      let along = low + (Double(place) + 0.5) / Double(count) * (high - low)
      let base = curve.origin + curve.direction * along
      for step in 0..<profileLength {
        let point = base + normal * (Double(step - Self.steps) * spacing)
        let start = (place * profileLength + step) * channels
        unsafe photo.samples.withUnsafeBufferPointer { samples in
          unsafe profiles.withUnsafeMutableBufferPointer { profiles in
            for shift in Self.shifts {
              let at = point + curve.direction * (shift * smear)
              unsafe add(at, of: samples, channels: channels, to: profiles, from: start)
            }
          }
        }
      }
      for index in total.indices { total[index] += profiles[place * profileLength * channels + index] }
    }
    // The direction of colour in which the two borders of the band differ on the whole; lightness when they don't.
    var axis = [Double](repeating: 0, count: channels)
    for channel in 0..<channels {
      for step in 0..<(Self.steps / 2) {
        axis[channel] +=
          total[(profileLength - 1 - step) * channels + channel] - total[step * channels + channel]
      }
    }
    let size = axis.map { $0 * $0 }.reduce(0, +).squareRoot()
    let isStep = size > 4 * Double(count) * Double(Self.steps / 2) * 2.5
    if isStep {
      axis = axis.map { $0 / size }
    } else {
      axis = Array(repeating: 1 / Double(channels).squareRoot(), count: channels)
    }
    var samples: [(along: Double, offset: Double, weight: Double)] = []
    var values = [Double](repeating: 0, count: profileLength)
    // The step is measured over this many readings, about a pixel or a blurred edge's width.
    let reach = max(2, min(5, Int((1.5 / spacing).rounded())))
    for place in 0..<count {
      for step in 0..<profileLength {
        var value = 0.0
        for channel in 0..<channels {
          value += axis[channel] * profiles[(place * profileLength + step) * channels + channel]
        }
        values[step] = value / 4
      }
      var best = (index: -1, rise: 0.0)
      func rise(_ step: Int) -> Double {
        var sum = 0.0
        for distance in 1...reach { sum += values[step + distance] - values[step - distance] }
        let mean = sum / Double(reach)
        return isStep ? mean : abs(mean)
      }
      for step in reach..<(profileLength - reach) {
        let value = rise(step)
        if value > best.rise { best = (step, value) }
      }
      guard best.index > reach, best.index < profileLength - reach - 1, best.rise > 1.5 else { continue }
      let (before, after) = (rise(best.index - 1), rise(best.index + 1))
      let bow = before - 2 * best.rise + after
      let fraction = bow < -1e-9 ? max(-0.5, min(0.5, 0.5 * (before - after) / bow)) : 0
      let along = low + (Double(place) + 0.5) / Double(count) * (high - low)
      samples.append(
        (along, (Double(best.index - Self.steps) + fraction) * spacing, min(best.rise, 40)))
    }
    guard samples.count >= 8 else { return nil }
    let tight = max(0.8, 0.15 * scale)
    guard let fit = RobustLine.fit(samples, scales: [half, 0.5 * half, 4 * tight, 3 * tight, 3 * tight]),
      fit.agreement * Double(samples.count) >= Self.leastAgreement * Double(count)
    else { return nil }
    curve.offset = fit.intercept
    curve.slope = fit.slope
    if let bent = RobustLine.parabola(samples, from: fit, scales: [half, 0.6 * half, 4 * tight, 3 * tight]) {
      let sagitta = abs(bent.bend) * (high - low) * (high - low) / 4
      if sagitta > max(Self.leastBulge * length, 1) && bent.agreement > fit.agreement + 0.05 {
        curve.offset = bent.intercept
        curve.slope = bent.slope
        curve.bend = bent.bend
      }
    }
    return curve
  }

  /// Adds each channel's bilinear reading to the numbers from `start` on; points outside take the nearest pixel.
  @inline(__always)
  private func add(
    _ point: Point, of samples: UnsafeBufferPointer<UInt8>, channels: Int,
    to sums: UnsafeMutableBufferPointer<Double>, from start: Int
  ) {
    let x = min(max(point.x - 0.5, 0), Double(photo.width &- 1))
    let y = min(max(point.y - 0.5, 0), Double(photo.height &- 1))
    let (column, row) = (Int(x), Int(y))
    let (fractionX, fractionY) = (x - Double(column), y - Double(row))
    let first = row &* photo.rowStride &+ column &* channels
    let right = column &+ 1 < photo.width ? channels : 0
    let below = row &+ 1 < photo.height ? photo.rowStride : 0
    for channel in 0..<channels {
      let index = first &+ channel
      let (one, two) = unsafe (Double(samples[index]), Double(samples[index &+ right]))
      let (three, four) = unsafe (
        Double(samples[index &+ below]), Double(samples[index &+ below &+ right])
      )
      let upper = one * (1 - fractionX) + two * fractionX
      let lower = three * (1 - fractionX) + four * fractionX
      unsafe sums[start &+ channel] += upper * (1 - fractionY) + lower * fractionY
    }
  }
}

extension RobustLine {
  struct Parabola {
    var intercept: Double
    var slope: Double
    var bend: Double
    var agreement: Double
  }

  /// Weighted least squares of a parabola, begun at a line, with Tukey's weights at narrowing scales.
  static func parabola(
    _ samples: [(along: Double, offset: Double, weight: Double)], from line: Fit, scales: [Double]
  ) -> Parabola? {
    guard let last = scales.last, let reach = samples.map({ abs($0.along) }).max(), reach > 0 else {
      return nil
    }
    // Positions are scaled to −1…1, which keeps the normal equations well-conditioned.
    var (p, q, r) = (line.intercept, line.slope * reach, 0.0)
    for scale in scales {
      var moments = [Double](repeating: 0, count: 5)
      var right = [Double](repeating: 0, count: 3)
      for sample in samples {
        let t = sample.along / reach
        let residual = (sample.offset - p - q * t - r * t * t) / scale
        guard abs(residual) < 1 else { continue }
        let tukey = 1 - residual * residual
        var weight = sample.weight * tukey * tukey
        for power in 0..<5 {
          moments[power] += weight
          if power < 3 { right[power] += weight * sample.offset }
          weight *= t
        }
      }
      guard let solved = solve(moments, right) else { return nil }
      (p, q, r) = solved
    }
    var (inside, all) = (0.0, 0.0)
    for sample in samples {
      all += sample.weight
      let t = sample.along / reach
      if abs(sample.offset - p - q * t - r * t * t) < last { inside += sample.weight }
    }
    guard all > 0 else { return nil }
    return Parabola(
      intercept: p, slope: q / reach, bend: r / (reach * reach), agreement: inside / all)
  }

  /// Cramer's rule for the 3 × 3 normal equations with moments 0 to 4.
  private static func solve(_ m: [Double], _ b: [Double]) -> (Double, Double, Double)? {
    func determinant(_ a: [Double]) -> Double {
      a[0] * (a[4] * a[8] - a[5] * a[7]) - a[1] * (a[3] * a[8] - a[5] * a[6])
        + a[2] * (a[3] * a[7] - a[4] * a[6])
    }
    let all = determinant([m[0], m[1], m[2], m[1], m[2], m[3], m[2], m[3], m[4]])
    guard abs(all) > 1e-9 * m[0] * m[0] * m[0] else { return nil }
    let p = determinant([b[0], m[1], m[2], b[1], m[2], m[3], b[2], m[3], m[4]])
    let q = determinant([m[0], b[0], m[2], m[1], b[1], m[3], m[2], b[2], m[4]])
    let r = determinant([m[0], m[1], b[0], m[1], m[2], b[1], m[2], m[3], b[2]])
    return (p / all, q / all, r / all)
  }
}
