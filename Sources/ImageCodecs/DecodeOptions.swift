/// What to do with a picture that is truncated or damaged.
package enum DamageTolerance: String, Sendable, CaseIterable {
  /// Refuse it, and tell where it ends.
  case refuse
  /// Take what is there, with a warning; what is missing is white.
  case keep
}

/// By how much a picture may be reduced while it is decoded.
///
/// Only JPEG makes use of it; the other formats are decoded at full size.
package enum DecodeReduction: Int, Sendable, CaseIterable {
  case full = 1
  case half = 2
  case quarter = 4
  case eighth = 8
}

/// How to decode.
package struct DecodeOptions: Sendable, Hashable {
  /// The most pixels a picture may have; checked on its header before anything is allocated.
  package var maximumPixels: Int
  package var damage: DamageTolerance

  /// 256 megapixels hold an A2 sheet at 600 dpi, and take 768 MB as RGB.
  package static let defaultMaximumPixels = 256_000_000

  /// Whether no other picture is decoded at the same time, so that idle processors may help with this one.
  package var isAlone: Bool

  package init(
    maximumPixels: Int = DecodeOptions.defaultMaximumPixels, damage: DamageTolerance = .refuse,
    isAlone: Bool = false
  ) {
    self.maximumPixels = maximumPixels
    self.damage = damage
    self.isAlone = isAlone
  }
}
