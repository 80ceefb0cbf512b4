internal import Raster

/// How dark a page's ink is, and how dark its blank paper seems by noise alone, by region.
///
/// Darkness is counted from paper, 0, to black, 255, after the light has been divided out.
struct PageLevels: Sendable {
  /// Side of the squares that are measured, in pixels: five by five means of 3 × 3 pixels.
  private static let square = 16
  /// Every second square along both axes is measured; a tile is eight of those on a side.
  private static let stride = 32
  private static let tile = 8 * stride

  private let columns: Int
  private let rows: Int
  /// Mean of blank paper's darkness over 3 × 3 pixels, by tile.
  private let level: [Float]
  /// Standard deviation of the same.
  private let noise: [Float]
  /// The darkness that most of the page's ink reaches.
  let ink: Float
  /// Whether there is print lighter than what was taken for paper, as on the cover of a book: turning "paper" white would wipe it out.
  let hasLightPrint: Bool

  /// Darkness below `level` plus this many deviations is paper.
  private static let paperDeviations: Float = 3.2
  /// From this many on it is ink without doubt.
  private static let inkDeviations: Float = 5.2
  /// Squares this much brighter than paper aren't paper.
  private static let brightest: Float = -12
  /// Pixels this much brighter than paper are no noise.
  private static let lightPrint = -40
  /// More than this share of them is print, pictures or a page within the page: not to be lost in white.
  private static let leastLightPrint = 0.01
  /// A tile without blank paper can't tell its noise: it is never taken for more than this many times the page's.
  private static let mostNoise: Float = 2.5
  /// Even a picture without noise is rounded to whole samples.
  private static let leastNoise: Float = 0.35
  /// Pixels darker than this count as ink when its level is measured.
  private static let leastInk = 40
  /// The share of the ink that may be darker than its level: the cores of strokes, not their edges.
  private static let inkRank = 0.7
  /// Levels taken for ink when hardly any is found, or less than faint, or more than black.
  private static let inkLevels: ClosedRange<Float> = 150...245

  init(of page: Raster, under light: LightMap) {
    columns = (page.width + Self.tile - 1) / Self.tile
    rows = (page.height + Self.tile - 1) / Self.tile
    var squares = [[(level: Float, noise: Float)]](repeating: [], count: columns * rows)
    var histogram = [Int](repeating: 0, count: 256)
    var pixels = 0
    var lightPixels = 0
    let side = min(Self.square, page.width, page.height) / 3 * 3
    if side >= 6 {
      for top in Swift.stride(from: 0, through: page.height - side, by: Self.stride) {
        for left in Swift.stride(from: 0, through: page.width - side, by: Self.stride) {
          let found = Self.measure(page, light, left: left, top: top, side: side, into: &histogram)
          lightPixels += found.light
          // Overexposed, or outside of the photo: so smooth that it would speak for the paper around it.
          guard found.level > Self.brightest else { continue }
          pixels += side * side
          squares[(top / Self.tile) * columns + left / Self.tile].append((found.level, found.noise))
        }
      }
    }
    // The quieter part of a tile's squares is blank, unless print is everywhere.
    let quiet = squares.map { tile -> (level: Float, noise: Float)? in
      let sorted = tile.sorted { $0.noise < $1.noise }
      return sorted.isEmpty ? nil : sorted[sorted.count * 2 / 5]
    }
    let all = quiet.compactMap { $0?.noise }.sorted()
    let common = all.isEmpty ? 1 : all[all.count / 3]
    let usable = quiet.map { tile in tile.map { $0.noise <= max(1, common) * Self.mostNoise } ?? false }
    let rawNoise = quiet.map { max(Self.leastNoise, $0?.noise ?? common) }
    let rawLevel = quiet.map { min(12, max(-4, $0?.level ?? 0)) }
    noise = filled(rawNoise, known: usable, columns: columns, rows: rows, fallback: common)
    level = filled(rawLevel, known: usable, columns: columns, rows: rows, fallback: 0)

    hasLightPrint = Double(lightPixels) > Self.leastLightPrint * Double(max(1, pixels))
    let inked = histogram[Self.leastInk...].reduce(0, +)
    var rank = 0
    var found: Float?
    if inked * 2000 > pixels {
      for darkness in Self.leastInk..<256 {
        rank += histogram[darkness]
        if Double(rank) >= Double(inked) * Self.inkRank {
          found = Float(darkness)
          break
        }
      }
    }
    ink = min(max(found ?? Self.inkLevels.upperBound, Self.inkLevels.lowerBound), Self.inkLevels.upperBound)
  }

