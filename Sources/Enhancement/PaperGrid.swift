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
  let strokeCells: Int
  /// The pixels that are looked at.
  let page: ThinPage
  /// Side of a cell in those.
  let side: Int

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
    let thin = ThinPage(of: page, step: step, side: side)
    self.page = thin
    columns = thin.stride / side
    rows = (thin.height + side - 1) / side
    channels = thin.planes.count
    planes = Array(repeating: Array(repeating: 0, count: columns * rows), count: channels)
    blank = Array(repeating: false, count: columns * rows)
    measure()
    // A cell beside a blank one may be part of what makes that blank.
    let wider = dilate(blank.map { $0 ? 1 : 0 }, columns: columns, rows: rows, radius: 1)
    blank = wider.map { $0 > 0 }
    for channel in 0..<channels {
      planes[channel] = closed(planes[channel], columns: columns, rows: rows, radius: strokeCells)
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

  /// Luma of a cell, 1…255.
  func luma(_ cell: Int) -> Float {
    let luma =
      channels == 1
      ? planes[0][cell] * 256 : planes[0][cell] * 77 + planes[1][cell] * 150 + planes[2][cell] * 29
    return max(1, luma / 256)
  }

  /// The mean colour of each cell's pixels that are no darker than the cell's mean: paper, unless ink covers nearly all of it.
  private mutating func measure() {
    var sums = CellSums(page, side: side)
    for row in 0..<rows {
      sums.setLowsToMeans(row: row)
      sums.add(row: row)
      for column in 0..<columns {
        let index = row * columns + column
        blank[index] = sums.lows[column] >= Self.purest
        for channel in 0..<channels {
          planes[channel][index] = Float(sums.sums[channel][column]) / Float(max(1, sums.counts[column]))
        }
      }
    }
  }

  /// Luma times 128 of white.
  private static let purest: Int16 = 255 * 128
}

/// What is added to an sRGB sample to make it a pure power of light: 0.055 of 255 (IEC 61966-2-1).
///
/// Light falls on a page as a factor; on samples with this offset it is a factor too, so shadows divide out right.
let encodingOffset: Float = 14
