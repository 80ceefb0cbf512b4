internal import CEnhanceKernels
private import Glibc

/// What becomes of a darkness: tables from paper to black in eighths of a level, to samples.
struct ToneCurve: Sendable {
  let mode: EnhancementMode
  /// Samples by darkness, 255 for paper and falling, a byte of each value for each sort of pixels: grey ink; colours, which would turn to
  /// mud by the ink's curve; pictures and blocks, which keep their tones.
  private let tables: [UInt32]
  /// How much colours are strengthened, in 256ths of their distance from grey: of marks, and of pictures.
  private let saturations: (marks: Int16, pictures: Int16)

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
    func samples(_ curve: (Double) -> Double) -> [UInt32] {
      (0...Int(blackest)).map { step in
        let left = 1 - min(1, curve(Double(step) / Double(blackest)))
        return UInt32((255 * pow(left, push)).rounded())
      }
    }
    let colours = samples { $0 + Self.colourLift * $0 * (1 - $0) * (1 - $0) }
    let pictures = samples { $0 }
    let ink = samples { step in
      let dark = min(1, step * scale)
      if mode == .bw { return 1 - pow(1 - dark, Self.contrast) }
      // Steeper at the paper's end, so that faint strokes gain; back on the straight line where pictures have their tones.
      return dark + Self.faintLift * dark * (1 - dark) * (1 - dark)
    }
    tables = ink.indices.map { step in
      ink[step] << (8 * FLATBED_INK) | colours[step] << (8 * FLATBED_COLOURS)
        | pictures[step] << (8 * FLATBED_PICTURES)
    }
    saturations = mode == .bw ? (0, 0) : (40, 24)
  }

  /// Lends the tables to the kernels.
  func withKernel(_ body: (UnsafePointer<flatbed_curve>) -> Void) {
    unsafe tables.withUnsafeBufferPointer { tables in
      var curve = unsafe flatbed_curve(
        table: tables.baseAddress, marks_saturation: saturations.marks,
        pictures_saturation: saturations.pictures)
      unsafe body(&curve)
    }
  }
}
