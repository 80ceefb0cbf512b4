private import CEnhanceKernels

/// Finds the surface whose slopes are nearest to given ones, on a grid with free rims: Poisson's equation, by multigrid.
///
/// Unknown is u with `sum of (neighbour − u) = divergence` for every cell. The mean of u is 0.
struct PoissonSolver {
  /// Rounds of the V-cycle; each leaves about a third of the error.
  private static let rounds = 8
  /// Sweeps of relaxation before and after each correction.
  private static let sweeps = 2
  /// Sweeps that solve the smallest grid.
  private static let lastSweeps = 60
  /// Cells of a grid that is solved by sweeps alone.
  private static let smallest = 16
  /// The share of a relaxation's step that is taken: what smooths two-dimensional error best (Trottenberg, Multigrid, 2001).
  private static let damping: Float = 0.8

  static func solve(divergence: [Float], columns: Int, rows: Int, on processor: Processor) -> [Float] {
    var grids = [Grid(columns: columns, rows: rows)]
    while let last = grids.last, last.count > smallest, last.columns > 1, last.rows > 1 {
      grids.append(Grid(columns: (last.columns + 1) / 2, rows: (last.rows + 1) / 2))
    }
    let first = grids[0]
    for cell in 0..<first.count { first.divergence[cell] = divergence[cell] }
    let solver = PoissonSolver(grids: grids, processor: processor)
    for _ in 0..<rounds { solver.cycle(0) }
    let solution = unsafe Array(UnsafeBufferPointer(start: first.surface.start, count: first.count))
    withExtendedLifetime(first) {}
    let mean = solution.reduce(0, +) / Float(solution.count)
    return solution.map { $0 - mean }
  }

  /// One of the grids, each of cells twice as wide as those of the one before.
  private struct Grid {
    let columns: Int
    let rows: Int
    var count: Int { columns * rows }
    let surface: Strip<Float>
    let divergence: Strip<Float>
    /// What the surface is relaxed into, in turn.
    let other: Strip<Float>

    init(columns: Int, rows: Int) {
      (self.columns, self.rows) = (columns, rows)
      surface = Strip(count: columns * rows, filledWith: 0)
      divergence = Strip(count: columns * rows, filledWith: 0)
      other = Strip(count: columns * rows, filledWith: 0)
    }
  }

  private let grids: [Grid]
  private let processor: Processor

  private func cycle(_ level: Int) {
    let grid = grids[level]
    guard level + 1 < grids.count else {
      relax(grid, times: Self.lastSweeps)
      return
    }
    relax(grid, times: Self.sweeps)
    // The error obeys the same equation. Over cells twice as wide the fluxes add up, so the coarse right side is a plain sum.
    let coarse = grids[level + 1]
    unsafe coarse.surface.start.update(repeating: 0, count: coarse.count)
    unsafe coarse.divergence.start.update(repeating: 0, count: coarse.count)
    for row in 0..<grid.rows {
      let lines = unsafe Lines(of: grid, row: row)
      unsafe flatbed_residual_row(
        processor.isWide, lines.above, lines.here, lines.below, lines.divergence, grid.columns,
        grid.other.start, coarse.divergence.start + row / 2 * coarse.columns)
    }
    cycle(level + 1)
    addLinearly(coarse, to: grid)
    relax(grid, times: Self.sweeps)
    withExtendedLifetime((grid, coarse)) {}
  }

  /// Adds the values of cells twice as wide; between their centres they run linearly.
  private func addLinearly(_ coarse: Grid, to grid: Grid) {
    for row in 0..<grid.rows {
      let near = row / 2
      let far = min(coarse.rows - 1, max(0, row % 2 == 0 ? near - 1 : near + 1))
      unsafe flatbed_add_coarse_row(
        processor.isWide, coarse.surface.start + near * coarse.columns,
        coarse.surface.start + far * coarse.columns, grid.columns, grid.other.start,
        grid.surface.start + row * grid.columns)
    }
    withExtendedLifetime((grid, coarse)) {}
  }

  /// A row of a grid and its neighbours; beyond the rim the row itself goes on, so nothing flows.
  @unsafe private struct Lines {
    let above: UnsafePointer<Float>
    let here: UnsafePointer<Float>
    let below: UnsafePointer<Float>
    let divergence: UnsafePointer<Float>

    init(of grid: Grid, row: Int) {
      unsafe self.init(grid.surface.start, grid, row)
    }

    init(_ surface: UnsafeMutablePointer<Float>, _ grid: Grid, _ row: Int) {
      unsafe above = UnsafePointer(surface + max(0, row - 1) * grid.columns)
      unsafe here = UnsafePointer(surface + row * grid.columns)
      unsafe below = UnsafePointer(surface + min(grid.rows - 1, row + 1) * grid.columns)
      unsafe divergence = UnsafePointer(grid.divergence.start + row * grid.columns)
    }
  }

  /// Damped relaxation.
  ///
  /// - Parameter times: an even number, since the surface goes to and fro.
  private func relax(_ grid: Grid, times: Int) {
    guard grid.columns > 1 else {
      for _ in 0..<times { relaxColumn(grid) }
      return
    }
    var (from, to) = unsafe (grid.surface.start, grid.other.start)
    for _ in 0..<times {
      for row in 0..<grid.rows {
        let lines = unsafe Lines(from, grid, row)
        let vertical: Float = (row > 0 ? 1 : 0) + (row < grid.rows - 1 ? 1 : 0)
        // With a neighbour fewer, the same step is worth more.
        unsafe flatbed_relax_row(
          processor.isWide, lines.above, lines.here, lines.below, lines.divergence, grid.columns,
          -Self.damping / (2 + vertical), -Self.damping / (1 + vertical), to + row * grid.columns)
      }
      unsafe swap(&from, &to)
    }
    withExtendedLifetime(grid) {}
  }

  private func relaxColumn(_ grid: Grid) {
    for row in 0..<grid.rows {
      var (sum, count): (Float, Float) = (0, 0)
      for neighbour in [row - 1, row + 1] where neighbour >= 0 && neighbour < grid.rows {
        sum += grid.surface[neighbour]
        count += 1
      }
      if count > 0 { grid.surface[row] = (sum - grid.divergence[row]) / count }
    }
  }
}
