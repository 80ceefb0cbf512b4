internal import Raster

/// What blank paper would look like everywhere on a page: the light that falls on it, times the paper's own colour.
///
/// Kept as a coarse grid of cells; between their centres it runs linearly.
struct LightMap: Sendable {
  let columns: Int
  let rows: Int
  /// Side of a cell in pixels.
  let cell: Int
  let channels: Int
  /// A plane of paper samples, 1…255, for each channel.
  let planes: [[Float]]

  init(of page: Raster) {
    let grid = PaperGrid(of: page)
    (columns, rows, cell, channels) = (grid.columns, grid.rows, grid.cell, grid.channels)
    // Cells at the rim of print may be half print: they are left out, too.
    let solid = erode(
      PaperMask.paper(in: grid).map { $0 ? 1 : 0 }, columns: columns, rows: rows, radius: 1)
    var (means, weights) = grid.paperMeans(of: page, among: solid.map { $0 > 0 })
    for cell in weights.indices where solid[cell] == 0 { weights[cell] = 0 }
    let sums = boxBlur(weights, columns: columns, rows: rows, radius: 1)
    let known = sums.map { $0 > Self.leastWeight }
    for channel in means.indices {
      let weighted = zip(means[channel], weights).map { $0 * $1 }
      let blurred = boxBlur(weighted, columns: columns, rows: rows, radius: 1)
      for cell in known.indices where known[cell] {
        means[channel][cell] = max(1, blurred[cell] / sums[cell])
      }
      means[channel] = filled(means[channel], known: known, columns: columns, rows: rows, fallback: 255)
    }
    planes = means
  }

  /// The mean share of paper among the pixels of nine cells that they have to have to tell its colour.
  private static let leastWeight: Float = 0.02

  /// The colour of paper in middling light: the median of all cells, each channel for itself.
  func typicalPaper() -> [Float] {
    planes.map { plane in plane.sorted()[plane.count / 2] }
  }

  /// For every sample of a row, what brings paper with `encodingOffset` to 255 with the same offset, times 2¹⁴.
  func fillGains(_ gains: inout [Int32], row: Int, width: Int) {
    let y = (Float(row) + 0.5) / Float(cell) - 0.5
    let upper = max(0, min(rows - 1, Int(y)))
    let lower = min(rows - 1, upper + 1)
    let share = min(1, max(0, y - Float(upper)))
    var line = [Float](repeating: 0, count: columns + 1)
    for channel in 0..<channels {
      let plane = planes[channel]
      for column in 0..<columns {
        let (a, b) = (plane[upper * columns + column], plane[lower * columns + column])
        line[column] = (255 + encodingOffset) * 16384 / (a + (b - a) * share + encodingOffset)
      }
      line[columns] = line[columns - 1]
      interpolate(line, to: &gains, first: channel, step: channels, width: width)
    }
  }

  /// The gains at one place, a channel each.
  func gains(x: Int, y: Int) -> [Int32] {
    let (column, row) = (min(columns - 1, x / cell), min(rows - 1, y / cell))
    return planes.map { plane in
      Int32((255 + encodingOffset) * 16384 / (plane[row * columns + column] + encodingOffset))
    }
  }

  /// Runs linearly from cell centre to cell centre.
  private func interpolate(_ line: [Float], to gains: inout [Int32], first: Int, step: Int, width: Int) {
    unsafe gains.withUnsafeMutableBufferPointer { gains in
      let half = cell / 2
      var x = 0
      for left in -1..<columns {
        let from = line[max(0, left)]
        let slope = (line[min(columns - 1, left + 1)] - from) / Float(cell)
        let end = min(width, left * cell + half + cell)
        var value = from + slope * (Float(x - left * cell - half) + (cell % 2 == 0 ? 0.5 : 0))
        while x < end {
          unsafe gains[x &* step &+ first] = Int32(value)
          value += slope
          x &+= 1
        }
      }
      while x < width {
        unsafe gains[x &* step &+ first] = Int32(line[columns - 1])
        x &+= 1
      }
    }
  }
}
