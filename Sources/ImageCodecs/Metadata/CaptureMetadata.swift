import Raster

/// What EXIF tells about how a photo was taken.
///
/// Made from any bytes: what is missing, of the wrong type or out of range counts as not told.
struct CaptureMetadata: Sendable, Hashable {
  /// Values outside of 1…8 count as upright.
  var orientation = Orientation.upright
  /// DateTimeOriginal as `2026-11-30T09:32:53`.
  var captureDate: String?
  /// FocalLengthIn35mmFilm, or what follows from FocalLength and the sensor's size.
  var focalLength35mm: Double?
  /// XResolution and YResolution of the main picture in pixels per inch.
  var resolution: Resolution?

  /// Nothing known.
  init() {}
}
