/// Sums over the pixels of each cell of a row of cells whose luma lies in the cell's range.
///
/// Rows are added up column by column first, which goes eight columns at a time, and the columns of each cell at the end.
struct CellSums {
  private let page: ThinPage
  private let side: Int
  let columns: Int
  /// Pixels chosen, and the sums of their samples, a channel each.
  private(set) var counts: [Int32]
  private(set) var sums: [[Int32]]
  /// The ranges: luma times 128, both ends included, for each cell.
  var lows: [Int16]
  var highs: [Int16]
  private var low: [Int16]
  private var high: [Int16]

  init(_ page: ThinPage, side: Int) {
    self.page = page
    self.side = side
    columns = page.stride / side
    counts = Array(repeating: 0, count: columns)
    sums = page.planes.map { [counts] _ in counts }
    lows = Array(repeating: 0, count: columns)
    highs = Array(repeating: Int16.max, count: columns)
    low = Array(repeating: 0, count: page.stride)
    high = low
  }

  /// Pixels of a cell in all.
  func area(column: Int, row: Int) -> Int {
    min(side, page.width &- column &* side) &* min(side, page.height &- row &* side)
  }

  /// Mean luma of each cell, times 128, rounded up, into `lows`.
  mutating func setLowsToMeans(row: Int) {
    let (first, end) = (row * side, min(page.height, (row + 1) * side))
    for column in 0..<columns {
      var sum = 0
      let right = min(page.width, (column &+ 1) &* side)
      unsafe page.lumas.withUnsafeBufferPointer { lumas in
        for y in first..<end {
          for x in column &* side..<right { unsafe sum &+= Int(lumas[y &* page.stride &+ x]) }
        }
      }
      let count = area(column: column, row: row)
      lows[column] = Int16(truncatingIfNeeded: (sum &+ count &- 1) / count)
    }
  }

  /// Mean luma of a cell's chosen pixels, 0…255.
  func luma(_ column: Int) -> Float {
    let count = Float(max(1, counts[column]))
    guard sums.count == 3 else { return Float(sums[0][column]) / count }
    let weighted = 77 * sums[0][column] + 150 * sums[1][column] + 29 * sums[2][column]
    return Float(weighted) / (256 * count)
  }

  /// Chooses and adds up the pixels of a row of cells.
  mutating func add(row: Int) {
    let (stride, side) = (page.stride, side)
    unsafe low.withUnsafeMutableBufferPointer { low in
      unsafe high.withUnsafeMutableBufferPointer { high in
        for column in 0..<columns {
          let (least, most) = (lows[column], highs[column])
          for x in column &* side..<(column &+ 1) &* side {
            unsafe low[x] = least
            unsafe high[x] = most
          }
        }
      }
    }
    let lines = 1 + page.planes.count
    unsafe withUnsafeTemporaryAllocation(of: Int16.self, capacity: lines * stride) { totals in
      guard let totals = totals.baseAddress else { return }
      unsafe totals.initialize(repeating: 0, count: lines * stride)
      for y in row * side..<min(page.height, (row + 1) * side) {
        unsafe addRow(y * stride, to: totals)
      }
      unsafe Self.gather(totals, side: side, to: &counts)
      for channel in sums.indices {
        unsafe Self.gather(totals + (channel + 1) * stride, side: side, to: &sums[channel])
      }
    }
  }

  /// Adds one row of pixels to the columns' totals: the number chosen, then the samples of each channel.
  private func addRow(_ start: Int, to totals: UnsafeMutablePointer<Int16>) {
    let stride = page.stride
    unsafe withUnsafeTemporaryAllocation(of: Int16.self, capacity: stride) { mask in
      guard let mask = mask.baseAddress else { return }
      unsafe page.lumas.withUnsafeBufferPointer { lumas in
        unsafe low.withUnsafeBufferPointer { low in
          unsafe high.withUnsafeBufferPointer { high in
            for x in 0..<stride {
              let luma = unsafe lumas[start &+ x]
              // All ones where it is chosen.
              let above: Int16 = unsafe luma < low[x] ? 0 : -1
              let below: Int16 = unsafe luma > high[x] ? 0 : -1
              let both = above & below
              unsafe mask[x] = both
              unsafe totals[x] &-= both
            }
          }
        }
      }
      for (index, plane) in page.planes.enumerated() {
        unsafe plane.withUnsafeBufferPointer { plane in
          guard let plane = plane.baseAddress else { return }
          unsafe add(plane + start, where: mask, to: totals + (index + 1) * stride, count: stride)
        }
      }
    }
  }

  private func add(
    _ plane: UnsafePointer<UInt8>, where mask: UnsafePointer<Int16>, to total: UnsafeMutablePointer<Int16>,
    count: Int
  ) {
    for x in 0..<count { unsafe total[x] &+= Int16(plane[x]) & mask[x] }
  }

  /// Adds up each cell's columns.
  private static func gather(_ totals: UnsafePointer<Int16>, side: Int, to output: inout [Int32]) {
    unsafe output.withUnsafeMutableBufferPointer { output in
      for column in 0..<output.count {
        var sum: Int32 = 0
        for x in column &* side..<(column &+ 1) &* side { unsafe sum &+= Int32(totals[x]) }
        unsafe output[column] = sum
      }
    }
  }
}
