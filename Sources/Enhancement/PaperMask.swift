internal import Raster

/// Tells which cells of a page are blank paper, in light or shadow, and which are print, pictures or things that lie on it.
///
/// Print has sharp edges, light hasn't: steps between cells that happen all at once are taken for print, the rest for light
/// (after Land and McCann's Retinex 1971, and Horn 1974). What the soft steps add up to is the light; what is left is print.
struct PaperMask {
  /// Steps of the logarithm below this are never print: noise, and the slightest tints.
  private static let leastStep: Float = 0.035
  /// The share of a change over six cells that print makes within two.
  private static let suddenness: Float = 0.72
  /// How far a cell's reflectance may be off the paper's around it, as a logarithm, and still be paper.
  private static let paperDepth: Float = 0.025
  /// Neighbouring cells of one region differ by less than this; more where the photo is noisy.
  private static let jumps: ClosedRange<Float> = 0.018...0.05
  /// The least share of the page that the brightest region has to have to be its paper.
  private static let leastPaper = 0.1
  /// From this share of the page on, a region a little darker than the paper may be paper beyond a fold.
  private static let leastFacet = 0.05
  /// How much darker the far side of a fold may be, as a logarithm, and how much its colour may differ.
  private static let facetDepth: Float = 0.13
  private static let facetTint: Float = 0.03

  /// Which cells are paper, and which lie on the borders of shadows.
  static func paper(in grid: PaperGrid, of page: Raster) -> (paper: [Bool], borders: [Bool]) {
    let (columns, rows) = (grid.columns, grid.rows)
    let level = grid.logarithms()
    var sudden = Links(count: level.count)
    for row in 0..<rows {
      markSuddenSteps(
        of: level, along: Line(start: row * columns, step: 1, count: columns), in: &sudden.right)
    }
    for column in 0..<columns {
      markSuddenSteps(of: level, along: Line(start: column, step: columns, count: rows), in: &sudden.down)
    }
    var borders = ShadowBorders.takeOut(of: &sudden, level: level, in: grid, page: page)
    var divergence = [Float](repeating: 0, count: level.count)
    for cell in level.indices where !grid.blank[cell] {
      let (right, below) = (cell + 1, cell + columns)
      if right % columns != 0, !sudden.right[cell], !grid.blank[right] {
        divergence[cell] += level[right] - level[cell]
        divergence[right] -= level[right] - level[cell]
      }
      if below < level.count, !sudden.down[cell], !grid.blank[below] {
        divergence[cell] += level[below] - level[cell]
        divergence[below] -= level[below] - level[cell]
      }
    }
    let light = PoissonSolver.solve(
      divergence: divergence, columns: columns, rows: rows, on: grid.page.processor)
    let reflectance = level.indices.map { level[$0] - light[$0] }
    let jump = min(max(5 * typicalStep(reflectance, columns: columns), jumps.lowerBound), jumps.upperBound)
    let regions = Regions(
      of: reflectance, columns: columns, rows: rows, jump: jump, cuts: sudden, leftOut: grid.blank)
    var chosen = paperRegions(regions, in: grid)
    let shadows = SharpShadows.among(regions, notIn: chosen, reflectance: reflectance, in: grid)
    if shadows.contains(true) {
      let sharp = SharpShadows.borders(of: shadows, to: chosen, regions, in: grid)
      borders = zip(borders, sharp).map { $0 || $1 }
      chosen = zip(chosen, shadows).map { $0 || $1 }
    }
    let sure = regions.labels.map { [chosen] in $0 != Regions.none && chosen[$0] }
    // Sums of many steps drift: paper is compared with the paper around it, not with that at the other end of the page.
    let around = filled(reflectance, known: sure, columns: columns, rows: rows, fallback: 0)
    let paper = reflectance.indices.map { cell in
      sure[cell] || (!grid.blank[cell] && abs(reflectance[cell] - around[cell]) < paperDepth)
    }
    return (paper, borders)
  }

  /// The middle one of the steps from cell to cell: noise, since most of a page is one thing.
  private static func typicalStep(_ values: [Float], columns: Int) -> Float {
    let steps = stride(from: 0, to: values.count - 1, by: 7).filter { $0 % columns != columns - 1 }
      .map { abs(values[$0 + 1] - values[$0]) }.sorted()
    return steps.isEmpty ? 0 : steps[steps.count / 2]
  }

  /// Which regions are paper: the brightest of the large ones, and what looks like more of it beyond a fold.
  private static func paperRegions(_ regions: Regions, in grid: PaperGrid) -> [Bool] {
    var chosen = [Bool](repeating: false, count: regions.areas.count)
    let total = Double(grid.columns * grid.rows)
    let large = regions.areas.indices.filter { Double(regions.areas[$0]) >= leastPaper * total }
    let main =
      large.max { regions.means[$0] < regions.means[$1] }
      ?? regions.areas.indices.max { regions.areas[$0] < regions.areas[$1] }
    guard let main else { return chosen }
    chosen[main] = true
    let candidates = regions.areas.indices.filter { region in
      region != main && Double(regions.areas[region]) >= leastFacet * total
        && regions.means[region] > regions.means[main] - facetDepth
    }
    for region in candidates {
      chosen[region] = isNeutral(region, regions, in: grid, total: total, tint: facetTint)
    }
    return chosen
  }

  /// Whether a region differs from the large ones it touches by brightness alone.
  static func isNeutral(
    _ region: Int, _ regions: Regions, in grid: PaperGrid, total: Double, tint: Float
  ) -> Bool {
    guard grid.channels == 3 else { return true }
    var steps: [Float] = [0, 0, 0]
    var count: Float = 0
    func compare(_ first: Int, _ second: Int) {
      let (one, other) = (regions.labels[first], regions.labels[second])
      guard one != other, one == region || other == region, one != Regions.none, other != Regions.none,
        Double(regions.areas[one]) >= leastFacet * total, Double(regions.areas[other]) >= leastFacet * total
      else { return }
      let (inside, outside) = one == region ? (first, second) : (second, first)
      count += 1
      for channel in 0..<3 {
        let plane = grid.planes[channel]
        steps[channel] += (plane[inside] - plane[outside]) / (plane[outside] + encodingOffset)
      }
    }
    // Two cells apart, since the one between may belong to both sides.
    for y in 0..<grid.rows {
      for x in 0..<grid.columns {
        let cell = y * grid.columns + x
        if x + 2 < grid.columns { compare(cell, cell + 2) }
        if y + 2 < grid.rows { compare(cell, cell + 2 * grid.columns) }
      }
    }
    guard count > 0, let most = steps.max(), let least = steps.min() else { return false }
    return (most - least) / count < tint
  }

  private struct Line {
    let start: Int
    let step: Int
    let count: Int
    func index(_ place: Int) -> Int { start + place * step }
  }

  private static func markSuddenSteps(of level: [Float], along line: Line, in marks: inout [Bool]) {
    let last = line.count - 1
    for place in 0..<max(0, last - 1) {
      let step = abs(level[line.index(place + 2)] - level[line.index(place)])
      guard step > leastStep else { continue }
      let around = abs(level[line.index(min(last, place + 4))] - level[line.index(max(0, place - 2))])
      if step > suddenness * around {
        marks[line.index(place)] = true
        marks[line.index(place + 1)] = true
      }
    }
  }
}
