internal import Raster

/// How dark a page's ink is, and how dark its blank paper seems by noise alone, by region.
///
/// In levels of darkness: from paper, 0, to black, 255, after the light has been divided out.
struct PageLevels: Sendable {
  /// From one square to the next, on large pages and on others; both go into a tile.
  private static let strides = (large: 48, other: 32)
  private static let largePage = 3_000_000
  private static let tile = 288

  private let columns: Int
  private let rows: Int
  /// What blank paper is in the mean, by tile.
  private let level: [Float]
  /// Standard deviation of blank paper's means over 3 × 3 pixels, and over lines of seven.
  private let noise: [Float]
  private let lineNoise: [Float]
  /// The darkness that most of the page's ink reaches.
  let ink: Float
  /// Whether there is print lighter than what was taken for paper, as on the cover of a book: turning "paper" white would wipe it out.
  let hasLightPrint: Bool

  /// Means of 3 × 3 below `level` plus this many deviations are paper, and from so many on they are ink without doubt.
  private static let deviations: (paper: Float, ink: Float) = (3.2, 5.2)
  /// The same for lines of seven: there are four of them through each pixel, so more of them are dark by chance.
  private static let lineDeviations: (paper: Float, ink: Float) = (3.8, 5.8)
  /// Noise of more levels than `cautiousFrom` is that of the dark, with tails longer than a bell curve's: so many deviations more for each level.
  private static let cautiousFrom: Float = 3
  private static let caution: Float = 0.12
  private static let mostCaution: Float = 1.2
  /// Squares this much brighter than paper aren't paper.
  private static let brightest: Float = -12
  /// Pixels this much brighter than paper are no noise.
  private static let lightPrint: Int16 = -40 * 8
  /// More than this share of them is print, pictures or a page within the page: not to be lost in white.
  private static let leastLightPrint = 0.01
  /// A tile can be wrong about its noise: it is never taken for more than this many times the page's.
  private static let mostNoise: Float = 2.5
  /// Even a picture without noise is rounded to whole samples.
  private static let leastNoise: Float = 0.35
  /// Pixels darker than this count as ink when its level is measured.
  private static let leastInk = 40
  /// The share of the ink that may be darker than its level: the cores of strokes, not their edges.
  private static let inkRank = 0.7
  /// Levels taken for ink when hardly any is found, or less than faint, or more than black.
  private static let inkLevels: ClosedRange<Float> = 150...245

  init(of page: Raster, under light: LightMap, on processor: Processor) {
    columns = (page.width + Self.tile - 1) / Self.tile
    rows = (page.height + Self.tile - 1) / Self.tile
    var blocks = [BlankPaper](repeating: BlankPaper(), count: columns * rows)
    var lines = blocks
    var histogram = [Int32](repeating: 0, count: 256)
    var pixels = 0
    var lightPixels = 0
    let side = InkSquare.side
    if page.width >= side, page.height >= side {
      let stride = page.width * page.height > Self.largePage ? Self.strides.large : Self.strides.other
      var square = InkSquare(on: processor)
      for top in Swift.stride(from: 0, through: page.height - side, by: stride) {
        for left in Swift.stride(from: 0, through: page.width - side, by: stride) {
          square.read(page, under: light, left: left, top: top)
          lightPixels += square.count(in: &histogram, brighterThan: Self.lightPrint) - square.pureWhite
          // Overexposed, or outside of the photo: so smooth that it would speak for the paper around it.
          guard square.mean > Self.brightest else { continue }
          pixels += side * side
          let tile = (top / Self.tile) * columns + left / Self.tile
          square.countBlocks(in: &blocks[tile])
          square.countLines(in: &lines[tile])
        }
      }
    }
    let found = zip(blocks, lines).map { block, line in
      block.measured.flatMap { middle in
        line.measured.map { (level: middle.level, noise: middle.noise, line: $0.noise) }
      }
    }
    let all = found.compactMap { $0?.noise }.sorted()
    let common = all.isEmpty ? 1 : all[all.count / 3]
    let usable = found.map { tile in tile.map { $0.noise <= max(1, common) * Self.mostNoise } ?? false }
    let (columns, rows) = (columns, rows)
    noise = filled(
      found.map { max(Self.leastNoise, $0?.noise ?? 0) }, known: usable, columns: columns, rows: rows,
      fallback: common)
    lineNoise = filled(
      found.map { max(Self.leastNoise, $0?.line ?? 0) }, known: usable, columns: columns, rows: rows,
      fallback: common)
    level = filled(found.map { $0?.level ?? 0 }, known: usable, columns: columns, rows: rows, fallback: 0)
    hasLightPrint = Double(lightPixels) > Self.leastLightPrint * Double(max(1, pixels))
    ink = Self.ink(in: histogram, pixels: pixels)
  }

  private static func ink(in histogram: [Int32], pixels: Int) -> Float {
    let inked = histogram[leastInk...].reduce(0) { $0 + Int($1) }
    guard inked * 2000 > pixels else { return inkLevels.upperBound }
    var rank = 0
    for darkness in leastInk..<256 {
      rank += Int(histogram[darkness])
      if Double(rank) >= Double(inked) * inkRank {
        return min(max(Float(darkness), inkLevels.lowerBound), inkLevels.upperBound)
      }
    }
    return inkLevels.upperBound
  }

  /// What separates paper from ink at a place: means below `paper` are paper, those above `ink` are not, for squares of 3 × 3 and for lines
  /// of seven; and the deviation of the squares.
  struct Thresholds {
    let block: (paper: Float, ink: Float)
    let line: (paper: Float, ink: Float)
    let noise: Float
  }

  func thresholds(x: Int, y: Int) -> Thresholds {
    let (place, line) = (Float(x) / Float(Self.tile) - 0.5, Float(y) / Float(Self.tile) - 0.5)
    let (left, top) = (max(0, min(columns - 1, Int(place))), max(0, min(rows - 1, Int(line))))
    let (right, bottom) = (min(columns - 1, left + 1), min(rows - 1, top + 1))
    let (across, down) = (min(1, max(0, place - Float(left))), min(1, max(0, line - Float(top))))
    func mix(_ plane: [Float]) -> Float {
      let upper = plane[top * columns + left] * (1 - across) + plane[top * columns + right] * across
      let lower = plane[bottom * columns + left] * (1 - across) + plane[bottom * columns + right] * across
      return upper * (1 - down) + lower * down
    }
    let (base, spread, lineSpread) = (mix(level), mix(noise), mix(lineNoise))
    let more = min(Self.mostCaution, max(0, spread - Self.cautiousFrom) * Self.caution)
    func limits(_ deviations: (paper: Float, ink: Float), _ spread: Float) -> (paper: Float, ink: Float) {
      (base + (deviations.paper + more) * spread, base + (deviations.ink + 3 * more) * spread)
    }
    return Thresholds(
      block: limits(Self.deviations, spread), line: limits(Self.lineDeviations, lineSpread), noise: spread)
  }
}
