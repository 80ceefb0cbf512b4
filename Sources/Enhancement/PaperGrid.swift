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
  let planes: [[Float]]
  /// Cells of nothing but the purest white, overexposed or outside of the photo: they say nothing about the light.
  let blank: [Bool]
  /// Luma of the planes, 1…255.
  let lumas: [Float]
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

  init(of page: Raster, on processor: Processor) {
    let longer = max(page.width, page.height)
    // Even, so that cells can be halved.
    let wanted = max(1, (longer + 2 * Self.resolution - 1) / (2 * Self.resolution)) * 2
    let step = max(1, wanted / Self.samplesAcross)
    side = step == 1 ? wanted : Self.samplesAcross
    cell = side * step
    strokeCells = max(1, Int((Double(longer) * Self.strokeRadius / Double(cell)).rounded()))
    let thin = ThinPage(of: page, step: step, side: side, on: processor)
    self.page = thin
    columns = thin.stride / side
    rows = (thin.height + side - 1) / side
    channels = thin.channels
    let (columns, rows, radius) = (columns, rows, strokeCells)
    let (brightHalves, pure) = Self.measured(thin, side: side)
    // A cell beside a blank one may be part of what makes that blank.
    blank =
      pure.contains(true)
      ? dilate(pure.map { $0 ? 1 : 0 }, columns: columns, rows: rows, radius: 1, on: processor).map { $0 > 0 }
      : pure
    planes = brightHalves.map { closed($0, columns: columns, rows: rows, radius: radius, on: processor) }
    lumas = Self.lumas(of: planes)
  }

  /// Natural logarithm of a cell's samples, the mean over the channels: a yellow mark shows in it as well as a grey one.
  func logarithms() -> [Float] {
    let (first, last) = (planes[0], planes[channels - 1])
    let middle = planes[channels / 2]
    return unsafe [Float](unsafeUninitializedCapacity: columns * rows) { output, count in
      unsafe first.withUnsafeBufferPointer { red in
        unsafe middle.withUnsafeBufferPointer { green in
          unsafe last.withUnsafeBufferPointer { blue in
            for cell in 0..<red.count {
              var product = unsafe red[cell] + encodingOffset
              if channels == 3 {
                unsafe product = product * (green[cell] + encodingOffset) * (blue[cell] + encodingOffset)
              }
              unsafe output[cell] = logf(product) / Float(channels)
            }
          }
        }
      }
      count = columns * rows
    }
  }

  /// Luma of a cell, 1…255.
  func luma(_ cell: Int) -> Float { lumas[cell] }

  private static func lumas(of planes: [[Float]]) -> [Float] {
    guard planes.count == 3 else { return planes[0].map { max(1, $0 * 256 / 256) } }
    let count = planes[0].count
    return unsafe [Float](unsafeUninitializedCapacity: count) { output, initialized in
      unsafe planes[0].withUnsafeBufferPointer { red in
        unsafe planes[1].withUnsafeBufferPointer { green in
          unsafe planes[2].withUnsafeBufferPointer { blue in
            for cell in 0..<count {
              unsafe output[cell] = max(1, (red[cell] * 77 + green[cell] * 150 + blue[cell] * 29) / 256)
            }
          }
        }
      }
      initialized = count
    }
  }

  /// The mean colour of each cell's pixels that are no darker than the cell's mean: paper, unless ink covers nearly all of it.
  private static func measured(_ page: ThinPage, side: Int) -> (planes: [[Float]], blank: [Bool]) {
    let sums = CellSums(page, side: side)
    let (columns, rows) = (sums.columns, (page.height + side - 1) / side)
    var blank = [Bool](repeating: false, count: columns * rows)
    var planes = (0..<page.channels).map { _ in [Float](repeating: 0, count: columns * rows) }
    for row in 0..<rows {
      sums.setLowsToMeans(row: row)
      sums.add(row: row)
      for column in 0..<columns { blank[row &* columns &+ column] = sums.lows[column] >= purest }
      for channel in planes.indices { sums.means(of: channel, row: row, to: &planes[channel]) }
    }
    return (planes, blank)
  }

  /// Luma times 128 of white.
  private static let purest: Int16 = 255 * 128
}

/// What is added to an sRGB sample to make it a pure power of light: 0.055 of 255 (IEC 61966-2-1).
///
/// Light falls on a page as a factor; on samples with this offset it is a factor too, so shadows divide out right.
let encodingOffset: Float = 14
