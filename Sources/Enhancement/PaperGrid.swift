internal import Raster
private import Glibc

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

  /// Cells along the longer side of a page, about: 0.75 mm each on A4, a few of them across the softest edge of print.
  private static let resolution = 400
  /// Strokes narrower than twice this share of the longer side are bridged from paper to paper.
  private static let strokeRadius = 0.014

  init(of page: Raster) {
    let longer = max(page.width, page.height)
    cell = max(2, (longer + Self.resolution - 1) / Self.resolution)
    columns = (page.width + cell - 1) / cell
    rows = (page.height + cell - 1) / cell
    channels = page.format.channels
    planes = Array(repeating: Array(repeating: 0, count: columns * rows), count: channels)
    blank = Array(repeating: false, count: columns * rows)
    measure(page)
    // A cell beside a blank one may be part of what makes that blank.
    let wider = dilate(blank.map { $0 ? 1 : 0 }, columns: columns, rows: rows, radius: 1)
    blank = wider.map { $0 > 0 }
    let radius = max(1, Int((Double(longer) * Self.strokeRadius / Double(cell)).rounded()))
    for channel in 0..<channels {
      let wide = dilate(planes[channel], columns: columns, rows: rows, radius: radius)
      planes[channel] = erode(wide, columns: columns, rows: rows, radius: radius)
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
  private mutating func measure(_ page: Raster) {
    let pageWidth = page.width
    unsafe page.samples.withUnsafeBufferPointer { samples in
      for row in 0..<rows {
        for column in 0..<columns {
          let (left, top) = (column * cell, row * cell)
          let (right, bottom) = (min(left + cell, pageWidth), min(top + cell, page.height))
          let count = (right - left) * (bottom - top)
          var sum = 0
          var least: UInt8 = 255
          for y in top..<bottom {
            for x in left..<right {
              let place = (y &* pageWidth &+ x) &* channels
              for channel in 0..<channels { least = unsafe min(least, samples[place &+ channel]) }
              unsafe sum &+= luma(samples, place, channels)
            }
          }
          var sums = (0, 0, 0)
          var bright = 0
          for y in top..<bottom {
            for x in left..<right {
              let place = (y &* pageWidth &+ x) &* channels
              guard unsafe luma(samples, place, channels) &* count >= sum else { continue }
              bright &+= 1
              unsafe sums.0 &+= Int(samples[place])
              if channels == 3 {
                unsafe sums.1 &+= Int(samples[place &+ 1])
                unsafe sums.2 &+= Int(samples[place &+ 2])
              }
            }
          }
          let index = row * columns + column
          blank[index] = least == 255
          planes[0][index] = Float(sums.0) / Float(bright)
          if channels == 3 {
            planes[1][index] = Float(sums.1) / Float(bright)
            planes[2][index] = Float(sums.2) / Float(bright)
          }
        }
      }
    }
  }
}

extension PaperGrid {
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
  func paperMeans(of page: Raster, among paper: [Bool]) -> (means: [[Float]], weights: [Float]) {
    let first = collect(page) { cell in
      (gridLuma(cell) * Self.widestBand.lowerBound, gridLuma(cell) * Self.widestBand.upperBound)
    }
    var ratios = [Float](repeating: 0, count: first.shares.count)
    var weights = ratios
    var spreads: [Float] = []
    for cell in ratios.indices where paper[cell] && first.shares[cell] > 0 {
      weights[cell] = first.shares[cell] * first.shares[cell]
      ratios[cell] = first.levels[cell] / gridLuma(cell) * weights[cell]
      if first.shares[cell] > 0.95 { spreads.append(first.deviations[cell] / max(1, first.levels[cell])) }
    }
    let radius = Self.comparedCells
    let sums = boxBlur(ratios, columns: columns, rows: rows, radius: radius)
    let counts = boxBlur(weights, columns: columns, rows: rows, radius: radius)
    let noise = spreads.isEmpty ? 0.02 : spreads.sorted()[spreads.count / 2]
    let band = min(0.1, max(Self.narrowestBand, Self.deviations * noise))
    let centres = sums.indices.map { counts[$0] > 0.001 ? sums[$0] / counts[$0] : 1 }
    let second = collect(page) { cell in
      let level = gridLuma(cell) * centres[cell]
      return (level * (1 - band), level * (1 + band))
    }
    return (second.means, second.shares.map { $0 * $0 })
  }

  private func gridLuma(_ cell: Int) -> Float {
    let luma =
      channels == 1
      ? planes[0][cell] * 256 : planes[0][cell] * 77 + planes[1][cell] * 150 + planes[2][cell] * 29
    return max(1, luma / 256)
  }

  private struct Statistics {
    /// Mean colour, mean and deviation of luma of a cell's chosen pixels, and their share of the cell.
    var means: [[Float]]
    var levels: [Float]
    var deviations: [Float]
    var shares: [Float]
  }

  /// Statistics of each cell's pixels whose luma lies in a range.
  private func collect(_ page: Raster, range: (Int) -> (low: Float, high: Float)) -> Statistics {
    let zeros = [Float](repeating: 0, count: columns * rows)
    var result = Statistics(means: planes, levels: zeros, deviations: zeros, shares: zeros)
    unsafe page.samples.withUnsafeBufferPointer { samples in
      for row in 0..<rows {
        for column in 0..<columns {
          let (left, top) = (column * cell, row * cell)
          let (right, bottom) = (min(left + cell, page.width), min(top + cell, page.height))
          let index = row * columns + column
          let limits = range(index)
          let (low, high) = (Int(limits.low * 256), Int(limits.high * 256))
          var sums = (0, 0, 0)
          var count = 0
          var levels = 0
          var squares = 0
          for y in top..<bottom {
            for x in left..<right {
              let place = (y &* page.width &+ x) &* channels
              let level = unsafe luma(samples, place, channels)
              guard level >= low, level <= high else { continue }
              count &+= 1
              levels &+= level &>> 8
              squares &+= (level &>> 8) &* (level &>> 8)
              unsafe sums.0 &+= Int(samples[place])
              if channels == 3 {
                unsafe sums.1 &+= Int(samples[place &+ 1])
                unsafe sums.2 &+= Int(samples[place &+ 2])
              }
            }
          }
          guard count > 0 else { continue }
          let mean = Float(levels) / Float(count)
          result.levels[index] = mean
          result.deviations[index] = max(0, Float(squares) / Float(count) - mean * mean).squareRoot()
          result.shares[index] = Float(count) / Float((right - left) * (bottom - top))
          result.means[0][index] = Float(sums.0) / Float(count)
          if channels == 3 {
            result.means[1][index] = Float(sums.1) / Float(count)
            result.means[2][index] = Float(sums.2) / Float(count)
          }
        }
      }
    }
    return result
  }
}

/// What is added to an sRGB sample to make it a pure power of light: 0.055 of 255 (IEC 61966-2-1).
///
/// Light falls on a page as a factor; on samples with this offset it is a factor too, so shadows divide out right.
let encodingOffset: Float = 14

/// Luma times 256, weights as in `Raster.grayscale()`.
@inline(__always)
func luma(_ samples: UnsafeBufferPointer<UInt8>, _ place: Int, _ channels: Int) -> Int {
  if channels == 1 { return unsafe Int(samples[place]) &* 256 }
  return unsafe 77 &* Int(samples[place]) &+ 150 &* Int(samples[place &+ 1]) &+ 29 &* Int(samples[place &+ 2])
}
