/// What PNG's gAMA and cHRM chunks mean.
enum PNGColor {
  /// The value of gAMA that stands for sRGB's curve, as the PNG specification has it.
  private static let standardGamma = 0.45455
  /// How far a value may be off and still be meant as the standard one.
  private static let gammaTolerance = 0.01
  private static let chromaticityTolerance = 0.003
  /// Exponents that a picture may have; others are mistakes.
  private static let plausibleGammas = 0.1...2.0

  /// - Parameters:
  ///   - fileGamma: gAMA's value, 0 when there is none.
  ///   - primaries: cHRM's values, with any curve.
  static func description(fileGamma: Double, primaries: Calibration?) -> ColorDescription {
    let hasGamma = plausibleGammas.contains(fileGamma)
    let isStandardCurve = !hasGamma || abs(fileGamma - standardGamma) < gammaTolerance
    let transfer: TransferCurve = isStandardCurve ? .sRGB : .power(1 / fileGamma)
    guard var calibration = primaries, !isStandard(calibration) else {
      return isStandardCurve ? .standard : .calibrated(.rec709(transfer))
    }
    calibration.transfer = transfer
    return .calibrated(calibration)
  }

  private static func isStandard(_ calibration: Calibration) -> Bool {
    let standard = Calibration.rec709(.sRGB)
    func near(_ left: Chromaticity, _ right: Chromaticity) -> Bool {
      abs(left.x - right.x) < chromaticityTolerance && abs(left.y - right.y) < chromaticityTolerance
    }
    return near(calibration.white, standard.white) && near(calibration.red, standard.red)
      && near(calibration.green, standard.green) && near(calibration.blue, standard.blue)
  }
}
