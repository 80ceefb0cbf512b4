package import Raster

/// What to do with a picture that is truncated or damaged.
package enum DamageTolerance: String, Sendable, CaseIterable {
  /// Refuse it, and tell where it ends.
  case refuse
  /// Take what is there, with a warning; what is missing is white.
  case keep
}

/// By how much a picture may be reduced while it is decoded.
///
/// Only JPEG makes use of it.
package enum DecodeReduction: Int, Sendable, CaseIterable {
  case full = 1
  case half = 2
  case quarter = 4
  case eighth = 8
}

/// How to decode.
package struct DecodeOptions: Sendable {
  /// The most pixels a picture may have; checked on its header before anything is allocated.
  package var maximumPixels: Int
  package var damage: DamageTolerance
  package var reduction: DecodeReduction

  package init(
    maximumPixels: Int = 256_000_000, damage: DamageTolerance = .refuse,
    reduction: DecodeReduction = .full
  ) {
    self.maximumPixels = maximumPixels
    self.damage = damage
    self.reduction = reduction
  }
}

/// One picture: upright, in sRGB, with what its file tells of it.
package struct DecodedImage: Sendable {
  package var raster: Raster
  /// The size of the upright picture at full size; differs from the raster's when it was reduced.
  package var fullSize: PixelSize
  package var resolution: Resolution?
  /// EXIF's DateTimeOriginal, as `2026-11-30T09:32:53`, in the camera's own time.
  package var captureDate: String?
  /// EXIF's FocalLengthIn35mmFilm in millimetres.
  package var focalLength35mm: Double?
  package var warnings: [DecodeWarning]
}
