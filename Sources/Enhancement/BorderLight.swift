/// Follows the light across borders of shadows, in cells half as wide as elsewhere.
enum BorderLight {
  /// Cells on each side of a border in which the finer light is used.
  private static let reach = 2
  /// Cells on each side that tell the darkest and the brightest that light can be.
  private static let limits = 4

  /// - Parameters:
  ///   - means: paper's samples in the grid's cells.
  ///   - known: cells in which paper was seen.
  ///   - borders: cells on borders of shadows.
  /// - Returns: the same in a grid of twice as many columns and rows.
  static func refined(_ means: [[Float]], known: [Bool], borders: [Bool], in grid: PaperGrid) -> [[Float]] {
    let (columns, rows) = (grid.columns, grid.rows)
    let zone = dilate(borders.map { $0 ? 1 : 0 }, columns: columns, rows: rows, radius: reach)
    let luma =
      means.count == 1
      ? means[0]
      : zip(means[0], zip(means[1], means[2])).map {
        (77 * $0 + 150 * $1.0 + 29 * $1.1) / 256
      }
    let fine = grid.fineLuma()
    // The finer light is the brightest of what is around, noise included: where both are known, it shows by how much it is too bright.
    let outside = known.indices.map { known[$0] && zone[$0] == 0 }
    let ratios = luma.indices.map { cell in
      let first = (cell / columns) * 4 * columns + (cell % columns) * 2
      let four = (fine[first] + fine[first + 1]) + (fine[first + 2 * columns] + fine[first + 2 * columns + 1])
      return luma[cell] / max(1, four / 4)
    }
    let excess = doubled(
      filled(ratios, known: outside, columns: columns, rows: rows, fallback: 1), columns: columns, rows: rows)
    // Nothing between a light and a dark side is darker or brighter than both.
    let sure = luma.indices.map { known[$0] ? luma[$0] : 0 }
    let most = dilate(sure, columns: columns, rows: rows, radius: limits)
    let least = erode(
      luma.indices.map { known[$0] ? luma[$0] : 255 }, columns: columns, rows: rows, radius: limits)
    let weights = doubled(
      boxBlur(zone, columns: columns, rows: rows, radius: 1), columns: columns, rows: rows)
    let smooth = doubled(luma, columns: columns, rows: rows)
    let factors = smooth.indices.map { index -> Float in
      guard weights[index] > 0 else { return 1 }
      let cell = (index / (4 * columns)) * columns + (index % (2 * columns)) / 2
      let (low, high) = (min(least[cell], most[cell]), max(least[cell], most[cell]))
      let exact = min(high, max(low, fine[index] * excess[index]))
      return 1 + weights[index] * (exact / max(1, smooth[index]) - 1)
    }
    return means.map { plane in
      zip(doubled(plane, columns: columns, rows: rows), factors).map { $0 * $1 }
    }
  }
}

/// A plane with twice as many columns and rows, linear between the cells' centres.
func doubled(_ plane: [Float], columns: Int, rows: Int) -> [Float] {
  var result = [Float](repeating: 0, count: 4 * columns * rows)
  for row in 0..<2 * rows {
    let near = row / 2
    let far = min(rows - 1, max(0, row % 2 == 0 ? near - 1 : near + 1))
    for column in 0..<2 * columns {
      let own = column / 2
      let next = min(columns - 1, max(0, column % 2 == 0 ? own - 1 : own + 1))
      let upper = 0.75 * plane[near * columns + own] + 0.25 * plane[near * columns + next]
      let lower = 0.75 * plane[far * columns + own] + 0.25 * plane[far * columns + next]
      result[row * 2 * columns + column] = 0.75 * upper + 0.25 * lower
    }
  }
  return result
}
