private import Glibc
internal import Raster

/// How wide the edges on a page are, in pixels: those of print are as sharp as the lens, those of shadows are wider, since no lamp is a point.
struct EdgeWidths {
  private let page: Raster

  /// Rows that are looked at for print's edges, about.
  private static let rowsRead = 96
  /// The least step of an edge of print, in levels.
  private static let leastStep: Float = 40
  /// Which of all edges, from the sharpest on, is print's: many are soft ones of something else.
  private static let rank = 0.3
  /// A page with fewer edges in each row is blank: it is taken for sharp.
  private static let leastEdges = 2
  private static let sharpWidth: Float = 1.5
  /// The share of a step that lies outside of the width at each end.
  private static let margin: Float = 0.2

  init(of page: Raster) { self.page = page }

  /// The width of print's edges on this page.
  func printWidth() -> Float {
    var widths: [Float] = []
    let step = max(1, page.height / Self.rowsRead)
    var count = 0
    for row in stride(from: step / 2, to: page.height, by: step) {
      let line = profile(from: 0, count: page.width, across: row, lying: true)
      count += 1
      var start = 0
      for index in 1..<max(1, line.count) {
        // A run goes on as long as it rises, or as it falls.
        let rises = line[index] > line[index - 1]
        guard index + 1 == line.count || rises != (line[index + 1] > line[index]) else { continue }
        let step = abs(line[index] - line[start])
        if step >= Self.leastStep {
          let run = line[start] < line[index] ? Array(line[start...index]) : line[start...index].reversed()
          widths.append(Self.width(run, low: run[0], step: step))
        }
        start = index
      }
    }
    guard widths.count >= Self.leastEdges * count else { return Self.sharpWidth }
    return widths.sorted()[Int(Double(widths.count) * Self.rank)]
  }

  /// The width of the edge along a line of pixels, between two levels of luma.
  ///
  /// It is walked from the dark end, where strokes are darker still, up to the first pixel that is as bright as the other side.
  func width(
    from start: Int, count: Int, across: Int, lying: Bool, darkEnd: Bool, low: Float, high: Float
  ) -> Float {
    var line = profile(from: start, count: count, across: across, lying: lying)
    if darkEnd { line.reverse() }
    return Self.width(line, low: low, step: high - low)
  }

  /// The same along pixels that start at the dark end.
  private static func width(_ line: [Float], low: Float, step: Float) -> Float {
    let (lower, upper) = (low + margin * step, low + (1 - margin) * step)
    guard let end = line.firstIndex(where: { $0 >= upper }), end > 0,
      let start = line[..<end].lastIndex(where: { $0 <= lower })
    else { return 0 }
    // Where exactly the two levels are crossed.
    let last = Float(end) - (line[end] - upper) / max(1, line[end] - line[end - 1])
    let first = Float(start) + (lower - line[start]) / max(1, line[start + 1] - line[start])
    return max(0, last - first)
  }

  /// Luma of pixels along a row or a column, lightly smoothed.
  private func profile(from start: Int, count: Int, across: Int, lying: Bool) -> [Float] {
    let length = lying ? page.width : page.height
    let other = min(max(0, across), (lying ? page.height : page.width) - 1)
    let (from, to) = (max(0, start), min(length, start + count))
    guard to > from else { return [] }
    let raw = (from..<to).map { place -> Float in
      let index = (lying ? other * page.width + place : place * page.width + other) * page.format.channels
      if page.format == .gray { return Float(page.samples[index]) }
      return 0.3 * Float(page.samples[index]) + 0.59 * Float(page.samples[index + 1])
        + 0.11 * Float(page.samples[index + 2])
    }
    return raw.indices.map { index in
      0.5 * raw[index] + 0.25 * (raw[max(0, index - 1)] + raw[min(raw.count - 1, index + 1)])
    }
  }
}
