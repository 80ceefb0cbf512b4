private import Glibc
internal import Raster

/// A page seen through a coarse grid: in each cell, the colour of what lies between the strokes.
struct PaperGrid: Sendable {
  let columns: Int
  let rows: Int
  /// Side of a cell in pixels.
  let cell: Int
  let channels: Int
  /// A plane for each channel, samples 0…255 in row order.
  var planes: [[Float]]
  /// Cells of nothing but the purest white, overexposed or outside of the photo: they say nothing about the light.
  var blank: [Bool]
  /// How far strokes are bridged, in cells.
  private let strokeCells: Int
  /// The pixels that are looked at.
  private let page: ThinPage
  /// Side of a cell in those.
  private let side: Int

  /// Cells along the longer side of a page, about: 0.75 mm each on A4, a few of them across the softest edge of print.
  private static let resolution = 400
  /// Pixels of a cell that are looked at, along each axis, if it has that many.
  private static let samplesAcross = 4
  /// Strokes narrower than twice this share of the longer side are bridged from paper to paper.
  private static let strokeRadius = 0.014

  init(of page: Raster) {
    let longer = max(page.width, page.height)
    // Even, so that cells can be halved.
    let wanted = max(1, (longer + 2 * Self.resolution - 1) / (2 * Self.resolution)) * 2
    let step = max(1, wanted / Self.samplesAcross)
    side = step == 1 ? wanted : Self.samplesAcross
    cell = side * step
    strokeCells = max(1, Int((Double(longer) * Self.strokeRadius / Double(cell)).rounded()))
    let thin = ThinPage(of: page, step: step)
    self.page = thin
    columns = (thin.width + side - 1) / side
    rows = (thin.height + side - 1) / side
    channels = thin.channels
    planes = Array(repeating: Array(repeating: 0, count: columns * rows), count: channels)
    blank = Array(repeating: false, count: columns * rows)
    measure()
    // A cell beside a blank one may be part of what makes that blank.
    let wider = dilate(blank.map { $0 ? 1 : 0 }, columns: columns, rows: rows, radius: 1)
    blank = wider.map { $0 > 0 }
    for channel in 0..<channels {
      let wide = dilate(planes[channel], columns: columns, rows: rows, radius: strokeCells)
      planes[channel] = erode(wide, columns: columns, rows: rows, radius: strokeCells)
    }
  }

  /// Natural logarithm of a cell's samples, the mean over the channels: a yellow mark shows in it as well as a grey one.
  func logarithms() -> [Float] {
    (0..<columns * rows).map { index in
      var product: Float = 1
      for channel in 0..<channels { product *= planes[channel][index] + encodingOffset }
      return logf(product) / Float(channels)
    }
  }

  /// The mean colour of each cell's pixels that are no darker than the cell's mean: paper, unless ink covers nearly all of it.
  private mutating func measure() {
    for row in 0..<rows {
      for column in 0..<columns {
        let extent = extent(column, row)
        let (sum, count) = total(extent)
        let bright = chosen(extent, from: (sum + count - 1) / count, to: Int.max)
        let index = row * columns + column
        let share = 1 / Float(max(1, bright.count))
        blank[index] = sum == count * 255 * 256
        planes[0][index] = Float(bright.first) * share
        if channels == 3 {
          planes[1][index] = Float(bright.second) * share
          planes[2][index] = Float(bright.third) * share
        }
      }
    }
  }

  /// Where a cell's pixels are: the first of them, and how many along both axes.
  private struct Extent {
    let start: Int
    let columns: Int
    let rows: Int
  }

  @inline(__always)
  private func extent(_ column: Int, _ row: Int) -> Extent {
    Extent(
      start: row &* side &* page.width &+ column &* side, columns: min(side, page.width &- column &* side),
      rows: min(side, page.height &- row &* side))
  }

  @inline(__always)
  private func total(_ extent: Extent) -> (sum: Int, count: Int) {
    var sum = 0
    unsafe page.lumas.withUnsafeBufferPointer { lumas in
      for y in 0..<extent.rows {
        let line = extent.start &+ y &* page.width
        for x in 0..<extent.columns { unsafe sum &+= Int(lumas[line &+ x]) }
      }
    }
    return (sum, extent.columns &* extent.rows)
  }

  /// Sums over a cell's pixels of a range of luma.
  private struct Sums {
    var count = 0
    var first = 0
    var second = 0
    var third = 0
    /// Of luma, 0…255, and of its square.
    var level = 0
    var square = 0
  }

