/// What a file says its sample values mean as colors.
enum ColorDescription: Sendable, Hashable {
  /// sRGB, said or assumed; for CMYK the plain formula of `InkFormula`.
  case standard
  /// An ICC profile, as embedded. It may be broken or of another kind than the picture.
  case profile([UInt8])
  /// Primaries and a tone curve, as in PNG's cHRM and gAMA or HEIF's nclx.
  case calibrated(Calibration)
}

/// A place in the CIE xy diagram.
struct Chromaticity: Sendable, Hashable {
  var x: Double
  var y: Double
}

/// How sample values, 0 to 1, are decoded to light.
enum TransferCurve: Sendable, Hashable {
  /// Light is the sample to this power, 2.2 for example.
  case power(Double)
  /// IEC 61966-2-1.
  case sRGB
  /// ITU-R BT.709's camera curve, inverted.
  case bt709
}

/// An RGB space told by its primaries and tone curve.
///
/// For grey pictures only the curve counts.
struct Calibration: Sendable, Hashable {
  var white: Chromaticity
  var red: Chromaticity
  var green: Chromaticity
  var blue: Chromaticity
  var transfer: TransferCurve

  static let d65 = Chromaticity(x: 0.3127, y: 0.3290)

  /// ITU-R BT.709 primaries, those of sRGB.
  static func rec709(_ transfer: TransferCurve) -> Calibration {
    Calibration(
      white: d65, red: Chromaticity(x: 0.64, y: 0.33), green: Chromaticity(x: 0.30, y: 0.60),
      blue: Chromaticity(x: 0.15, y: 0.06), transfer: transfer)
  }

  /// SMPTE EG 432-1 primaries with a D65 white (Display P3 with the sRGB curve).
  static func displayP3(_ transfer: TransferCurve) -> Calibration {
    Calibration(
      white: d65, red: Chromaticity(x: 0.680, y: 0.320), green: Chromaticity(x: 0.265, y: 0.690),
      blue: Chromaticity(x: 0.150, y: 0.060), transfer: transfer)
  }

  /// ITU-R BT.2020 primaries.
  static func bt2020(_ transfer: TransferCurve) -> Calibration {
    Calibration(
      white: d65, red: Chromaticity(x: 0.708, y: 0.292), green: Chromaticity(x: 0.170, y: 0.797),
      blue: Chromaticity(x: 0.131, y: 0.046), transfer: transfer)
  }
}
