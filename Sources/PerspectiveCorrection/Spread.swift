/// Points along one axis of a pixel whose mean stands for it.
///
/// A pixel that covers `scale` samples of the photo has the variance of a box that wide, scale² / 12. One sample brings 1 / 12, the
/// spacing of the n points the rest: spacing² · (n² − 1) / 12.
struct Spread {
  /// The most points along one axis whose mean makes a pixel.
  private static let mostPoints = 64

  let count: Int
  /// Distance of two points, in pixels of the flat page.
  let spacing: Double

  /// The points along two axes, of which the squares of what a pixel covers are given.
  ///
  /// Both at once: roots and divisions of two numbers take no longer than of one, and for the few points that are usual it is they that take the time.
  @inline(__always)
  static func pair(_ squaredScales: SIMD2<Double>) -> (Spread, Spread) {
    let scales = squaredScales.squareRoot()
    let counts = (points(scales[0]), points(scales[1]))
    let numbers = SIMD2(Double(counts.0), Double(counts.1))
    let spacings = ((scales * scales - 1) / (numbers * numbers - 1)).squareRoot() / scales
    return (
      Spread(count: counts.0, spacing: counts.0 > 1 ? spacings[0] : 0),
      Spread(count: counts.1, spacing: counts.1 > 1 ? spacings[1] : 0)
    )
  }

  @inline(__always)
  private static func points(_ scale: Double) -> Int {
    if scale <= 1 { return 1 }
    return scale <= 2 ? 2 : min(mostPoints, Int(scale.rounded(.up)))
  }

  /// Where the first point lies relative to the pixel's centre.
  var first: Double { -0.5 * spacing * Double(count - 1) }
}