  @inline(__always)
  private func chosen(_ extent: Extent, from low: Int, to high: Int) -> Sums {
    var sums = Sums()
    unsafe page.lumas.withUnsafeBufferPointer { lumas in
      unsafe page.samples.withUnsafeBufferPointer { samples in
        for y in 0..<extent.rows {
          let line = extent.start &+ y &* page.width
          for x in 0..<extent.columns {
            let luma = unsafe Int(lumas[line &+ x])
            // All ones or nothing, since most of the time of a branch would go into guessing it wrong.
            let mask = luma >= low && luma <= high ? -1 : 0
            let level = luma &>> 8
            sums.count &-= mask
            sums.level &+= level & mask
            sums.square &+= (level &* level) & mask
            if channels == 1 {
              unsafe sums.first &+= Int(samples[line &+ x]) & mask
            } else {
              let place = 3 &* (line &+ x)
              unsafe sums.first &+= Int(samples[place]) & mask
              unsafe sums.second &+= Int(samples[place &+ 1]) & mask
              unsafe sums.third &+= Int(samples[place &+ 2]) & mask
            }
          }
        }
      }
    }
    return sums
  }
}

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
        let (width, height) = (min(side - half, page.width - left), min(side - half, page.height - top))
        let extent = Extent(start: top * page.width + left, columns: max(1, width), rows: max(1, height))
        let (sum, count) = total(extent)
        let bright = chosen(extent, from: (sum + count - 1) / count, to: Int.max)
        plane[row * 2 * columns + column] = Float(bright.level) / Float(max(1, bright.count))
      }
    }
    let wide = dilate(plane, columns: 2 * columns, rows: 2 * rows, radius: 2 * strokeCells)
    return erode(wide, columns: 2 * columns, rows: 2 * rows, radius: 2 * strokeCells)
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
    for row in 0..<rows {
      for column in 0..<columns {
        let cell = row * columns + column
        guard paper[cell] else { continue }
        let (extent, level) = (extent(column, row), luma(cell))
        let found = chosen(
          extent, from: Int(level * Self.widestBand.lowerBound * 256),
          to: Int(level * Self.widestBand.upperBound * 256))
        guard found.count > 0 else { continue }
        let count = Float(found.count)
        let share = count / Float(extent.columns * extent.rows)
        let mean = Float(found.level) / count
        weights[cell] = share * share
        ratios[cell] = mean / level * weights[cell]
        if share > 0.95, cell % Self.spreadStep == 0 {
          let variance = max(0, Float(found.square) / count - mean * mean)
          spreads.append(variance.squareRoot() / max(1, mean))
        }
      }
    }
    let radius = Self.comparedCells
    let sums = boxBlur(ratios, columns: columns, rows: rows, radius: radius)
    let counts = boxBlur(weights, columns: columns, rows: rows, radius: radius)
    let noise = spreads.isEmpty ? 0.02 : spreads.sorted()[spreads.count / 2]
    let band = min(0.1, max(Self.narrowestBand, Self.deviations * noise))
    var means = planes
    for row in 0..<rows {
      for column in 0..<columns {
        let cell = row * columns + column
        weights[cell] = 0
        guard paper[cell] else { continue }
        let extent = extent(column, row)
        let level = luma(cell) * (counts[cell] > 0.001 ? sums[cell] / counts[cell] : 1)
        let found = chosen(extent, from: Int(level * (1 - band) * 256), to: Int(level * (1 + band) * 256))
        guard found.count > 0 else { continue }
        let count = Float(found.count)
        let share = count / Float(extent.columns * extent.rows)
        weights[cell] = share * share
        means[0][cell] = Float(found.first) / count
        if channels == 3 {
          means[1][cell] = Float(found.second) / count
          means[2][cell] = Float(found.third) / count
        }
      }
    }
    return (means, weights)
  }

  /// Noise is looked at in every so-manieth cell.
  private static let spreadStep = 11

  /// Luma of a cell, 1…255.
  func luma(_ cell: Int) -> Float {
    let luma =
      channels == 1
      ? planes[0][cell] * 256 : planes[0][cell] * 77 + planes[1][cell] * 150 + planes[2][cell] * 29
    return max(1, luma / 256)
  }
}

/// What is added to an sRGB sample to make it a pure power of light: 0.055 of 255 (IEC 61966-2-1).
///
/// Light falls on a page as a factor; on samples with this offset it is a factor too, so shadows divide out right.
let encodingOffset: Float = 14
