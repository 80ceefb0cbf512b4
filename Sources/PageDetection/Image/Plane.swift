/// One channel of a picture as floats, rows from top to bottom without padding.
package struct Plane: Sendable {
  package let width: Int
  package let height: Int
  package var values: [Float]

  package init(width: Int, height: Int, values: [Float]) {
    self.width = width
    self.height = height
    self.values = values
  }

  init(width: Int, height: Int) {
    self.init(width: width, height: height, values: Array(repeating: 0, count: width * height))
  }

  /// Where the value of the pixel that holds a point is; points outside take the nearest pixel's.
  @inline(__always)
  func index(_ x: Double, _ y: Double) -> Int {
    let column = Swift.max(0, Swift.min(width &- 1, Int(x)))
    let row = Swift.max(0, Swift.min(height &- 1, Int(y)))
    return row &* width &+ column
  }

  /// Smoothed with the binomial kernel 1 4 6 4 1 along both axes (a Gaussian of σ = 1); borders repeat.
  func smoothed() -> Plane {
    var rows = [Float](repeating: 0, count: width * height)
    let (w, h) = (width, height)
    unsafe values.withUnsafeBufferPointer { input in
      unsafe rows.withUnsafeMutableBufferPointer { output in
        for y in 0..<h {
          let row = y &* w
          for x in 0..<w {
            let a = unsafe input[row &+ Swift.max(0, x &- 2)]
            let b = unsafe input[row &+ Swift.max(0, x &- 1)]
            let c = unsafe input[row &+ x]
            let d = unsafe input[row &+ Swift.min(w &- 1, x &+ 1)]
            let e = unsafe input[row &+ Swift.min(w &- 1, x &+ 2)]
            unsafe output[row &+ x] = (a + e + 4 * (b + d) + 6 * c) * (1 / 16)
          }
        }
      }
    }
    var result = [Float](repeating: 0, count: width * height)
    unsafe rows.withUnsafeBufferPointer { input in
      unsafe result.withUnsafeMutableBufferPointer { output in
        for y in 0..<h {
          let a = Swift.max(0, y &- 2) &* w
          let b = Swift.max(0, y &- 1) &* w
          let c = y &* w
          let d = Swift.min(h &- 1, y &+ 1) &* w
          let e = Swift.min(h &- 1, y &+ 2) &* w
          for x in 0..<w {
            let outer = unsafe input[a &+ x] + input[e &+ x]
            let inner = unsafe input[b &+ x] + input[d &+ x]
            unsafe output[c &+ x] = (outer + 4 * inner + 6 * input[c &+ x]) * (1 / 16)
          }
        }
      }
    }
    return Plane(width: w, height: h, values: result)
  }

  /// The mean over a square of `2 · radius + 1` pixels, cut at the borders.
  func boxMean(radius: Int) -> Plane {
    let (w, h) = (width, height)
    // What each column's share of a row is divided by, and each row's of a column.
    func shares(_ length: Int) -> [Float] {
      (0..<length).map { 1 / Float(Swift.min(length, $0 + radius + 1) - Swift.max(0, $0 - radius)) }
    }
    let (shareX, shareY) = (shares(w), shares(h))
    // Down the columns first, whose sums run on for a whole row at once; then along that row.
    var result = [Float](repeating: 0, count: w * h)
    var sums = [Float](repeating: 0, count: w)
    unsafe values.withUnsafeBufferPointer { values in
      unsafe sums.withUnsafeMutableBufferPointer { sums in
        unsafe result.withUnsafeMutableBufferPointer { result in
          for y in 0..<Swift.min(radius, h) {
            for x in 0..<w { unsafe sums[x] += values[y &* w &+ x] }
          }
          for y in 0..<h {
            if y + radius < h {
              for x in 0..<w { unsafe sums[x] += values[(y &+ radius) &* w &+ x] }
            }
            if y - radius - 1 >= 0 {
              for x in 0..<w { unsafe sums[x] -= values[(y &- radius &- 1) &* w &+ x] }
            }
            var sum: Float = 0
            for x in 0..<Swift.min(radius, w) { unsafe sum += sums[x] }
            let share = shareY[y]
            for x in 0..<w {
              if x &+ radius < w { unsafe sum += sums[x &+ radius] }
              if x &- radius &- 1 >= 0 { unsafe sum -= sums[x &- radius &- 1] }
              unsafe result[y &* w &+ x] = sum * share * shareX[x]
            }
          }
        }
      }
    }
    return Plane(width: w, height: h, values: result)
  }

  /// Half as wide and high: means of 2 × 2 pixels; an odd last row or column is dropped.
  func halved() -> Plane {
    let (w, h) = (Swift.max(1, width / 2), Swift.max(1, height / 2))
    var result = [Float](repeating: 0, count: w * h)
    for y in 0..<h {
      let upper = Swift.min(2 * y, height - 1) * width
      let lower = Swift.min(2 * y + 1, height - 1) * width
      for x in 0..<w {
        let left = Swift.min(2 * x, width - 1)
        let right = Swift.min(2 * x + 1, width - 1)
        result[y * w + x] =
          0.25
          * (values[upper + left] + values[upper + right] + values[lower + left] + values[lower + right])
      }
    }
    return Plane(width: w, height: h, values: result)
  }
}

