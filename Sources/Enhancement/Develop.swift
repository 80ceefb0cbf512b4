private import CEnhanceKernels
internal import Raster

/// Divides the light out of a page, turns to white what is no more than noise on paper, and sends the rest through a curve.
func develop(
  _ page: Raster, under light: LightMap, levels: PageLevels, curve: ToneCurve, on processor: Processor
) -> Raster {
  let format: PixelFormat = curve.mode == .bw ? .gray : page.format
  var rows = InkRows(page, under: light, on: processor)
  let gates = Gates(levels: levels, pageWidth: page.width, on: processor)
  var areas = AreaRows(light, width: page.width)
  return unsafe Raster(size: page.size, format: format) { output in
    guard let target = output.baseAddress else { return }
    unsafe curve.withKernel { kernel in
      for y in 0..<page.height {
        rows.advance(to: y)
        gates.advance(to: y, over: rows)
        areas.advance(to: y)
        let place = unsafe target + y * page.width * format.channels
        let (samples, ink) = unsafe (rows.samples, rows.ink(0))
        var row = unsafe flatbed_open_row(
          dark: (samples[0], samples[samples.count / 2], samples[samples.count - 1]), ink: ink,
          sums: gates.sums.start, open: gates.open.start, areas: areas.shares.start, any: gates.any.start,
          thresholds: gates.thresholds.start)
        if format == .gray {
          unsafe flatbed_write_gray(processor.isWide, &row, kernel, page.width, place)
        } else {
          unsafe flatbed_write_colour(processor.isWide, &row, kernel, page.width, place)
        }
      }
    }
    withExtendedLifetime((rows, gates, areas)) {}
  }
}

/// How much the pixels of a row belong to pictures and blocks, 0…256.
private struct AreaRows {
  private let light: LightMap
  private let width: Int
  let shares: Strip<Int16>
  private var place = -1

  init(_ light: LightMap, width: Int) {
    self.light = light
    self.width = width
    shares = Strip(count: width + Gates.width, filledWith: 0)
  }

  mutating func advance(to y: Int) {
    let line = min(light.rows - 1, y / light.cell)
    guard line != place else { return }
    place = line
    for column in 0..<light.columns {
      let share = light.areas[line * light.columns + column]
      let left = column * light.cell
      // The last cell goes on to the page's rim; there may be more cells than page.
      let right = column == light.columns - 1 ? width : min(width, left + light.cell)
      for x in left..<max(left, right) { shares[x] = share }
    }
  }
}
