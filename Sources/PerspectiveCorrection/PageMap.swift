internal import CCorrectionKernels
import Raster

/// The map from the flat page to the photo, in the units in which the photo is read: 1/256 pixels from the middle of its first pixel.
///
/// A point (x, y) of the page comes from (u/w, v/w), where u, v and w are linear in x and y.
struct PageMap {
  /// How u, v and w grow to the right and downward, and what they are at the page's origin.
  private let across: (u: Double, v: Double, w: Double)
  private let down: (u: Double, v: Double, w: Double)
  private let origin: (u: Double, v: Double, w: Double)

  init(_ map: Homography) {
    let m = map.elements
    func scaled(_ row: Int, _ column: Int) -> Double { m[3 * row + column] * 256 - m[6 + column] * 128 }
    across = (scaled(0, 0), scaled(1, 0), m[6])
    down = (scaled(0, 1), scaled(1, 1), m[7])
    origin = (scaled(0, 2), scaled(1, 2), m[8])
  }

  /// Points one pixel of the page apart, from one on to the right.
  @inline(__always)
  func row(x: Double, y: Double) -> flatbed_cubic_row {
    flatbed_cubic_row(
      u: across.u * x + down.u * y + origin.u, v: across.v * x + down.v * y + origin.v,
      w: across.w * x + down.w * y + origin.w, step_u: across.u, step_v: across.v, step_w: across.w)
  }

  /// How many of the photo's pixels one step right and one step down in the page cover at a point, each as a square.
  @inline(__always)
  func squaredScale(x: Double, y: Double) -> (across: Double, down: Double) {
    let inverse = 1 / (across.w * x + down.w * y + origin.w)
    let squared = inverse * inverse / 256
    let (right, below) = (stepAcross(y: y), stepDown(x: x))
    return (
      (right.u * right.u + right.v * right.v) * squared * squared,
      (below.u * below.u + below.v * below.v) * squared * squared
    )
  }

  /// The derivative of the map along x, times w².
  @inline(__always)
  private func stepAcross(y: Double) -> (u: Double, v: Double) {
    (
      (across.u * down.w - across.w * down.u) * y + across.u * origin.w - across.w * origin.u,
      (across.v * down.w - across.w * down.v) * y + across.v * origin.w - across.w * origin.v
    )
  }

  /// The derivative of the map along y, times w².
  @inline(__always)
  private func stepDown(x: Double) -> (u: Double, v: Double) {
    (
      (down.u * across.w - down.w * across.u) * x + down.u * origin.w - down.w * origin.u,
      (down.v * across.w - down.w * across.v) * x + down.v * origin.w - down.w * origin.v
    )
  }

  /// What one step in a part of the page covers of the photo at most, in pixels, as a square; infinite where w isn't positive.
  ///
  /// The derivatives times w² are linear, and 1/w is convex: each is largest at a corner. Their product is no larger than the largest of each together.
  func largestSquaredScale(columns: Range<Int>, rows: Range<Int>) -> Double {
    var (nearest, steepest) = (Double.infinity, 0.0)
    for y in [Double(rows.lowerBound), Double(rows.upperBound)] {
      for x in [Double(columns.lowerBound), Double(columns.upperBound)] {
        nearest = min(nearest, across.w * x + down.w * y + origin.w)
        let (right, below) = (stepAcross(y: y), stepDown(x: x))
        steepest = max(steepest, right.u * right.u + right.v * right.v, below.u * below.u + below.v * below.v)
      }
    }
    guard nearest > 0 else { return .infinity }
    let squared = nearest * nearest * 256
    return steepest / (squared * squared)
  }
}
