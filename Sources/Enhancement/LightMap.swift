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
  /// A plane for each channel of what brings paper to white, times 2¹²; see `darkness`.
  let gains: [[UInt16]]
  /// How much each cell is part of something large that isn't paper, such as a picture or a block, 0…256.
  let areas: [Int16]
  /// The share of the cells that are paper.
  let paperShare: Double

  /// The mean share of paper among the pixels of nine cells that they have to have to tell its colour.
  private static let leastWeight: Float = 0.02
  /// The most that light is made up for: 8 times, where white paper comes out at 20 of 255.
  private static let mostGain: Float = 7.99
  /// Things narrower than twice as many cells, and one, are no areas.
  private static let areaRadius = 2

  init(of page: Raster) {
    let grid = PaperGrid(of: page)
    let (paper, borders) = PaperMask.paper(in: grid, of: page)
    var (means, known) = Self.paperMeans(grid, paper: paper)
    let other = zip(paper, grid.blank).map { $0 || $1 ? Float(0) : 1 }
    let core = erode(other, columns: grid.columns, rows: grid.rows, radius: Self.areaRadius)
    let area = dilate(core, columns: grid.columns, rows: grid.rows, radius: Self.areaRadius)
    var areas = boxBlur(area, columns: grid.columns, rows: grid.rows, radius: 1)
    paperShare = Double(paper.count { $0 }) / Double(paper.count)
    channels = grid.channels
    if borders.contains(true) {
      means = BorderLight.refined(means, known: known, borders: borders, in: grid)
      areas = doubled(areas, columns: grid.columns, rows: grid.rows)
      (columns, rows, cell) = (2 * grid.columns, 2 * grid.rows, grid.cell / 2)
    } else {
      (columns, rows, cell) = (grid.columns, grid.rows, grid.cell)
    }
    gains = means.map { plane in
      plane.map { UInt16(min(Self.mostGain, (255 + encodingOffset) / (max(1, $0) + encodingOffset)) * 4096) }
    }
    self.areas = areas.map { Int16($0 * 256) }
  }

  /// Paper's samples in every cell, a plane for each channel, and the cells in which they were seen; in the others they are guessed.
  private static func paperMeans(_ grid: PaperGrid, paper: [Bool]) -> (means: [[Float]], known: [Bool]) {
    let (columns, rows) = (grid.columns, grid.rows)
    // Cells at the rim of print may be half print: they are left out, too.
    let solid = erode(paper.map { $0 ? 1 : 0 }, columns: columns, rows: rows, radius: 1).map { $0 > 0 }
    var (means, weights) = grid.paperMeans(among: solid)
    let sums = boxBlur(weights, columns: columns, rows: rows, radius: 1)
    let known = sums.map { $0 > leastWeight }
    for channel in means.indices {
      for cell in weights.indices { means[channel][cell] *= weights[cell] }
      let blurred = boxBlur(means[channel], columns: columns, rows: rows, radius: 1)
      for cell in known.indices where known[cell] {
        means[channel][cell] = max(1, blurred[cell] / sums[cell])
      }
      means[channel] = filled(means[channel], known: known, columns: columns, rows: rows, fallback: 255)
    }
    return (means, known)
  }
}

/// The gains of one row of pixels after the other.
struct GainRows {
  private let light: LightMap
  private let width: Int
  /// Gains along the row of cells above the one that was advanced to, interleaved as samples are.
  private(set) var upper: [UInt16]
  /// Twice what is added to them down to the row of cells below.
  private(set) var difference: [Int16]
  private var lower: [UInt16]
  /// How far down between the two it is, times 2¹⁵.
  private(set) var share: Int16 = 0
  private var place = -1

  init(_ light: LightMap, width: Int) {
    self.light = light
    self.width = width
    upper = Array(repeating: 0, count: width * light.channels)
    lower = upper
    difference = Array(repeating: 0, count: upper.count)
  }

  mutating func advance(to y: Int) {
    let exact = (Float(y) + 0.5) / Float(light.cell) - 0.5
    let line = max(0, min(light.rows - 1, Int(exact)))
    share = Int16(min(1, max(0, exact - Float(line))) * 32767)
    guard line != place else { return }
    if place >= 0, line == place + 1 {
      swap(&upper, &lower)
    } else {
      spread(line, to: &upper)
    }
    spread(min(light.rows - 1, line + 1), to: &lower)
    for index in difference.indices {
      // Twice the difference, since what is taken of it are 65536ths.
      let step = Int16(bitPattern: lower[index]) &- Int16(bitPattern: upper[index])
      difference[index] = min(16383, max(-16383, step)) &* 2
    }
    place = line
  }

  /// Runs linearly from cell centre to cell centre.
  private func spread(_ line: Int, to gains: inout [UInt16]) {
    let (columns, cell, channels) = (light.columns, light.cell, light.channels)
    for channel in 0..<channels {
      let start = line * columns
      unsafe light.gains[channel].withUnsafeBufferPointer { plane in
        unsafe gains.withUnsafeMutableBufferPointer { gains in
          var x = 0
          for left in -1..<columns {
            let from = unsafe Int32(plane[start &+ max(0, left)]) &<< 8
            let to = unsafe Int32(plane[start &+ min(columns &- 1, left &+ 1)]) &<< 8
            let slope = (to &- from) / Int32(cell)
            let centre = left * cell + cell / 2
            let end = left == columns - 1 ? width : min(width, centre + cell)
            // An even cell's centre is between two pixels.
            var value = from &+ slope &* Int32(x - centre) &+ (cell % 2 == 0 ? slope / 2 : 0) &+ 128
            while x < end {
              unsafe gains[x &* channels &+ channel] = UInt16(truncatingIfNeeded: value &>> 8)
              value &+= slope
              x &+= 1
            }
          }
        }
      }
    }
  }
}
