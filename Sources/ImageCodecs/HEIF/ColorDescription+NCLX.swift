extension ColorDescription {
  /// The space that an nclx box names with the numbers of ITU-T H.273; 0 stands for no box.
  static func nclx(primaries: Int, transfer: Int) -> (ColorDescription, DecodeWarning?) {
    let curve: TransferCurve
    var warning: DecodeWarning?
    switch transfer {
    case 4: curve = .power(2.2)
    case 5: curve = .power(2.8)
    case 8: curve = .power(1)
    case 16, 18:
      // Without tone mapping these come out pale or dark; the page can still be read.
      warning = DecodeWarning("its brightness is coded for HDR screens; it may come out pale")
      curve = .sRGB
    // Rec. 709's curve is what cameras claim, while their pictures are made to look right on sRGB screens.
    default: curve = .sRGB
    }
    switch primaries {
    case 9: return (.calibrated(.bt2020(curve)), warning)
    case 12: return (.calibrated(.displayP3(curve)), warning)
    case 11:
      // DCI-P3: the primaries of Display P3 with the white of cinemas.
      var cinema = Calibration.displayP3(curve)
      cinema.white = Chromaticity(x: 0.314, y: 0.351)
      return (.calibrated(cinema), warning)
    default: return curve == .sRGB ? (.standard, warning) : (.calibrated(.rec709(curve)), warning)
    }
  }
}
