internal import Raster

/// What blank paper would look like everywhere on a page: the light that falls on it, times the paper's own colour.
///
/// Kept as a coarse grid of cells; between their centres it runs linearly.
struct LightMap: Sendable {
  let columns: Int
  let rows: Int
  /// Side of a cell in pixels.
  let cell: Int
  let channels: Int
  /// Samples of paper, 1…255, `channels` per cell, in row order.
  private(set) var values: [Float]

  /// Cells along the longer side of a page, about.
  private static let resolution = 200
  /// Ink narrower than twice this share of the longer side doesn't count as paper.
  private static let inkRadius = 0.02

  init(of page: Raster) {
    let longer = max(page.width, page.height)
    cell = max(2, (longer + Self.resolution - 1) / Self.resolution)
    columns = (page.width + cell - 1) / cell
    rows = (page.height + cell - 1) / cell
    channels = page.format.channels
    values = []
    values = brightHalves(of: page)
    let radius = max(1, Int((Double(longer) * Self.inkRadius / Double(cell)).rounded()))
    for channel in 0..<channels {
      var plane = (0..<columns * rows).map { values[$0 * channels + channel] }
      plane = dilate(plane, columns: columns, rows: rows, radius: radius)
      plane = erode(plane, columns: columns, rows: rows, radius: radius)
      for _ in 0..<2 { plane = boxBlur(plane, columns: columns, rows: rows, radius: max(1, radius / 2)) }
      for index in plane.indices { values[index * channels + channel] = max(1, plane[index]) }
    }
  }

  /// The mean colour of each cell's pixels that are no darker than the cell's mean: paper, unless ink covers nearly all of it.
  private func brightHalves(of page: Raster) -> [Float] {
    var result = [Float](repeating: 0, count: columns * rows * channels)
    unsafe page.samples.withUnsafeBufferPointer { samples in
      for row in 0..<rows {
        for column in 0..<columns {
          let (left, top) = (column * cell, row * cell)
          let (right, bottom) = (min(left + cell, page.width), min(top + cell, page.height))
          var sum = 0
          for y in top..<bottom {
            for x in left..<right {
              unsafe sum &+= Self.luma(samples, (y &* page.width &+ x) &* channels, channels)
            }
          }
          let count = (right - left) * (bottom - top)
          var sums = (0, 0, 0)
          var bright = 0
          for y in top..<bottom {
            for x in left..<right {
              let place = (y &* page.width &+ x) &* channels
              guard unsafe Self.luma(samples, place, channels) &* count >= sum else { continue }
              bright &+= 1
              unsafe sums.0 &+= Int(samples[place])
              if channels == 3 {
                unsafe sums.1 &+= Int(samples[place &+ 1])
                unsafe sums.2 &+= Int(samples[place &+ 2])
              }
            }
          }
          let index = (row * columns + column) * channels
          result[index] = Float(sums.0) / Float(bright)
          if channels == 3 {
            result[index + 1] = Float(sums.1) / Float(bright)
            result[index + 2] = Float(sums.2) / Float(bright)
          }
        }
      }
    }
    return result
  }

  @inline(__always)
  private static func luma(_ samples: UnsafeBufferPointer<UInt8>, _ place: Int, _ channels: Int) -> Int {
    if channels == 1 { return unsafe Int(samples[place]) &* 256 }
    return unsafe 77 &* Int(samples[place]) &+ 150 &* Int(samples[place &+ 1]) &+ 29
      &* Int(samples[place &+ 2])
  }
}
