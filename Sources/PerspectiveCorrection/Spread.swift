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

  init(_ scale: Double) {
    guard scale > 1 else {
      (count, spacing) = (1, 0)
      return
    }
    let points = min(Self.mostPoints, max(2, Int(scale.rounded(.up))))
    count = points
    spacing = ((scale * scale - 1) / Double(points * points - 1)).squareRoot() / scale
  }

  /// Where the first point lies relative to the pixel's centre.
  var first: Double { -0.5 * spacing * Double(count - 1) }
}
