/// How the samples of a pixel are laid out: 8 bits each, interleaved, sRGB-encoded.
package enum PixelFormat: Sendable, Hashable {
  /// One sample: luma of an sRGB picture, 0 is black.
  case gray
  /// Three samples: red, green, blue.
  case rgb

  /// Samples, and bytes, per pixel.
  package var channels: Int {
    switch self {
    case .gray: 1
    case .rgb: 3
    }
  }
}
