package import Raster

/// Something odd about a picture that was decoded all the same.
package struct DecodeWarning: Sendable, Hashable, CustomStringConvertible {
  /// A lower-case sentence without the file's name and without a full stop.
  package var text: String

  package init(_ text: String) { self.text = text }

  package var description: String { text }
}

/// One picture: upright, in sRGB, with what its file tells of it.
package struct DecodedImage: Sendable {
  /// Grey when the file's picture is grey, else RGB.
  package var raster: Raster
  /// The size of the upright picture at full size; differs from the raster's when it was reduced.
  package var fullSize: PixelSize
  /// Pixels per inch of the upright picture at full size, when the file tells and it makes sense.
  package var resolution: Resolution?
  /// EXIF's DateTimeOriginal, as `2026-11-30T09:32:53`, in the camera's own time.
  package var captureDate: String?
  /// The focal length in millimetres that gives the same view on 35 mm film.
  package var focalLength35mm: Double?
  /// The part of the raster that holds picture data.
  ///
  /// All of it, unless damage was kept; the rest is white.
  package var intact: PixelRect
  package var warnings: [DecodeWarning]
}
