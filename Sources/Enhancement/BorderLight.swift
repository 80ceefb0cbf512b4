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
    let zone = dilate(
      borders.map { $0 ? 1 : 0 }, columns: columns, rows: rows, radius: reach, on: grid.page.processor)
    let luma = means.count == 1 ? means[0] : luma(of: means)
    let fine = grid.fineLuma()
    // The finer light is the brightest of what is around, noise included: where both are known, it shows by how much it is too bright.
    let outside = known.indices.map { known[$0] && zone[$0] == 0 }
    var ratios = luma
    unsafe ratios.withUnsafeMutableBufferPointer { ratios in
      unsafe fine.withUnsafeBufferPointer { fine in
        for row in 0..<rows {
          let (start, next) = (4 * row * columns, (4 * row + 2) * columns)
          for column in 0..<columns {
            let first = unsafe fine[start &+ 2 &* column] + fine[start &+ 2 &* column &+ 1]
            let second = unsafe fine[next &+ 2 &* column] + fine[next &+ 2 &* column &+ 1]
            unsafe ratios[row &* columns &+ column] /= max(1, (first + second) / 4)
          }
        }
      }
    }
    let excess = doubled(
      filled(ratios, known: outside, columns: columns, rows: rows, fallback: 1), columns: columns, rows: rows)
    // Nothing between a light and a dark side is darker or brighter than both.
    let sure = luma.indices.map { known[$0] ? luma[$0] : 0 }
    let most = dilate(sure, columns: columns, rows: rows, radius: limits, on: grid.page.processor)
    let least = erode(
      luma.indices.map { known[$0] ? luma[$0] : 255 }, columns: columns, rows: rows, radius: limits,
      on: grid.page.processor)
    let weights = doubled(
      boxBlur(zone, columns: columns, rows: rows, radius: 1), columns: columns, rows: rows)
    let smooth = doubled(luma, columns: columns, rows: rows)
    var factors = [Float](repeating: 1, count: smooth.count)
    unsafe factors.withUnsafeMutableBufferPointer { factors in
      unsafe weights.withUnsafeBufferPointer { weights in
        for index in 0..<weights.count {
          let weight = unsafe weights[index]
          // Few cells lie on borders.
          guard weight > 0 else { continue }
          let cell = (index / (4 * columns)) * columns + (index % (2 * columns)) / 2
          let (low, high) = (min(least[cell], most[cell]), max(least[cell], most[cell]))
          let exact = min(high, max(low, fine[index] * excess[index]))
          unsafe factors[index] = 1 + weight * (exact / max(1, smooth[index]) - 1)
        }
      }
    }
    return means.map { product(doubled($0, columns: columns, rows: rows), factors) }
  }

  private static func luma(of planes: [[Float]]) -> [Float] {
    unsafe [Float](unsafeUninitializedCapacity: planes[0].count) { output, count in
      unsafe planes[0].withUnsafeBufferPointer { red in
        unsafe planes[1].withUnsafeBufferPointer { green in
          unsafe planes[2].withUnsafeBufferPointer { blue in
            for cell in 0..<red.count {
              unsafe output[cell] = (77 * red[cell] + 150 * green[cell] + 29 * blue[cell]) / 256
            }
          }
        }
      }
      count = planes[0].count
    }
  }
}

/// A plane with twice as many columns and rows, linear between the cells' centres.
func doubled(_ plane: [Float], columns: Int, rows: Int) -> [Float] {
  unsafe [Float](unsafeUninitializedCapacity: 4 * columns * rows) { result, count in
    unsafe plane.withUnsafeBufferPointer { plane in
      for row in 0..<2 * rows {
        let near = row / 2
        let far = min(rows - 1, max(0, row % 2 == 0 ? near - 1 : near + 1))
        let (nearStart, farStart, start) = (near * columns, far * columns, row * 2 * columns)
        for own in 0..<columns {
          let (left, right) = (max(0, own &- 1), min(columns &- 1, own &+ 1))
          let (nearOwn, farOwn) = unsafe (0.75 * plane[nearStart &+ own], 0.75 * plane[farStart &+ own])
          let place = start &+ 2 &* own
          unsafe result[place] =
            0.75 * (nearOwn + 0.25 * plane[nearStart &+ left])
            + 0.25 * (farOwn + 0.25 * plane[farStart &+ left])
          unsafe result[place &+ 1] =
            0.75 * (nearOwn + 0.25 * plane[nearStart &+ right])
            + 0.25 * (farOwn + 0.25 * plane[farStart &+ right])
        }
      }
    }
    count = 4 * columns * rows
  }
}
