/// Weights of the four samples around a point for cubic interpolation, for 256 places between two samples.
///
/// The kernel is Keys' (1981) with a = −0.5, also known as Catmull–Rom: it goes through the samples and keeps straight ramps straight.
struct CubicWeights {
  /// Bits after the point of a place between two samples.
  static let placeBits = 8
  /// Bits after the point of a weight: two of them and a sample fit 32 bits: 255 · (1.25 · 2¹¹)² < 2³¹.
  static let bits = 11

  /// Four weights for each place, which sum up to one exactly.
  let table: [Int16]

  init() {
    let places = 1 << Self.placeBits
    let one = Double(1 << Self.bits)
    var table: [Int16] = []
    table.reserveCapacity(4 * places)
    for place in 0..<places {
      let t = Double(place) / Double(places)
      let exact = [
        ((-0.5 * t + 1) * t - 0.5) * t,
        (1.5 * t - 2.5) * t * t + 1,
        ((-1.5 * t + 2) * t + 0.5) * t,
        (0.5 * t - 0.5) * t * t,
      ]
      var rounded = exact.map { Int16(($0 * one).rounded()) }
      // What rounding left over goes to the nearer of the two middle samples.
      rounded[t < 0.5 ? 1 : 2] += Int16(one) - rounded.reduce(0, +)
      table += rounded
    }
    self.table = table
  }
}
