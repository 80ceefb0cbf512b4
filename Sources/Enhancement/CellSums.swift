internal import CEnhanceKernels

/// Sums over the pixels of each cell of a row of cells whose luma lies in the cell's range.
struct CellSums {
  private let page: ThinPage
  private let side: Int
  let columns: Int
  /// Pixels chosen in each cell.
  let counts: Strip<Int32>
  /// The sums of their samples, a channel each.
  let sums: [Strip<Int32>]
  /// The ranges: luma times 128, both ends included, for each cell.
  let lows: Strip<Int16>
  let highs: Strip<Int16>
  private let scratch: Strip<Int16>

  init(_ page: ThinPage, side: Int) {
    self.page = page
    self.side = side
    let columns = page.stride / side
    self.columns = columns
    counts = Strip(count: columns, filledWith: 0)
    sums = (0..<page.channels).map { _ in Strip(count: columns, filledWith: 0) }
    lows = Strip(count: columns, filledWith: 0)
    highs = Strip(count: columns, filledWith: Int16.max)
    scratch = Strip(count: 6 * page.stride, filledWith: 0)
  }

  /// Pixels of a cell in all.
  func area(column: Int, row: Int) -> Int {
    min(side, page.width &- column &* side) &* min(side, page.height &- row &* side)
  }

  /// Mean luma of each cell, times 128, rounded up, into `lows`.
  func setLowsToMeans(row: Int) {
    unsafe withCells(of: row) { cells in
      unsafe flatbed_cell_means(page.processor.isWide, cells, page.width, lows.start)
    }
    withExtendedLifetime(self) {}
  }

  /// Has the pixels chosen that lie in a band about each cell's level, and none in cells that aren't paper.
  ///
  /// - Parameter levels: luma, 0…255, of all cells of the page, as `paper` is.
  func setLimits(row: Int, among paper: [Bool], levels: [Float], band: ClosedRange<Float>) {
    let (lows, highs, first) = unsafe (lows.start, highs.start, row * columns)
    unsafe paper.withUnsafeBufferPointer { paper in
      unsafe levels.withUnsafeBufferPointer { levels in
        for column in 0..<columns {
          let isPaper = unsafe paper[first &+ column]
          let level = unsafe 128 * levels[first &+ column]
          unsafe lows[column] = isPaper ? Self.whole(level * band.lowerBound) : Int16.max
          unsafe highs[column] = isPaper ? Self.whole(level * band.upperBound) : 0
        }
      }
    }
  }

  /// The whole part of 0…32767; what is beyond is cut off.
  @inline(__always)
  private static func whole(_ value: Float) -> Int16 {
    Int16(truncatingIfNeeded: max(0, min(32767, value)).wholePart)
  }

  /// The share of each cell's pixels that was chosen, squared, into the page's cells.
  func shares(row: Int, to result: inout [Float]) {
    let (counts, first) = unsafe (counts.start, row * columns)
    let area = Float(area(column: 0, row: row))
    unsafe result.withUnsafeMutableBufferPointer { result in
      for column in 0..<columns {
        let share = unsafe Float(counts[column]) / area
        unsafe result[first &+ column] = share * share
      }
    }
    let last = columns - 1
    let share = unsafe Float(counts[last]) / Float(self.area(column: last, row: row))
    result[first + last] = share * share
  }

  /// The mean luma of each cell's chosen pixels over another, times a weight, into the page's cells.
  func ratios(row: Int, to levels: [Float], reserve: Float, weights: [Float], result: inout [Float]) {
    let (counts, first) = unsafe (counts.start, row * columns)
    let (red, green, blue) = unsafe (sums[0].start, sums[sums.count / 2].start, sums[sums.count - 1].start)
    unsafe result.withUnsafeMutableBufferPointer { result in
      unsafe levels.withUnsafeBufferPointer { levels in
        unsafe weights.withUnsafeBufferPointer { weights in
          for column in 0..<columns {
            // For grey the three are the same, and their weights add up to 256.
            let weighted = unsafe 77 &* red[column] &+ 150 &* green[column] &+ 29 &* blue[column]
            let luma = unsafe Float(weighted) / (256 * Float(max(1, counts[column])))
            unsafe result[first &+ column] =
              (luma - reserve) / levels[first &+ column] * weights[first &+ column]
          }
        }
      }
    }
  }

  /// The mean samples of each cell's chosen pixels into the page's cells; those without any stay what they are.
  func means(of channel: Int, row: Int, to result: inout [Float]) {
    let (counts, sums, first) = unsafe (counts.start, sums[channel].start, row * columns)
    unsafe result.withUnsafeMutableBufferPointer { result in
      for column in 0..<columns {
        let count = unsafe Float(counts[column])
        let mean = unsafe Float(sums[column]) / max(1, count)
        unsafe result[first &+ column] = count > 0 ? mean : result[first &+ column]
      }
    }
  }

  /// Chooses and adds up the pixels of a row of cells.
  func add(row: Int) {
    let targets = unsafe sums.map { unsafe Optional($0.start) }
    unsafe withCells(of: row) { cells in
      unsafe flatbed_cell_sums(
        page.processor.isWide, cells, lows.start, highs.start, counts.start, targets, scratch.start)
    }
    withExtendedLifetime(self) {}
  }

  private func withCells(of row: Int, _ body: (UnsafePointer<flatbed_cells>) -> Void) {
    let start = row * side * page.stride
    let plane = page.stride * page.height
    unsafe page.samples.withUnsafeBufferPointer { samples in
      unsafe page.lumas.withUnsafeBufferPointer { lumas in
        guard let samples = samples.baseAddress, let lumas = lumas.baseAddress else { return }
        let first = unsafe samples + start
        let last = (page.channels - 1) * plane
        var cells = unsafe flatbed_cells(
          planes: (first, first + last / 2, first + last), lumas: lumas + start, stride: page.stride,
          rows: Int32(min(side, page.height - row * side)), side: Int32(side), channels: Int32(page.channels),
          columns: columns)
        unsafe body(&cells)
      }
    }
  }
}

extension Float {
  /// The whole part, without a check.
  ///
  /// - Precondition: it is less than 2²² and not less than 0.
  @inline(__always)
  fileprivate var wholePart: Int32 {
    // Rounded by adding 2²³, which leaves the whole number in the lower bits; where it was rounded up, one too many.
    let raised = self + 8_388_608
    let rounded = Int32(bitPattern: raised.bitPattern &- 0x4B00_0000)
    return rounded &- (raised - 8_388_608 > self ? 1 : 0)
  }
}
