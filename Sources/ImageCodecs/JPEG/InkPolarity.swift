import Raster

/// Whether the inks of a CMYK JPEG are stored inverted, 255 for none.
///
/// Photoshop inverts them and writes an Adobe marker, whether they are coded as CMYK or as YCCK, and most viewers invert
/// every CMYK JPEG. Other writers don't invert, and some of those write an Adobe marker all the same. No press can put
/// more than 3.4 times full ink on paper, though, and white paper read the wrong way round is four times full ink:
/// so a picture in which the usual reading has much of that, and the other none, is read the other way.
struct InkPolarity {
  var isInverted = true
  var warnings: [DecodeWarning] = []

  /// Total ink that can't be printed: presses' limits are 2.4 to 3.4 times full ink.
  private static let impossibleInk = 347 * 255 / 100
  /// Share of pixels with impossible ink from which on the reading is doubted.
  private static let doubtfulShare = 0.05
  /// How many times rarer it must be in the other reading.
  private static let clearRatio = 50

  /// - Parameter samples: four for a pixel, as the library gives them.
  init(header: JPEGHeader, samples: [UInt8]) {
    let pixels = samples.count / 4
    let (heavyPlain, heavyInverted) = Self.heavyPixels(samples)
    let isDoubtful = Double(heavyInverted) > Self.doubtfulShare * Double(pixels)
    guard isDoubtful, heavyPlain < heavyInverted / Self.clearRatio else { return }
    isInverted = false
    if header.adobeTransform != nil {
      warnings.append(DecodeWarning("its inks are not inverted although its Adobe marker says so"))
    }
  }

  private static func heavyPixels(_ samples: [UInt8]) -> (plain: Int, inverted: Int) {
    var (plain, inverted) = (0, 0)
    unsafe samples.withUnsafeBufferPointer { samples in
      for start in stride(from: 0, to: samples.count, by: 4) {
        let ink =
          unsafe Int(samples[start]) &+ Int(samples[start &+ 1]) &+ Int(samples[start &+ 2])
          &+ Int(samples[start &+ 3])
        if ink > impossibleInk { plain &+= 1 }
        if 4 &* 255 &- ink > impossibleInk { inverted &+= 1 }
      }
    }
    return (plain, inverted)
  }
}
