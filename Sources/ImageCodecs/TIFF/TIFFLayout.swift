import Raster

/// What the samples of a page mean, and which of them make the picture.
struct TIFFLayout: Sendable {
  /// What the color samples are.
  enum Color: Sendable, Hashable {
    case gray(zeroIsWhite: Bool)
    case palette
    case rgb
    case cmyk
    /// CIE L*a*b* with a D50 white; the encoding of a and b differs between TIFF's own and ICC's.
    case lab(isICC: Bool)
    /// Left to libtiff, which makes 8-bit RGB of it: subsampled YCbCr, old-style JPEG, LogLuv.
    case convertedByLibrary
  }

  /// How a sample is written.
  enum SampleKind: Sendable, Hashable {
    case unsigned(bits: Int)
    /// IEEE 754, or for 24 bits what Adobe's technical note 3 describes.
    case float(bits: Int)
  }

  var color: Color
  var samples: SampleKind
  /// Which sample of a stored pixel is the opacity.
  var alphaSample: Int?
  var isPremultiplied = false

  /// Color samples of a stored pixel.
  var colorSamples: Int {
    switch color {
    case .gray, .palette: 1
    case .rgb, .lab, .convertedByLibrary: 3
    case .cmyk: 4
    }
  }

  /// The layout of the decoded picture.
  var output: SampleLayout {
    switch color {
    case .gray: alphaSample == nil ? .gray : .grayAlpha
    case .palette, .rgb, .lab: alphaSample == nil ? .rgb : .rgba
    case .cmyk: .cmyk
    case .convertedByLibrary: .rgb
    }
  }

  var isLab: Bool {
    if case .lab = color { true } else { false }
  }

  /// Whether the number of bits doesn't tell which value is full light.
  var hasOpenRange: Bool {
    switch samples {
    case .unsigned(let bits): bits > 16
    case .float: true
    }
  }

  /// Whether decoded samples need more than 8 bits.
  var isDeep: Bool {
    switch (color, samples) {
    case (.palette, _), (.convertedByLibrary, _): false
    case (_, .unsigned(let bits)): bits > 8
    case (_, .float): true
    }
  }

  /// More bands than any picture of a page has; satellite images have hundreds.
  static let maximumSamplesPerPixel = 32

  /// Reads the tags.
  ///
  /// - Throws: `unsupported` with the name of the variant, or `damaged` for tags that contradict each other.
  init(_ page: TIFFPage) throws(CodecError) {
    color = try Self.color(of: page)
    samples = try Self.sampleKind(of: page, color: color)
    guard page.samplesPerPixel <= Self.maximumSamplesPerPixel else {
      throw .unsupported(.tiff, variant: "a TIFF with \(page.samplesPerPixel) samples per pixel")
    }
    guard color == .convertedByLibrary || page.samplesPerPixel >= colorSamples else {
      throw .damaged(.tiff, detail: "\(page.samplesPerPixel) samples per pixel for \(colorSamples) colors")
    }
    // Opacity of CMYK is rare and means little for a page; it is passed over.
    guard color != .cmyk, color != .convertedByLibrary else { return }
    let present = page.extraSamples.prefix(max(0, page.samplesPerPixel - colorSamples))
    if let index = present.firstIndex(where: { $0 == 1 || $0 == 2 }) {
      alphaSample = colorSamples + index
      isPremultiplied = present[index] == 1
    }
  }

  private static func color(of page: TIFFPage) throws(CodecError) -> Color {
    // Old-style JPEG, and everything that isn't in pixels yet.
    if page.compression == TIFFCompression.oldJPEG { return .convertedByLibrary }
    if page.isConvertedToRGB { return .rgb }
    switch page.photometric {
    case 0: return .gray(zeroIsWhite: true)
    case 1: return .gray(zeroIsWhite: false)
    case 2: return .rgb
    case 3:
      guard page.palette != nil else { throw .damaged(.tiff, detail: "a palette picture without a palette") }
      return .palette
    case 5:
      guard page.inkSet == 1 || page.samplesPerPixel == 4 else {
        throw .unsupported(.tiff, variant: "a TIFF of other inks than CMYK")
      }
      return .cmyk
    case 6, 32844, 32845: return .convertedByLibrary
    case 8: return .lab(isICC: false)
    case 9: return .lab(isICC: true)
    case 32803, 34892: throw .unsupported(.tiff, variant: "a TIFF of camera raw data")
    default: throw .unsupported(.tiff, variant: "a TIFF of color type \(page.photometric)")
    }
  }

  private static func sampleKind(of page: TIFFPage, color: Color) throws(CodecError) -> SampleKind {
    let bits = page.bitsPerSample
    if color == .convertedByLibrary { return .unsigned(bits: 8) }
    switch page.sampleFormat {
    case 1, 4:
      guard (1...16).contains(bits) || bits == 24 || bits == 32 else {
        throw .unsupported(.tiff, variant: "a TIFF with \(bits) bits per sample")
      }
      if color == .palette, bits > 16 {
        throw .damaged(.tiff, detail: "a palette picture with \(bits) bits per sample")
      }
      if case .lab = color, bits != 8, bits != 16 {
        throw .unsupported(.tiff, variant: "a TIFF in Lab with \(bits) bits per sample")
      }
      return .unsigned(bits: bits)
    case 3:
      guard [16, 24, 32, 64].contains(bits) else {
        throw .unsupported(.tiff, variant: "a TIFF with floating-point samples of \(bits) bits")
      }
      switch color {
      case .gray, .rgb, .cmyk: return .float(bits: bits)
      default: throw .unsupported(.tiff, variant: "a TIFF with floating-point samples of this color type")
      }
    case 2: throw .unsupported(.tiff, variant: "a TIFF with signed samples")
    default: throw .unsupported(.tiff, variant: "a TIFF with complex samples")
    }
  }
}

/// Compression tags, by the names that users know.
enum TIFFCompression {
  static let oldJPEG = 6
  static let jpeg = 7

  /// The scheme's name, for those that Debian's libtiff doesn't decode.
  static func name(_ tag: Int) -> String {
    switch tag {
    case 34661: "JBIG"
    case 34712, 33003, 33004, 33005: "JPEG 2000"
    case 34887: "LERC"
    case 34892: "lossy DNG JPEG"
    case 50002, 52546: "JPEG XL"
    default: "number \(tag)"
    }
  }
}
