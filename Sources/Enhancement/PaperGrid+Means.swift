internal import CEnhanceKernels

extension PaperGrid {
  /// Luma of the light in cells half as wide: the brighter half of each, with strokes bridged as in the planes.
  func fineLuma() -> [Float] {
    let half = max(1, side / 2)
    var plane = [Float](repeating: 0, count: 4 * columns * rows)
    unsafe plane.withUnsafeMutableBufferPointer { plane in
      unsafe page.lumas.withUnsafeBufferPointer { lumas in
        for row in 0..<2 * rows {
          // At the page's end a half may have no pixels of its own.
          let top = min(page.height - 1, (row / 2) * side + (row % 2) * half)
          let bottom = min(page.height, top + half)
          for column in 0..<2 &* columns {
            let left = min(page.width &- 1, (column / 2) &* side &+ (column % 2) &* half)
            let right = min(page.width, left &+ half)
            let place = row &* 2 &* columns &+ column
            if right &- left == 2, bottom &- top == 2 {
              // The usual case, laid out.
              let first = top &* page.stride &+ left
              let (a, b) = unsafe (Int32(lumas[first]), Int32(lumas[first &+ 1]))
              let (c, d) = unsafe (
                Int32(lumas[first &+ page.stride]), Int32(lumas[first &+ page.stride &+ 1])
              )
              let sum = a &+ b &+ c &+ d
              let (p, q) = (4 &* a >= sum, 4 &* b >= sum)
              let (r, s) = (4 &* c >= sum, 4 &* d >= sum)
              let bright = (p ? a : 0) &+ (q ? b : 0) &+ (r ? c : 0) &+ (s ? d : 0)
              let count: Int32 = (p ? 1 : 0) &+ (q ? 1 : 0) &+ (r ? 1 : 0) &+ (s ? 1 : 0)
              unsafe plane[place] = Float(bright) / Float(128 &* count)
              continue
            }
            var sum = 0
            for y in top..<bottom {
              for x in left..<right { unsafe sum &+= Int(lumas[y &* page.stride &+ x]) }
            }
            let mean = Float(sum) / Float((bottom &- top) &* (right &- left))
            var (bright, count) = (0, 0)
            for y in top..<bottom {
              for x in left..<right {
                let luma = unsafe Int(lumas[y &* page.stride &+ x])
                guard Float(luma) >= mean else { continue }
                bright &+= luma
                count &+= 1
              }
            }
            unsafe plane[place] = Float(bright) / Float(128 &* max(1, count))
          }
        }
      }
    }
    return closed(plane, columns: 2 * columns, rows: 2 * rows, radius: 2 * strokeCells, on: page.processor)
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
    let sums = CellSums(page, side: side)
    for row in 0..<rows {
      sums.setLimits(row: row, among: paper, levels: lumas, band: Self.widestBand)
      sums.add(row: row)
      sums.shares(row: row, to: &weights)
      sums.ratios(row: row, to: lumas, reserve: Self.reserve, weights: weights, result: &ratios)
      // Every so-manieth cell of the page.
      let first = (row * columns + Self.spreadStep - 1) / Self.spreadStep * Self.spreadStep
      for cell in stride(from: first, to: (row + 1) * columns, by: Self.spreadStep)
      where weights[cell] > Self.nearlyAll * Self.nearlyAll {
        spreads.append(spread(cell - row * columns, row))
      }
    }
    let radius = Self.comparedCells
    let levels = boxBlur(ratios, columns: columns, rows: rows, radius: radius)
    let counts = boxBlur(weights, columns: columns, rows: rows, radius: radius)
    let noise = spreads.isEmpty ? 0.02 : spreads.sorted()[spreads.count / 2]
    let band = min(0.1, max(Self.narrowestBand, Self.deviations * noise))
    unsafe ratios.withUnsafeMutableBufferPointer { result in
      unsafe levels.withUnsafeBufferPointer { levels in
        unsafe counts.withUnsafeBufferPointer { counts in
          unsafe lumas.withUnsafeBufferPointer { lumas in
            for cell in 0..<result.count {
              let factor = unsafe counts[cell] > 0.001 ? levels[cell] / counts[cell] : 1
              unsafe result[cell] = lumas[cell] * factor
            }
          }
        }
      }
    }
    var means = planes
    for row in 0..<rows {
      sums.setLimits(row: row, among: paper, levels: ratios, band: 1 - band...1 + band)
      sums.add(row: row)
      sums.shares(row: row, to: &weights)
      for channel in 0..<channels { sums.means(of: channel, row: row, to: &means[channel]) }
    }
    return (means, weights)
  }

  /// The deviation of a cell's luma, as a share of its mean.
  private func spread(_ column: Int, _ row: Int) -> Float {
    let (right, bottom) = (min(page.width, (column + 1) * side), min(page.height, (row + 1) * side))
    var (sum, count, square) = (0, 0, 0)
    for y in row * side..<bottom {
      for x in column * side..<right {
        let luma = Int(page.lumas[y * page.stride + x])
        sum += luma
        count += 1
        square += luma * luma
      }
    }
    let mean = Float(sum) / Float(count)
    return max(0, Float(square) / Float(count) - mean * mean).squareRoot() / max(128, mean)
  }

  /// Paper's level is taken a little low, in levels: too dark a map leaves paper white, too bright a one leaves a veil in shadows.
  private static let reserve: Float = 0.75

  /// Noise is looked at in every so-manieth cell that is paper all but for this share.
  private static let spreadStep = 11
  private static let nearlyAll: Float = 0.95
}
