private import Glibc

/// What becomes of a darkness: a table from 0…255, paper to black, to samples.
struct ToneCurve: Sendable {
  let mode: EnhancementMode
  /// Samples by darkness: 255 for paper, falling.
  let table: [UInt8]
  /// The same for colours, which would turn to mud by the ink's curve.
  let colours: [UInt8]
  /// How much colours are strengthened, in 256ths of their distance from grey.
  let saturation: Int32

  /// Where the page's own ink is put, as a share of black.
  private static let inkTarget = 0.84
  /// How much steeper than the photo's the enhanced curve starts: 1 + this.
  private static let faintLift = 0.8
  /// The same for colours.
  private static let colourLift = 0.25
  /// The power of what is left of paper in black and white: the curve's slope at paper.
  private static let contrast = 3.3

  /// - Parameters:
  ///   - ink: darkness of the page's ink, 0…255.
  ///   - amount: from 1 on it makes everything darker that isn't paper; below 1 the caller blends.
  init(_ mode: EnhancementMode, ink: Float, amount: Double) {
    self.mode = mode
    let push = 1 + max(0, amount - 1) / 4
    let scale = max(1, Self.inkTarget * 255 / Double(ink))
    colours = (0...255).map { step in
      let dark = Double(step) / 255
      let curved = min(1, dark + Self.colourLift * dark * (1 - dark) * (1 - dark))
      return UInt8((255 * pow(1 - curved, push)).rounded())
    }
    table = (0...255).map { step in
      let dark = min(1, Double(step) / 255 * scale)
      let curved: Double
      if mode == .bw {
        curved = 1 - pow(1 - dark, Self.contrast)
      } else {
        // Steeper at the paper's end, so that faint strokes gain; back on the straight line where pictures have their tones.
        curved = min(1, dark + Self.faintLift * dark * (1 - dark) * (1 - dark))
      }
      return UInt8((255 * pow(1 - curved, push)).rounded())
    }
    saturation = mode == .bw ? 0 : 40
  }
}
