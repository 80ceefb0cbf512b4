extension PaperGrid {
  /// Luma of the light in cells half as wide: the brighter half of each, with strokes bridged as in the planes.
  func fineLuma() -> [Float] {
    var plane = [Float](repeating: 0, count: 4 * columns * rows)
    let half = max(1, side / 2)
    for row in 0..<2 * rows {
      for column in 0..<2 * columns {
        // At the page's end a half may have no pixels of its own.
        let left = min(page.width - 1, (column / 2) * side + (column % 2) * half)
        let top = min(page.height - 1, (row / 2) * side + (row % 2) * half)
        let (right, bottom) = (min(page.width, left + half), min(page.height, top + half))
        let (sum, count, _) = lumas(left..<right, top..<bottom, from: 0)
        let bright = lumas(left..<right, top..<bottom, from: Float(sum) / Float(count))
        plane[row * 2 * columns + column] = Float(bright.sum) / Float(128 * max(1, bright.count))
      }
    }
    return closed(plane, columns: 2 * columns, rows: 2 * rows, radius: 2 * strokeCells)
  }

  /// How far paper's pixels may be below and above the grid's samples at first: noise, blur, and the grid's own bias.
  private static let widestBand: ClosedRange<Float> = 0.9...1.07
  /// How many deviations of its noise paper's pixels may be off its mean, and how far at least, as a share.
  private static let deviations: Float = 2.5
  private static let narrowestBand: Float = 0.012
  /// Cells on each side over which paper's level is compared with the grid's samples: wider than strokes.
  private static let comparedCells = 6

  /// In each cell, the mean colour of the pixels that are paper, and their share squared.
  ///
  /// The grid's own samples are made of bright halves and of the brightest cells around, so they are above the paper's mean, among
  /// strokes more than elsewhere. They serve to find the paper's level in a wider surrounding and how noisy it is; the pixels that lie
  /// about that level are the paper's. A faint stroke, though as wide as a cell, is a little below them.
  func paperMeans(among paper: [Bool]) -> (means: [[Float]], weights: [Float]) {
    var ratios = [Float](repeating: 0, count: columns * rows)
    var weights = ratios
    var spreads: [Float] = []
    var sums = CellSums(page, side: side)
    for row in 0..<rows {
      setLimits(of: &sums, row: row, among: paper) {
        luma($0)
      } band: {
        Self.widestBand
      }
      sums.add(row: row)
      for column in 0..<columns where sums.counts[column] > 0 {
        let cell = row * columns + column
        let share = Float(sums.counts[column]) / Float(sums.area(column: column, row: row))
        weights[cell] = share * share
        ratios[cell] = (sums.luma(column) - Self.reserve) / luma(cell) * weights[cell]
        if share > 0.95, cell % Self.spreadStep == 0 { spreads.append(spread(column, row)) }
      }
    }
    let radius = Self.comparedCells
    let levels = boxBlur(ratios, columns: columns, rows: rows, radius: radius)
    let counts = boxBlur(weights, columns: columns, rows: rows, radius: radius)
    let noise = spreads.isEmpty ? 0.02 : spreads.sorted()[spreads.count / 2]
    let band = min(0.1, max(Self.narrowestBand, Self.deviations * noise))
    var means = planes
    for row in 0..<rows {
      setLimits(of: &sums, row: row, among: paper) { cell in
        luma(cell) * (counts[cell] > 0.001 ? levels[cell] / counts[cell] : 1)
      } band: {
        1 - band...1 + band
      }
      sums.add(row: row)
      for column in 0..<columns {
        let cell = row * columns + column
        let count = Float(sums.counts[column])
        let share = count / Float(sums.area(column: column, row: row))
        weights[cell] = share * share
        guard count > 0 else { continue }
        for channel in 0..<channels { means[channel][cell] = Float(sums.sums[channel][column]) / count }
      }
    }
    return (means, weights)
  }

  /// Has the pixels chosen that lie in a band about each cell's level, and none in cells that aren't paper.
  private func setLimits(
    of sums: inout CellSums, row: Int, among paper: [Bool], level: (Int) -> Float,
    band: () -> ClosedRange<Float>
  ) {
    let band = band()
    for column in 0..<columns {
      let cell = row * columns + column
      if paper[cell] {
        let scaled = 128 * level(cell)
        sums.lows[column] = Int16(max(0, min(32767, scaled * band.lowerBound)))
        sums.highs[column] = Int16(max(0, min(32767, scaled * band.upperBound)))
      } else {
        (sums.lows[column], sums.highs[column]) = (Int16.max, 0)
      }
    }
  }

  /// The deviation of a cell's luma, as a share of its mean.
  private func spread(_ column: Int, _ row: Int) -> Float {
    let (right, bottom) = (min(page.width, (column + 1) * side), min(page.height, (row + 1) * side))
    let (sum, count, square) = lumas(column * side..<right, row * side..<bottom, from: 0)
    let mean = Float(sum) / Float(count)
    return max(0, Float(square) / Float(count) - mean * mean).squareRoot() / max(128, mean)
  }

  /// Sum, number and sum of squares of the lumas, times 128, of some of the pixels that are looked at.
  private func lumas(_ x: Range<Int>, _ y: Range<Int>, from low: Float) -> (sum: Int, count: Int, square: Int)
  {
    var (sum, count, square) = (0, 0, 0)
    for row in y {
      for column in x {
        let luma = Int(page.lumas[row &* page.stride &+ column])
        guard Float(luma) >= low else { continue }
        sum &+= luma
        count &+= 1
        square &+= luma &* luma
      }
    }
    return (sum, count, square)
  }

  /// Paper's level is taken a little low, in levels: too dark a map leaves paper white, too bright a one leaves a veil in shadows.
  private static let reserve: Float = 0.75

  /// Noise is looked at in every so-manieth cell.
  private static let spreadStep = 11
}
