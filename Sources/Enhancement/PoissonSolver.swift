/// Finds the surface whose slopes are nearest to given ones, on a grid with free rims: Poisson's equation, by multigrid.
///
/// Unknown is u with `sum of (neighbour − u) = divergence` for every cell. The mean of u is 0.
struct PoissonSolver {
  /// Rounds of the V-cycle; each leaves about a third of the error.
  private static let rounds = 8
  /// Sweeps of relaxation before and after each correction.
  private static let sweeps = 2
  /// The share of a relaxation's step that is taken: what smooths two-dimensional error best (Trottenberg, Multigrid, 2001).
  private static let damping: Float = 0.8

  static func solve(divergence: [Float], columns: Int, rows: Int) -> [Float] {
    var surface = [Float](repeating: 0, count: columns * rows)
    for _ in 0..<rounds { cycle(&surface, divergence, columns: columns, rows: rows) }
    let mean = surface.reduce(0, +) / Float(surface.count)
    for index in surface.indices { surface[index] -= mean }
    return surface
  }

  private static func cycle(_ surface: inout [Float], _ divergence: [Float], columns: Int, rows: Int) {
    if columns * rows <= 16 || columns < 2 || rows < 2 {
      for _ in 0..<60 { relax(&surface, divergence, columns: columns, rows: rows) }
      return
    }
    for _ in 0..<sweeps { relax(&surface, divergence, columns: columns, rows: rows) }
    // The error obeys the same equation. Over cells twice as wide the fluxes add up, so the coarse right side is a plain sum.
    let (halfColumns, halfRows) = ((columns + 1) / 2, (rows + 1) / 2)
    var coarse = [Float](repeating: 0, count: halfColumns * halfRows)
    residual(surface, divergence, columns: columns, rows: rows) { row, line in
      unsafe coarse.withUnsafeMutableBufferPointer { coarse in
        unsafe line.withUnsafeBufferPointer { line in
          let start = (row / 2) &* halfColumns
          for half in 0..<columns / 2 {
            unsafe coarse[start &+ half] += line[2 &* half] + line[2 &* half &+ 1]
          }
          if columns % 2 == 1 { unsafe coarse[start &+ halfColumns &- 1] += line[columns &- 1] }
        }
      }
    }
    var correction = [Float](repeating: 0, count: coarse.count)
    cycle(&correction, coarse, columns: halfColumns, rows: halfRows)
    addLinearly(correction, to: &surface, columns: columns, rows: rows)
    for _ in 0..<sweeps { relax(&surface, divergence, columns: columns, rows: rows) }
  }

  /// Adds the values of cells twice as wide; between their centres they run linearly.
  private static func addLinearly(_ coarse: [Float], to surface: inout [Float], columns: Int, rows: Int) {
    let (halfColumns, halfRows) = ((columns + 1) / 2, (rows + 1) / 2)
    var line = [Float](repeating: 0, count: halfColumns)
    for row in 0..<rows {
      let near = row / 2
      let far = min(halfRows - 1, max(0, row % 2 == 0 ? near - 1 : near + 1))
      unsafe coarse.withUnsafeBufferPointer { coarse in
        unsafe line.withUnsafeMutableBufferPointer { line in
          for half in 0..<halfColumns {
            unsafe line[half] =
              0.75 * coarse[near &* halfColumns &+ half] + 0.25 * coarse[far &* halfColumns &+ half]
          }
        }
      }
      unsafe surface.withUnsafeMutableBufferPointer { surface in
        unsafe line.withUnsafeBufferPointer { line in
          for half in 0..<halfColumns {
            let place = row &* columns &+ 2 &* half
            let middle = unsafe 0.75 * line[half]
            unsafe surface[place] += middle + 0.25 * line[max(0, half &- 1)]
            if 2 &* half &+ 1 < columns {
              unsafe surface[place &+ 1] += middle + 0.25 * line[min(halfColumns &- 1, half &+ 1)]
            }
          }
        }
      }
    }
  }

  /// Hands over, row by row, by how much the equation is off.
  private static func residual(
    _ surface: [Float], _ divergence: [Float], columns: Int, rows: Int, _ body: (Int, [Float]) -> Void
  ) {
    var line = [Float](repeating: 0, count: columns)
    for row in 0..<rows {
      let here = row * columns
      // Beyond the rim the row itself goes on, so nothing flows.
      let above = max(0, row - 1) * columns
      let below = min(rows - 1, row + 1) * columns
      unsafe surface.withUnsafeBufferPointer { u in
        unsafe divergence.withUnsafeBufferPointer { f in
          unsafe line.withUnsafeMutableBufferPointer { line in
            for x in 1..<columns &- 1 {
              let flux =
                unsafe u[here &+ x &- 1] + u[here &+ x &+ 1] + u[above &+ x] + u[below &+ x] - 4
                * u[here &+ x]
              unsafe line[x] = f[here &+ x] - flux
            }
            for x in [0, columns &- 1] {
              let inner = x == 0 ? 1 : columns &- 2
              let flux = unsafe u[here &+ inner] + u[above &+ x] + u[below &+ x] - 3 * u[here &+ x]
              unsafe line[x] = f[here &+ x] - flux
            }
          }
        }
      }
      body(row, line)
    }
  }

  /// One step of damped relaxation.
  private static func relax(_ surface: inout [Float], _ divergence: [Float], columns: Int, rows: Int) {
    guard columns > 1 else {
      relaxColumn(&surface, divergence, rows: rows)
      return
    }
    var next = surface
    residual(surface, divergence, columns: columns, rows: rows) { row, line in
      let vertical: Float = (row > 0 ? 1 : 0) + (row < rows - 1 ? 1 : 0)
      let inner = -damping / (2 + vertical)
      let start = row * columns
      unsafe next.withUnsafeMutableBufferPointer { next in
        unsafe line.withUnsafeBufferPointer { line in
          for x in 0..<columns { unsafe next[start &+ x] += inner * line[x] }
          // With a neighbour fewer, the same step is worth more.
          let rim = -damping / (1 + vertical)
          for x in [0, columns &- 1] { unsafe next[start &+ x] += (rim - inner) * line[x] }
        }
      }
    }
    surface = next
  }

  private static func relaxColumn(_ surface: inout [Float], _ divergence: [Float], rows: Int) {
    for row in 0..<rows {
      var (sum, count): (Float, Float) = (0, 0)
      for neighbour in [row - 1, row + 1] where surface.indices.contains(neighbour) {
        sum += surface[neighbour]
        count += 1
      }
      if count > 0 { surface[row] = (sum - divergence[row]) / count }
    }
  }
}
