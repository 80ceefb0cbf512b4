/// Finds the surface whose slopes are nearest to given ones, on a grid with free rims: Poisson's equation, by multigrid.
///
/// Unknown is u with `sum of (neighbour − u) = divergence` for every cell. The mean of u is 0.
struct PoissonSolver {
  /// Rounds of the V-cycle; each leaves about a third of the error.
  private static let rounds = 8
  /// Sweeps of Gauss–Seidel before and after each correction.
  private static let sweeps = 2

  static func solve(divergence: [Float], columns: Int, rows: Int) -> [Float] {
    var surface = [Float](repeating: 0, count: columns * rows)
    for _ in 0..<rounds { cycle(&surface, divergence, columns: columns, rows: rows) }
    let mean = surface.reduce(0, +) / Float(surface.count)
    for index in surface.indices { surface[index] -= mean }
    return surface
  }

  private static func cycle(_ surface: inout [Float], _ divergence: [Float], columns: Int, rows: Int) {
    if columns * rows <= 16 || columns < 2 || rows < 2 {
      for _ in 0..<40 { relax(&surface, divergence, columns: columns, rows: rows) }
      return
    }
    for _ in 0..<sweeps { relax(&surface, divergence, columns: columns, rows: rows) }
    // The error obeys the same equation. Over cells twice as wide the fluxes add up, so the coarse right side is a plain sum.
    let (halfColumns, halfRows) = ((columns + 1) / 2, (rows + 1) / 2)
    var coarse = [Float](repeating: 0, count: halfColumns * halfRows)
    unsafe surface.withUnsafeBufferPointer { u in
      unsafe divergence.withUnsafeBufferPointer { f in
        for y in 0..<rows {
          for x in 0..<columns {
            let index = y &* columns &+ x
            let here = unsafe u[index]
            var flux: Float = 0
            if x > 0 { unsafe flux += u[index &- 1] - here }
            if x &+ 1 < columns { unsafe flux += u[index &+ 1] - here }
            if y > 0 { unsafe flux += u[index &- columns] - here }
            if y &+ 1 < rows { unsafe flux += u[index &+ columns] - here }
            coarse[(y / 2) * halfColumns + x / 2] += unsafe f[index] - flux
          }
        }
      }
    }
    var correction = [Float](repeating: 0, count: coarse.count)
    cycle(&correction, coarse, columns: halfColumns, rows: halfRows)
    for y in 0..<rows {
      // Between the centres of coarse cells the correction runs linearly.
      let (near, far) = neighbours(y, count: halfRows)
      for x in 0..<columns {
        let (left, right) = neighbours(x, count: halfColumns)
        let upper =
          0.75 * correction[near * halfColumns + left] + 0.25 * correction[near * halfColumns + right]
        let lower = 0.75 * correction[far * halfColumns + left] + 0.25 * correction[far * halfColumns + right]
        surface[y * columns + x] += 0.75 * upper + 0.25 * lower
      }
    }
    for _ in 0..<sweeps { relax(&surface, divergence, columns: columns, rows: rows) }
  }

  /// The coarse cell a fine one lies in, and the coarse one next to it on the fine one's side.
  @inline(__always)
  private static func neighbours(_ index: Int, count: Int) -> (Int, Int) {
    let own = index / 2
    return (own, min(count - 1, max(0, index % 2 == 0 ? own - 1 : own + 1)))
  }

  private static func relax(_ surface: inout [Float], _ divergence: [Float], columns: Int, rows: Int) {
    unsafe surface.withUnsafeMutableBufferPointer { u in
      unsafe divergence.withUnsafeBufferPointer { f in
        // Red cells, then black ones, so that the order of the sweep doesn't show.
        for colour in 0..<2 {
          for y in 0..<rows {
            for x in stride(from: (y &+ colour) & 1, to: columns, by: 2) {
              let index = y &* columns &+ x
              var sum: Float = 0
              var count: Float = 0
              if x > 0 {
                unsafe sum += u[index &- 1]
                count += 1
              }
              if x &+ 1 < columns {
                unsafe sum += u[index &+ 1]
                count += 1
              }
              if y > 0 {
                unsafe sum += u[index &- columns]
                count += 1
              }
              if y &+ 1 < rows {
                unsafe sum += u[index &+ columns]
                count += 1
              }
              if count > 0 { unsafe u[index] = (sum - f[index]) / count }
            }
          }
        }
      }
    }
  }
}
