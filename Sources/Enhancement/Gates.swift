internal import CEnhanceKernels

/// Decides for each pixel of a row how surely it is more than paper.
///
/// One pixel of a faint stroke is lost in noise. Noise averages out over several pixels and strokes don't: so a pixel is ink if the 3 × 3
/// around it are dark in the mean, or one of the four lines of seven pixels through it. Lines find hairlines that a square would dilute.
struct Gates {
  /// Pixels along a row and down a column that share thresholds.
  static let width = Int(FLATBED_BLOCK)

  private let levels: PageLevels
  private let processor: Processor
  private let blocks: Int
  /// Those of each block of pixels.
  let thresholds: Strip<flatbed_threshold>
  /// Sums over 3 × 3 pixels.
  let sums: Strip<Int16>
  /// How surely each pixel is ink, 0…256.
  let open: Strip<Int16>
  /// Whether there is ink in each block.
  let any: Strip<UInt8>

  init(levels: PageLevels, pageWidth: Int, on processor: Processor) {
    self.levels = levels
    self.processor = processor
    blocks = (pageWidth + Self.width - 1) / Self.width
    thresholds = Strip(count: blocks, filledWith: flatbed_threshold())
    sums = Strip(count: blocks * Self.width, filledWith: 0)
    open = Strip(count: blocks * Self.width, filledWith: 0)
    any = Strip(count: blocks, filledWith: 0)
  }

  func advance(to y: Int, over rows: InkRows) {
    if y % Self.width == 0 { setThresholds(y) }
    let lines = unsafe (-3...3).map { unsafe Optional(rows.ink($0)) }
    unsafe flatbed_gate_row(
      processor.isWide, lines, blocks, thresholds.start, sums.start, open.start, any.start)
    withExtendedLifetime(self) {}
  }

  private func setThresholds(_ y: Int) {
    for block in 0..<blocks {
      let limits = levels.thresholds(x: block * Self.width + Self.width / 2, y: y + Self.width / 2)
      let square = Self.line(limits.block, count: 9)
      let line = Self.line(limits.line, count: 7)
      thresholds[block] = flatbed_threshold(
        square_start: square.start, line_start: line.start, square_slope: square.slope,
        line_slope: line.slope,
        // Up to one level of noise sharpen by a third; from about four on smooth instead.
        sharpening: Int16(max(-200, min(90, 90 - 97 * (limits.noise - 1)))))
    }
  }

  /// Where sums of `count` pixels start to be ink, and how fast: 256 over the distance, times 2¹³.
  private static func line(_ limits: (paper: Float, ink: Float), count: Float) -> (start: Int16, slope: Int16)
  {
    let distance = max(65, 8 * count * (limits.ink - limits.paper))
    return (Int16(min(16000, max(-9000, 8 * count * limits.paper))), Int16(256 * 8192 / distance))
  }
}
