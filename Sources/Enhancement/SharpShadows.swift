/// Finds the regions of a page that are its paper under a shadow whose border is as sharp as print.
///
/// Its border doesn't tell such a shadow from a printed block. But a shadow comes in from the page's rim, is large, takes the same share
/// from all colours, and has nothing on it that is lighter than itself.
enum SharpShadows {
  /// The least share of the page.
  private static let leastArea = 0.06
  /// How much darker than paper, as a logarithm: down to four tenths of the samples.
  private static let depths: ClosedRange<Float> = 0.05...0.9
  /// The least share of the page's rim that lies in it.
  private static let leastRim = 0.03
  /// How much the steps of the channels may differ, as a share of the depth, since what lights a shadow is often bluer; and at least.
  private static let tint: (least: Float, share: Float) = (0.03, 0.2)
  /// Cells on each side over which print in a region is bridged, how much lighter such print is, and how much of it makes a block of the region.
  private static let bridged = 8
  private static let lighter: Float = 0.08
  private static let mostLightPrint = 0.02
  /// Cells on each side of a border that belong to it.
  private static let borderReach = 2

  /// Which regions are shadows, of those that weren't chosen as paper.
  static func among(
    _ regions: Regions, notIn chosen: [Bool], reflectance: [Float], in grid: PaperGrid
  ) -> [Bool] {
    var shadows = [Bool](repeating: false, count: chosen.count)
    let total = Double(grid.columns * grid.rows)
    guard
      let paper = chosen.indices.filter({ chosen[$0] }).max(by: { regions.means[$0] < regions.means[$1] })
    else { return shadows }
    let candidates = chosen.indices.filter { region in
      !chosen[region] && Double(regions.areas[region]) >= leastArea * total
        && depths.contains(regions.means[paper] - regions.means[region])
    }
    guard !candidates.isEmpty else { return shadows }
    let rims = rimCells(regions, in: grid)
    for region in candidates {
      let depth = regions.means[paper] - regions.means[region]
      shadows[region] =
        Double(rims[region]) >= leastRim * Double(2 * (grid.columns + grid.rows))
        && !hasLightPrint(region, regions, reflectance: reflectance, in: grid)
        && PaperMask.isNeutral(
          region, regions, in: grid, total: total, tint: max(tint.least, tint.share * depth))
    }
    return shadows
  }

  /// The cells along the borders between paper and shadows.
  static func borders(of shadows: [Bool], to chosen: [Bool], _ regions: Regions, in grid: PaperGrid) -> [Bool]
  {
    func near(_ marks: [Bool]) -> [Float] {
      let cells: [Float] = regions.labels.map { $0 != Regions.none && marks[$0] ? 1 : 0 }
      return dilate(
        cells, columns: grid.columns, rows: grid.rows, radius: borderReach, on: grid.page.processor)
    }
    return zip(near(chosen), near(shadows)).map { $0 > 0 && $1 > 0 }
  }

  private static func rimCells(_ regions: Regions, in grid: PaperGrid) -> [Int] {
    var counts = [Int](repeating: 0, count: regions.areas.count)
    for y in 0..<grid.rows {
      for x in 0..<grid.columns where x == 0 || y == 0 || x == grid.columns - 1 || y == grid.rows - 1 {
        let label = regions.labels[y * grid.columns + x]
        if label != Regions.none { counts[label] += 1 }
      }
    }
    return counts
  }

  private static func hasLightPrint(
    _ region: Int, _ regions: Regions, reflectance: [Float], in grid: PaperGrid
  ) -> Bool {
    let own: [Float] = regions.labels.map { $0 == region ? 1 : 0 }
    let solid = closed(
      own, columns: grid.columns, rows: grid.rows, radius: bridged, on: grid.page.processor)
    let limit = regions.means[region] + lighter
    let light = own.indices.count { solid[$0] > 0 && own[$0] == 0 && reflectance[$0] > limit }
    return Double(light) > mostLightPrint * Double(regions.areas[region])
  }
}
