import Raster

/// How the samples of a stored pixel are laid out, interleaved.
enum SampleLayout: Sendable, Hashable, CaseIterable {
  /// One sample, 0 is black.
  case gray
  /// Grey and opacity, 0 is clear.
  case grayAlpha
  case rgb
  case rgba
  /// Inks: 0 is none, the largest value is all of it.
  case cmyk

  /// Samples per pixel, alpha included.
  var channels: Int {
    switch self {
    case .gray: 1
    case .grayAlpha: 2
    case .rgb: 3
    case .rgba, .cmyk: 4
    }
  }

  var hasAlpha: Bool { self == .grayAlpha || self == .rgba }

  /// The format of the picture that is made of it.
  var format: PixelFormat {
    switch self {
    case .gray, .grayAlpha: .gray
    case .rgb, .rgba, .cmyk: .rgb
    }
  }
}

/// The samples of a stored picture, rows without padding, in the machine's byte order.
enum StoredSamples: Sendable {
  case eight([UInt8])
  /// The whole range 0…65535 is used: a codec stretches 10- or 12-bit samples before it hands them over.
  case sixteen([UInt16])

  var count: Int {
    switch self {
    case .eight(let samples): samples.count
    case .sixteen(let samples): samples.count
    }
  }
}

/// What a codec library hands over: a picture as its file stores it, and what the file says about it.
///
/// `finish()` makes a `DecodedImage` of it; nothing else applies colour profiles, opacity or orientation.
struct StoredPicture: Sendable {
  /// Stored columns and rows of `samples`; reduced when the picture was reduced.
  var size: PixelSize
  /// Stored columns and rows at full size.
  var fullSize: PixelSize
  var layout: SampleLayout
  /// `size.width × size.height × layout.channels` samples.
  var samples: StoredSamples
  /// Whether color samples were multiplied by alpha already (TIFF's associated alpha).
  var isPremultiplied = false
  var color = ColorDescription.standard
  /// How stored rows and columns lie against the upright picture.
  ///
  /// The codec decides between EXIF and its own container.
  var orientation = Orientation.upright
  /// Pixels per inch along the stored rows and columns at full size.
  var resolution: Resolution?
  var captureDate: String?
  var focalLength35mm: Double?
  /// Rows from the top that hold picture data; those below come out white, whatever their samples are.
  var goodRows: Int
  var warnings: [DecodeWarning] = []

  /// A whole picture at full size.
  init(size: PixelSize, layout: SampleLayout, samples: StoredSamples) {
    self.size = size
    fullSize = size
    self.layout = layout
    self.samples = samples
    goodRows = size.height
  }
}
