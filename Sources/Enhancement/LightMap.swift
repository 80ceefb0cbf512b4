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
  /// A plane for each channel of what brings paper to white, times 2¹²; see `darkness`.
  let gains: [[UInt16]]
  /// How much each cell is part of something large that isn't paper, such as a picture or a block, 0…256.
  let areas: [Int16]
  /// The share of the cells that are paper.
  let paperShare: Double

  /// The mean share of paper among the pixels of nine cells that they have to have to tell its colour.
  private static let leastWeight: Float = 0.02
  /// The most that light is made up for: 8 times, where white paper comes out at 20 of 255.
  private static let mostGain: Float = 7.99
  /// Things narrower than twice as many cells, and one, are no areas.
  private static let areaRadius = 2

  init(of page: Raster, on processor: Processor) {
    let grid = PaperGrid(of: page, on: processor)
    let (paper, borders) = PaperMask.paper(in: grid, of: page)
    var (means, known) = Self.paperMeans(grid, paper: paper)
    let other = zip(paper, grid.blank).map { $0 || $1 ? Float(0) : 1 }
    let core = erode(
      other, columns: grid.columns, rows: grid.rows, radius: Self.areaRadius, on: grid.page.processor)
    let area = dilate(
      core, columns: grid.columns, rows: grid.rows, radius: Self.areaRadius, on: grid.page.processor)
    var areas = boxBlur(area, columns: grid.columns, rows: grid.rows, radius: 1)
    paperShare = Double(paper.count { $0 }) / Double(paper.count)
    channels = grid.channels
    if borders.contains(true) {
      means = BorderLight.refined(means, known: known, borders: borders, in: grid)
      areas = doubled(areas, columns: grid.columns, rows: grid.rows)
      (columns, rows, cell) = (2 * grid.columns, 2 * grid.rows, grid.cell / 2)
    } else {
      (columns, rows, cell) = (grid.columns, grid.rows, grid.cell)
    }
    gains = means.map { plane in
      plane.map { sample in
        let gain = min(Self.mostGain, (255 + encodingOffset) / (max(1, sample) + encodingOffset))
        return UInt16(truncatingIfNeeded: Int32(gain * 4096))
      }
    }
    self.areas = areas.map { Int16(truncatingIfNeeded: Int32($0 * 256)) }
  }

  /// Paper's samples in every cell, a plane for each channel, and the cells in which they were seen; in the others they are guessed.
  private static func paperMeans(_ grid: PaperGrid, paper: [Bool]) -> (means: [[Float]], known: [Bool]) {
    let (columns, rows) = (grid.columns, grid.rows)
    // Cells at the rim of print may be half print: they are left out, too.
    let solid = erode(
      paper.map { $0 ? 1 : 0 }, columns: columns, rows: rows, radius: 1, on: grid.page.processor
    ).map { $0 > 0 }
    let (sums, weights) = grid.paperMeans(among: solid)
    let total = boxBlur(weights, columns: columns, rows: rows, radius: 1)
    let known = total.map { $0 > leastWeight }
    let means = sums.map { sum -> [Float] in
      let weighted = product(sum, weights)
      let blurred = boxBlur(weighted, columns: columns, rows: rows, radius: 1)
      let near = quotient(blurred, total, where: known, otherwise: weighted)
      return filled(near, known: known, columns: columns, rows: rows, fallback: 255)
    }
    return (means, known)
  }

  /// At least 1 where something is known.
  private static func quotient(
    _ first: [Float], _ second: [Float], where known: [Bool], otherwise: [Float]
  ) -> [Float] {
    unsafe [Float](unsafeUninitializedCapacity: first.count) { output, count in
      unsafe first.withUnsafeBufferPointer { first in
        unsafe second.withUnsafeBufferPointer { second in
          unsafe known.withUnsafeBufferPointer { known in
            unsafe otherwise.withUnsafeBufferPointer { otherwise in
              for index in 0..<first.count {
                unsafe output[index] =
                  known[index] ? max(1, first[index] / second[index]) : otherwise[index]
              }
            }
          }
        }
      }
      count = first.count
    }
  }
}
