private import CEnhanceKernels
internal import Raster

/// The inkiness of a small square of a page, in eighths of a level, and what it sums up to.
struct InkSquare {
  /// Side of the square: five by five means of 3 × 3 pixels, and two lines of seven in each row and column.
  static let side = Int(FLATBED_BLOCK)
  private static let blocks = 5
  private static let lines = 2

  private let processor: Processor
  private let ink = Strip<Int16>(count: side * side, filledWith: 0)
  /// Pixels of pure white that are much brighter than paper: overexposed.
  private(set) var pureWhite = 0
  /// Mean darkness in levels.
  private(set) var mean: Float = 0

  init(on processor: Processor) { self.processor = processor }

  mutating func read(_ page: Raster, under light: LightMap, left: Int, top: Int) {
    let (column, row) = ((left + Self.side / 2) / light.cell, (top + Self.side / 2) / light.cell)
    let index = min(light.rows - 1, row) * light.columns + min(light.columns - 1, column)
    let gains = light.gains.map { $0[index] }
    var sum: Int32 = 0
    unsafe page.samples.withUnsafeBufferPointer { samples in
      guard let samples = samples.baseAddress else { return }
      unsafe pureWhite = Int(
        flatbed_read_square(
          processor.isWide, samples + top * page.rowStride + left * page.format.channels, page.rowStride,
          Int32(page.format.channels), gains, ink.start, &sum))
    }
    mean = Float(sum) / Float(8 * Self.side * Self.side)
  }

  /// Counts how often each level of darkness is there, 0…255.
  ///
  /// - Parameter limit: in eighths of a level.
  /// - Returns: the number of pixels brighter than a limit.
  func count(in histogram: inout [Int32], brighterThan limit: Int16) -> Int {
    var bright = 0
    unsafe histogram.withUnsafeMutableBufferPointer { histogram in
      for index in 0..<ink.count {
        let dark = ink[index]
        unsafe histogram[Int(max(0, min(blackest, dark)) &>> 3)] &+= 1
        if dark < limit { bright &+= 1 }
      }
    }
    return bright
  }

  /// Adds the means over 3 × 3 pixels, side by side.
  func countBlocks(in paper: inout BlankPaper) {
    for blockY in 0..<Self.blocks {
      for blockX in 0..<Self.blocks {
        let start = 3 &* (blockY &* Self.side &+ blockX)
        var sum: Int32 = 0
        for y in 0..<3 {
          for x in 0..<3 { sum &+= Int32(ink[start &+ y &* Self.side &+ x]) }
        }
        paper.count(sum / 9)
      }
    }
  }

  /// Adds the means over seven pixels, lying and upright.
  func countLines(in paper: inout BlankPaper) {
    for line in 0..<Self.side {
      for part in 0..<Self.lines {
        var (lying, upright): (Int32, Int32) = (0, 0)
        for place in 7 &* part..<7 &* part &+ 7 {
          lying &+= Int32(ink[line &* Self.side &+ place])
          upright &+= Int32(ink[place &* Self.side &+ line])
        }
        paper.count(lying / 7)
        paper.count(upright / 7)
      }
    }
  }
}
