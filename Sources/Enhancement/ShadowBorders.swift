internal import Raster

/// Finds the sudden steps that shadows with sharp borders make, which are light after all.
///
/// A shadow takes the same share from all colours, leaves a part of the light, and ends more gently than ink does: compared at full size,
/// its edge is wider than print's.
struct ShadowBorders {
  /// How deep shadows are, as the step of the logarithm of samples: from a tenth darker to a seventh of the light.
  private static let depths: ClosedRange<Float> = 0.08...0.9
  /// How much the steps of the channels may differ: at least, and as a share of the step, since what lights a shadow is often bluer.
  private static let tint: (least: Float, share: Float) = (0.03, 0.2)
  /// How many pixels wide a shadow's edge is at least, and how many times as wide as print's.
  private static let leastWidth: Float = 3.2
  private static let timesPrint: Float = 1.8
  /// Cells on each side whose steps are asked, and the share of them that must be soft.
  private static let reach = 3
  private static let majority = 0.6
  /// Lines across each step that are looked at.
  private static let lines = 3

  private enum Verdict: UInt8 { case none, soft, hard }

  /// Unmarks the links that are borders of shadows, and tells the cells that touch them.
  static func takeOut(of sudden: inout Links, level: [Float], in grid: PaperGrid, page: Raster) -> [Bool] {
    var borders = [Bool](repeating: false, count: level.count)
    let widths = EdgeWidths(of: page)
    // Read only on pages that have something like a shadow.
    var known: Float?
    func softFrom() -> Float {
      if let known { return known }
      let width = max(leastWidth, timesPrint * widths.printWidth())
      known = width
      return width
    }
    for isLying in [true, false] {
      let step = isLying ? 1 : grid.columns
      var marks = isLying ? sudden.right : sudden.down
      let verdicts = marks.indices.map { cell in
        marks[cell]
          ? verdict(cell, lying: isLying, level: level, in: grid, widths: widths, softFrom: softFrom) : .none
      }
      for cell in marks.indices where marks[cell] {
        guard isBorder(cell, verdicts, in: grid) else { continue }
        marks[cell] = false
        borders[cell] = true
        borders[cell + step] = true
      }
      if isLying { sudden.right = marks } else { sudden.down = marks }
    }
    return borders
  }

  /// Whether most of the steps around are soft ones.
  private static func isBorder(_ cell: Int, _ verdicts: [Verdict], in grid: PaperGrid) -> Bool {
    var (soft, hard) = (0, 0)
    let (column, row) = (cell % grid.columns, cell / grid.columns)
    for y in max(0, row - reach)...min(grid.rows - 1, row + reach) {
      for x in max(0, column - reach)...min(grid.columns - 1, column + reach) {
        switch verdicts[y * grid.columns + x] {
        case .none: break
        case .soft: soft += 1
        case .hard: hard += 1
        }
      }
    }
    return soft > 0 && Double(soft) >= majority * Double(soft + hard)
  }

  private static func verdict(
    _ cell: Int, lying: Bool, level: [Float], in grid: PaperGrid, widths: EdgeWidths, softFrom: () -> Float
  ) -> Verdict {
    let (column, row) = (cell % grid.columns, cell / grid.columns)
    let (place, length) = lying ? (column, grid.columns) : (row, grid.rows)
    let step = lying ? 1 : grid.columns
    let first = cell - min(1, place) * step
    let last = cell + min(3, length - 1 - place) * step
    let depth = abs(level[last] - level[first])
    guard depths.contains(depth) else { return .hard }
    // What crosses the line at a flat angle looks wider than it is: such links follow the others.
    let aside = lying ? grid.columns : 1
    let (before, after) = (cell - 2 * aside, cell + 2 * aside)
    if level.indices.contains(before), level.indices.contains(after),
      abs(level[after] - level[before]) > depth
    {
      return .none
    }
    guard isNeutral(first, last, depth: depth, in: grid) else { return .hard }
    let isFalling = level[last] < level[first]
    let (high, low) = isFalling ? (grid.luma(first), grid.luma(last)) : (grid.luma(last), grid.luma(first))
    let start = (place - min(1, place)) * grid.cell
    let across = (lying ? row : column) * grid.cell
    // Widths are compared last: they cost the most.
    let found = (0..<lines).map { line in
      widths.width(
        from: start, count: 5 * grid.cell, across: across + (2 * line + 1) * grid.cell / (2 * lines),
        lying: lying,
        darkEnd: isFalling, low: low, high: high)
    }
    .sorted()
    return found[lines / 2] >= softFrom() ? .soft : .hard
  }

  /// Whether two cells differ by the same share in all colours.
  private static func isNeutral(_ first: Int, _ last: Int, depth: Float, in grid: PaperGrid) -> Bool {
    let ratios = grid.planes.map { ($0[first] + encodingOffset) / ($0[last] + encodingOffset) }
    guard let most = ratios.max(), let least = ratios.min() else { return true }
    return most / least - 1 < max(tint.least, tint.share * depth)
  }
}
