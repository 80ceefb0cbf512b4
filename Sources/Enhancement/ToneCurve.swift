private import Glibc

/// What becomes of a darkness: tables from paper to black in eighths of a level, to samples.
struct ToneCurve: Sendable {
  let mode: EnhancementMode
  /// Samples by darkness: 255 for paper, falling.
  let table: [UInt8]
  /// The same for colours, which would turn to mud by the ink's curve.
  let colours: [UInt8]
  /// The same for pictures and blocks, which keep their tones.
  let plain: [UInt8]
  /// How much colours are strengthened, in 256ths of their distance from grey: of marks, and of pictures.
  private let saturations: (marks: Int32, pictures: Int32)

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
    func samples(_ curve: (Double) -> Double) -> [UInt8] {
      (0...Int(blackest)).map { step in
        let left = 1 - min(1, curve(Double(step) / Double(blackest)))
        return UInt8((255 * pow(left, push)).rounded())
      }
    }
    colours = samples { $0 + Self.colourLift * $0 * (1 - $0) * (1 - $0) }
    plain = samples { $0 }
    table = samples { step in
      let dark = min(1, step * scale)
      if mode == .bw { return 1 - pow(1 - dark, Self.contrast) }
      // Steeper at the paper's end, so that faint strokes gain; back on the straight line where pictures have their tones.
      return dark + Self.faintLift * dark * (1 - dark) * (1 - dark)
    }
    saturations = mode == .bw ? (0, 0) : (40, 24)
  }

  /// The tables of colour pages, ready for a loop.
  @unsafe struct Tables {
    fileprivate let table: UnsafePointer<UInt8>
    fileprivate let colours: UnsafePointer<UInt8>
    fileprivate let plain: UnsafePointer<UInt8>
    fileprivate let saturations: (marks: Int32, pictures: Int32)

    /// Writes the colour of three darknesses.
    ///
    /// - Parameter area: how much it is part of a picture or a block, 0…256.
    @inline(__always)
    func write(
      _ darkRed: Int, _ darkGreen: Int, _ darkBlue: Int, area: Int32, to target: UnsafeMutablePointer<UInt8>
    ) {
      // 256 for grey, 0 for clear colour.
      let chroma = max(darkRed, darkGreen, darkBlue) &- min(darkRed, darkGreen, darkBlue)
      let grey = min(256, max(0, (672 &- Int32(chroma)) &>> 1))
      var (red, green, blue) = unsafe (Int32(table[darkRed]), Int32(table[darkGreen]), Int32(table[darkBlue]))
      if grey < 256 {
        unsafe red = mix(colours[darkRed], red, grey)
        unsafe green = mix(colours[darkGreen], green, grey)
        unsafe blue = mix(colours[darkBlue], blue, grey)
      }
      var saturation = unsafe saturations.marks
      if area > 0 {
        unsafe red &+= ((Int32(plain[darkRed]) &- red) &* area) &>> 8
        unsafe green &+= ((Int32(plain[darkGreen]) &- green) &* area) &>> 8
        unsafe blue &+= ((Int32(plain[darkBlue]) &- blue) &* area) &>> 8
        unsafe saturation &+= ((saturations.pictures &- saturation) &* area) &>> 8
      }
      let luma = (77 &* red &+ 150 &* green &+ 29 &* blue) &>> 8
      red &+= ((red &- luma) &* saturation) &>> 8
      green &+= ((green &- luma) &* saturation) &>> 8
      blue &+= ((blue &- luma) &* saturation) &>> 8
      unsafe target[0] = UInt8(truncatingIfNeeded: min(255, max(0, red)))
      unsafe target[1] = UInt8(truncatingIfNeeded: min(255, max(0, green)))
      unsafe target[2] = UInt8(truncatingIfNeeded: min(255, max(0, blue)))
    }
  }

  func withTables(_ body: (Tables) -> Void) {
    unsafe table.withUnsafeBufferPointer { table in
      unsafe colours.withUnsafeBufferPointer { colours in
        unsafe plain.withUnsafeBufferPointer { plain in
          guard let table = table.baseAddress, let colours = colours.baseAddress,
            let plain = plain.baseAddress
          else { return }
          unsafe body(Tables(table: table, colours: colours, plain: plain, saturations: saturations))
        }
      }
    }
  }
}