  /// For a place on the page, the sums of nine pixels' darkness from which on they aren't only paper, and from which on they are
  /// ink; and the deviation of nine pixels' mean.
  func thresholds(x: Int, y: Int) -> (paper: Float, ink: Float, noise: Float) {
    let (place, line) = (Float(x) / Float(Self.tile) - 0.5, Float(y) / Float(Self.tile) - 0.5)
    let (left, top) = (max(0, min(columns - 1, Int(place))), max(0, min(rows - 1, Int(line))))
    let (right, bottom) = (min(columns - 1, left + 1), min(rows - 1, top + 1))
    let (across, down) = (min(1, max(0, place - Float(left))), min(1, max(0, line - Float(top))))
    func mix(_ plane: [Float]) -> Float {
      let upper = plane[top * columns + left] * (1 - across) + plane[top * columns + right] * across
      let lower = plane[bottom * columns + left] * (1 - across) + plane[bottom * columns + right] * across
      return upper * (1 - down) + lower * down
    }
    let (base, spread) = (mix(level), mix(noise))
    return (9 * (base + Self.paperDeviations * spread), 9 * (base + Self.inkDeviations * spread), spread)
  }

  /// Mean and deviation of a square's 3 × 3 means, and the number of pixels that are light print.
  private static func measure(
    _ page: Raster, _ light: LightMap, left: Int, top: Int, side: Int, into histogram: inout [Int]
  ) -> (level: Float, noise: Float, light: Int) {
    let gains = light.gains(x: left + side / 2, y: top + side / 2)
    let width = page.width
    let count = side / 3
    var sum = 0
    var sumOfSquares = 0
    var light = 0
    unsafe page.samples.withUnsafeBufferPointer { samples in
      for blockY in 0..<count {
        for blockX in 0..<count {
          var nine = 0
          for y in 0..<3 {
            for x in 0..<3 {
              let pixel = (top &+ 3 &* blockY &+ y) &* width &+ left &+ 3 &* blockX &+ x
              let dark: Int
              let white: Bool
              if gains.count == 1 {
                white = unsafe samples[pixel] == 255
                dark = unsafe Int(darkness(samples[pixel], gains[0]))
              } else {
                white =
                  unsafe samples[3 &* pixel] & samples[3 &* pixel &+ 1] & samples[3 &* pixel &+ 2] == 255
                let red = unsafe darkness(samples[3 &* pixel], gains[0])
                let green = unsafe darkness(samples[3 &* pixel &+ 1], gains[1])
                let blue = unsafe darkness(samples[3 &* pixel &+ 2], gains[2])
                dark = Int(inkiness(red, green, blue))
              }
              nine &+= dark
              if dark < Self.lightPrint, !white { light &+= 1 }
              histogram[min(255, max(0, dark))] &+= 1
            }
          }
          sum &+= nine
          sumOfSquares &+= nine &* nine
        }
      }
    }
    let blocks = Float(count * count)
    let mean = Float(sum) / blocks
    let variance = max(0, Float(sumOfSquares) / blocks - mean * mean)
    return (mean / 9, variance.squareRoot() / 9, light)
  }
}

/// How far a sample is below paper, once the light is divided out: 0 is paper, 255 black, less than 0 brighter than paper.
@inline(__always)
func darkness(_ sample: UInt8, _ gain: Int32) -> Int32 {
  269 &- ((Int32(sample) &+ 14) &* gain) &>> 14
}

/// One number for how much ink there is in a pixel, colours included: two parts luma, one part the darkest channel.
///
/// By luma alone yellow and light blue pens are next to nothing.
@inline(__always)
func inkiness(_ red: Int32, _ green: Int32, _ blue: Int32) -> Int32 {
  let luma = (77 &* red &+ 150 &* green &+ 29 &* blue) &>> 8
  return (171 &* luma &+ 85 &* max(red, green, blue)) &>> 8
}