/// How many of a plane's values lie in each of 1024 equal steps from the least to the greatest.
package struct Histogram {
  private static let bins = 1024

  private let counts: [Int]
  private let least: Float
  private let step: Float
  private let total: Int

  package init(of plane: Plane) {
    var (least, greatest) = (Float.greatestFiniteMagnitude, -Float.greatestFiniteMagnitude)
    for value in plane.values {
      least = value < least ? value : least
      greatest = value > greatest ? value : greatest
    }
    self.least = least
    step = max(0, (greatest - least) / Float(Self.bins - 1))
    total = plane.values.count
    var counts = [Int](repeating: 0, count: Self.bins)
    if step > 0 {
      let scale = 1 / step
      unsafe counts.withUnsafeMutableBufferPointer { counts in
        for value in plane.values { unsafe counts[Int((value - least) * scale)] &+= 1 }
      }
    }
    self.counts = counts
  }

  /// The value below which a share of all pixels lies.
  package func percentile(_ share: Double) -> Float {
    let wanted = Int(share * Double(total))
    var seen = 0
    for bin in counts.indices {
      seen += counts[bin]
      if seen > wanted { return least + Float(bin) * step }
    }
    return least + Float(Self.bins - 1) * step
  }
}

extension Plane {
  /// Dark details narrower than `2 · radius + 1` pixels filled with what is around them: greatest, then least of a square.
  package func closed(radius: Int) -> Plane {
    extreme(radius: radius, isGreatest: true).extreme(radius: radius, isGreatest: false)
  }

  /// The greatest (or least) value within a square of `2 · radius + 1` pixels, cut at the borders.
  private func extreme(radius: Int, isGreatest: Bool) -> Plane {
    // The least of some values is the greatest of their opposites, turned round.
    let sign: Float = isGreatest ? 1 : -1
    let (w, h) = (width, height)
    var rows = [Float](repeating: 0, count: w * h)
    var padded = [Float](repeating: -.greatestFiniteMagnitude, count: w + 2 * radius)
    for y in 0..<h {
      for x in 0..<w { padded[radius + x] = sign * values[y * w + x] }
      unsafe rows.withUnsafeMutableBufferPointer { rows in
        unsafe padded.withUnsafeBufferPointer { padded in
          let row = y &* w
          for x in 0..<w { unsafe rows[row &+ x] = padded[x] }
          for shift in 1...(2 * radius) {
            for x in 0..<w {
              let (one, two) = unsafe (rows[row &+ x], padded[x &+ shift])
              unsafe rows[row &+ x] = one > two ? one : two
            }
          }
        }
      }
    }
    var result = rows
    for y in 0..<h {
      unsafe result.withUnsafeMutableBufferPointer { result in
        unsafe rows.withUnsafeBufferPointer { rows in
          for other in Swift.max(0, y - radius)...Swift.min(h - 1, y + radius) {
            for x in 0..<w {
              let (one, two) = unsafe (result[y &* w &+ x], rows[other &* w &+ x])
              unsafe result[y &* w &+ x] = one > two ? one : two
            }
          }
          for x in 0..<w { unsafe result[y &* w &+ x] *= sign }
        }
      }
    }
    return Plane(width: w, height: h, values: result)
  }
}
