package import Raster

/// What EXIF tells about how a photo was taken.
///
/// Made from any bytes: what is missing, of the wrong type or out of range counts as not told.
package struct CaptureMetadata: Sendable, Hashable {
  /// Values outside of 1…8 count as upright.
  package var orientation = Orientation.upright
  /// DateTimeOriginal as `2026-11-30T09:32:53`.
  package var captureDate: String?
  /// FocalLengthIn35mmFilm, or what follows from FocalLength and the sensor's size.
  package var focalLength35mm: Double?
  /// XResolution and YResolution of the main picture in pixels per inch.
  package var resolution: Resolution?

  /// Nothing known.
  package init() {}
}
