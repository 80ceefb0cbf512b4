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
    /// Mean length of the colour difference across: greater than the length of the mean where the sign changes.
    var roughness = 0.0
    var plusL = 0.0
    var plusA = 0.0
    var plusB = 0.0
    var minusL = 0.0
    var minusA = 0.0
    var minusB = 0.0
    var plusSquare = 0.0
    var minusSquare = 0.0

    /// Mean difference of colour, plus side less minus side.
    var stepL: Double { plusL - minusL }
    var stepA: Double { plusA - minusA }
    var stepB: Double { plusB - minusB }
    /// Length of the mean colour difference in levels.
    var step: Double { (stepL * stepL + stepA * stepA + stepB * stepB).squareRoot() }
    var plusDeviation: Double { max(0, plusSquare - plusL * plusL).squareRoot() }
    var minusDeviation: Double { max(0, minusSquare - minusL * minusL).squareRoot() }
  }

  let line: Line
  /// Positions along the line that are inside of the frame.
  let range: ClosedRange<Double>
  private let count: Int
  /// Sums over all steps before one, in three parts: edge strength, clear edges, and length of the colour difference; lightness, two
  /// colours, and the lightness's square on the plus side; the same on the minus side.
  private let sums: [SIMD4<Float>]
  private static let parts = 3

  /// The part of a line that lies inside of a frame of this size, unless that is too short for a reading.
  static func visibleRange(of line: Line, width: Double, height: Double) -> ClosedRange<Double>? {
    guard let range = line.visibleRange(width: width, height: height),
      range.upperBound - range.lowerBound >= 2
    else { return nil }
    return range
  }

  /// - Returns: `nil` when the line misses the frame.
  init?(line: Line, edges: EdgeMap, colours: ColourMap) {
    guard
      let range = Self.visibleRange(of: line, width: Double(edges.width), height: Double(edges.height))
    else { return nil }
    self.line = line
    self.range = range
    let count = Int(range.upperBound - range.lowerBound)
    self.count = count
    let (away, near) = (line.normal * Self.reach, line.normal * (Self.reach * 0.6))
    let half: Float = 0.5
    var (edge, plusSum, minusSum) = (SIMD4<Float>(), SIMD4<Float>(), SIMD4<Float>())
    sums = unsafe [SIMD4<Float>](unsafeUninitializedCapacity: (count + 1) * Self.parts) { sums, filled in
      for step in 0...count {
        let to = step &* Self.parts
        unsafe sums[to] = edge
        unsafe sums[to &+ 1] = plusSum
        unsafe sums[to &+ 2] = minusSum
        if step == count { break }
        let place = line.point(at: range.lowerBound + Double(step) + 0.5)
        let strength = line.isFrame ? 0 : edges.strength(at: place, across: line.normal)
        var plus = (colours.pixel(at: place + away) + colours.pixel(at: place + near)) * half
        var minus = (colours.pixel(at: place - away) + colours.pixel(at: place - near)) * half
        let change = plus - minus
        let size = (change.x * change.x + change.y * change.y + change.z * change.z).squareRoot()
        plus.w = plus.x * plus.x
        minus.w = minus.x * minus.x
        edge += SIMD4(strength, strength > 0.3 ? 1 : 0, size, 0)
        plusSum += plus
        minusSum += minus
      }
      filled = (count + 1) * Self.parts
    }
  }

  /// The part between two positions, as far as it is inside of the frame; `nil` when less than a pixel is.
  func part(from start: Double, to end: Double) -> Part? {
    let low = max(0, Int((min(start, end) - range.lowerBound).rounded()))
    let high = min(count, Int((max(start, end) - range.lowerBound).rounded()))
    guard high > low else { return nil }
    let scale = 1 / Float(high - low)
    func mean(_ part: Int) -> SIMD4<Double> {
      let mean = (sums[high * Self.parts + part] - sums[low * Self.parts + part]) * scale
      return SIMD4(Double(mean.x), Double(mean.y), Double(mean.z), Double(mean.w))
    }
    let (edge, plus, minus) = (mean(0), mean(1), mean(2))
    return Part(
      length: Double(high - low), support: edge.x, coverage: edge.y, roughness: edge.z, plusL: plus.x,
      plusA: plus.y, plusB: plus.z, minusL: minus.x, minusA: minus.y, minusB: minus.z, plusSquare: plus.w,
      minusSquare: minus.w)
  }

  /// Share of pixels with a clear edge between two positions, 0 when less than a pixel of it is inside of the frame.
  func coverage(from start: Double, to end: Double) -> Double {
    let low = max(0, Int((min(start, end) - range.lowerBound).rounded()))
    let high = min(count, Int((max(start, end) - range.lowerBound).rounded()))
    guard high > low else { return 0 }
    return Double(sums[high * Self.parts].y - sums[low * Self.parts].y) / Double(high - low)
  }

  /// Mean edge strength between two positions, 0 outside of the frame.
  func support(from start: Double, to end: Double) -> (mean: Double, length: Double) {
    let low = max(0, Int((min(start, end) - range.lowerBound).rounded()))
    let high = min(count, Int((max(start, end) - range.lowerBound).rounded()))
    guard high > low else { return (0, 0) }
    let sum = sums[high * Self.parts].x - sums[low * Self.parts].x
    return (Double(sum) / Double(high - low), Double(high - low))
  }
}
