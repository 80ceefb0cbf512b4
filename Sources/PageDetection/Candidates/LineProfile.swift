import Raster

/// What is seen along a line inside of the frame, summed up so that any part of it can be asked at once.
struct LineProfile: Sendable {
  /// How far to both sides colour is read, in pixels of the small copy: beyond the blur of an edge, within a page's margin.
  static let reach = 4.0

  /// Means over a part of a line.
  ///
  /// "Plus" is the side the normal points to.
  struct Part {
    var length = 0.0
    /// Mean edge strength along the line, 0 to 1.
    var support = 0.0
    /// Share of pixels with a clear edge.
    var coverage = 0.0
    /// Mean difference of colour, plus side less minus side.
    var stepL = 0.0
    var stepA = 0.0
    var stepB = 0.0
    /// Mean length of that difference: greater than the length of the mean where the sign changes.
    var roughness = 0.0
    var plusL = 0.0
    var plusA = 0.0
    var plusB = 0.0
    var minusL = 0.0
    var minusA = 0.0
    var minusB = 0.0
    var plusSquare = 0.0
    var minusSquare = 0.0

    /// Length of the mean colour difference in levels.
    var step: Double { (stepL * stepL + stepA * stepA + stepB * stepB).squareRoot() }
    var plusDeviation: Double { max(0, plusSquare - plusL * plusL).squareRoot() }
    var minusDeviation: Double { max(0, minusSquare - minusL * minusL).squareRoot() }
  }

  let line: Line
  /// Positions along the line that are inside of the frame.
  let range: ClosedRange<Double>
  private static let stride = 14
  private let count: Int
  private let sums: [Double]

  /// - Returns: `nil` when the line misses the frame.
  init?(line: Line, edges: EdgeMap, copy: SmallCopy) {
    guard let range = line.visibleRange(width: Double(copy.width), height: Double(copy.height)),
      range.upperBound - range.lowerBound >= 2
    else { return nil }
    self.line = line
    self.range = range
    let count = Int(range.upperBound - range.lowerBound)
    self.count = count
    var sums = [Double](repeating: 0, count: (count + 1) * Self.stride)
    unsafe sums.withUnsafeMutableBufferPointer { sums in
      for step in 0..<count {
        let place = line.point(at: range.lowerBound + Double(step) + 0.5)
        let strength = line.isFrame ? 0 : Self.strength(at: place, across: line.normal, edges)
        let (away, near) = (line.normal * Self.reach, line.normal * (Self.reach * 0.6))
        let plus = copy.colour(at: place + away, place + near)
        let minus = copy.colour(at: place - away, place - near)
        let (stepL, stepA, stepB) = (plus.0 - minus.0, plus.1 - minus.1, plus.2 - minus.2)
        let from = step &* Self.stride
        let to = from &+ Self.stride
        unsafe sums[to] = sums[from] + Double(strength)
        unsafe sums[to &+ 1] = sums[from &+ 1] + (strength > 0.3 ? 1 : 0)
        unsafe sums[to &+ 2] = sums[from &+ 2] + stepL
        unsafe sums[to &+ 3] = sums[from &+ 3] + stepA
        unsafe sums[to &+ 4] = sums[from &+ 4] + stepB
        unsafe sums[to &+ 5] =
          sums[from &+ 5] + (stepL * stepL + stepA * stepA + stepB * stepB).squareRoot()
        unsafe sums[to &+ 6] = sums[from &+ 6] + plus.0
        unsafe sums[to &+ 7] = sums[from &+ 7] + plus.1
        unsafe sums[to &+ 8] = sums[from &+ 8] + plus.2
        unsafe sums[to &+ 9] = sums[from &+ 9] + minus.0
        unsafe sums[to &+ 10] = sums[from &+ 10] + minus.1
        unsafe sums[to &+ 11] = sums[from &+ 11] + minus.2
        unsafe sums[to &+ 12] = sums[from &+ 12] + plus.0 * plus.0
        unsafe sums[to &+ 13] = sums[from &+ 13] + minus.0 * minus.0
      }
    }
    self.sums = sums
  }

  /// The strongest edge of the line's direction at a place and at the pixels to both sides of it, 0 to 1.
  private static func strength(at place: Point, across normal: Point, _ edges: EdgeMap) -> Float {
    let (normalX, normalY) = (Float(normal.x), Float(normal.y))
    var strength: Float = 0
    for shift in -1...1 {
      let column = Int(place.x + normal.x * Double(shift))
      let row = Int(place.y + normal.y * Double(shift))
      guard column >= 0 && column < edges.width && row >= 0 && row < edges.height else { continue }
      let index = row &* edges.width &+ column
      let cosine = abs(edges.normalX[index] * normalX + edges.normalY[index] * normalY)
      // cos² 20° = 0.88: an edge that runs askew is another edge.
      let agreement = max(0, (cosine * cosine - 0.75) / 0.25)
      strength = max(strength, edges.strength[index] * agreement)
    }
    return strength
  }

  /// The part between two positions, as far as it is inside of the frame; `nil` when less than a pixel is.
  func part(from start: Double, to end: Double) -> Part? {
    let low = max(0, Int((min(start, end) - range.lowerBound).rounded()))
    let high = min(count, Int((max(start, end) - range.lowerBound).rounded()))
    guard high > low else { return nil }
    let (from, to) = (low * Self.stride, high * Self.stride)
    let scale = 1 / Double(high - low)
    func mean(_ field: Int) -> Double { (sums[to + field] - sums[from + field]) * scale }
    return Part(
      length: Double(high - low), support: mean(0), coverage: mean(1), stepL: mean(2), stepA: mean(3),
      stepB: mean(4), roughness: mean(5), plusL: mean(6), plusA: mean(7), plusB: mean(8), minusL: mean(9),
      minusA: mean(10), minusB: mean(11), plusSquare: mean(12), minusSquare: mean(13))
  }

  /// Share of pixels with a clear edge between two positions, 0 when less than a pixel of it is inside of the frame.
  func coverage(from start: Double, to end: Double) -> Double {
    let low = max(0, Int((min(start, end) - range.lowerBound).rounded()))
    let high = min(count, Int((max(start, end) - range.lowerBound).rounded()))
    guard high > low else { return 0 }
    return (sums[high * Self.stride + 1] - sums[low * Self.stride + 1]) / Double(high - low)
  }

  /// Mean edge strength between two positions, 0 outside of the frame.
  func support(from start: Double, to end: Double) -> (mean: Double, length: Double) {
    let low = max(0, Int((min(start, end) - range.lowerBound).rounded()))
    let high = min(count, Int((max(start, end) - range.lowerBound).rounded()))
    guard high > low else { return (0, 0) }
    let sum = sums[high * Self.stride] - sums[low * Self.stride]
    return (sum / Double(high - low), Double(high - low))
  }
}

extension SmallCopy {
  /// Mean colour of two places, lightness and the two opponent colours.
  func colour(at one: Point, _ two: Point) -> (Double, Double, Double) {
    let (first, second) = (lightness.index(one.x, one.y), lightness.index(two.x, two.y))
    return (
      0.5 * Double(lightness.values[first] + lightness.values[second]),
      0.5 * Double(redGreen.values[first] + redGreen.values[second]),
      0.5 * Double(yellowBlue.values[first] + yellowBlue.values[second])
    )
  }

  /// The colour of the pixel that holds a point.
  func colour(at point: Point) -> (Double, Double, Double) {
    let index = lightness.index(point.x, point.y)
    return (
      Double(lightness.values[index]), Double(redGreen.values[index]), Double(yellowBlue.values[index])
    )
  }
}
