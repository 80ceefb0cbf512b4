private import Glibc

/// What becomes of a sample once the light is divided out of it.
struct ToneCurve: Sendable {
  enum Kind { case enhanced, bw }

  /// Samples by reflectance in steps of paper / 255, beginning with black; beyond the end the paper is white.
  let table: [UInt8]

  /// Reflectance relative to the paper from which on a sample counts as paper.
  private static let whitePoint = 0.955

  init(_ kind: Kind, amount: Double) {
    let gain = max(1, amount)
    let exponent: Double =
      switch kind {
      case .enhanced: 1.5 * (1 + (gain - 1) / 6)
      case .bw: 2.8 * (1 + (gain - 1) / 6)
      }
    table = (0...511).map { step in
      let reflectance = min(1, Double(step) / 255 / Self.whitePoint)
      return UInt8((255 * pow(reflectance, exponent)).rounded())
    }
  }
}
