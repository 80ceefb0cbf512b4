internal import Raster

/// Divides the light out of a page, turns to white what is no more than noise on paper, and sends the rest through a curve.
func develop(_ page: Raster, under light: LightMap, levels: PageLevels, curve: ToneCurve) -> Raster {
  let format: PixelFormat = curve.mode == .bw ? .gray : page.format
  var rows = InkRows(page, under: light)
  var gates = Gates(levels: levels, pageWidth: page.width)
  var areas = AreaRows(light, width: page.width)
  return unsafe Raster(size: page.size, format: format) { output in
    guard let target = output.baseAddress else { return }
    for y in 0..<page.height {
      rows.advance(to: y)
      gates.advance(to: y, over: rows)
      areas.advance(to: y)
      let place = unsafe target + y * page.width * format.channels
      let row = OpenRow(ink: rows.ink(0), samples: rows.samples, gates: gates, areas: areas.shares)
      if format == .gray {
        unsafe row.writeGray(curve, width: page.width, to: place)
      } else {
        unsafe row.writeColour(curve, width: page.width, to: place)
      }
    }
  }
}

/// How much the pixels of a row belong to pictures and blocks, 0…256.
private struct AreaRows {
  private let light: LightMap
  private(set) var shares: [Int16]
  private var place = -1

  init(_ light: LightMap, width: Int) {
    self.light = light
    shares = Array(repeating: 0, count: width)
  }

  mutating func advance(to y: Int) {
    let line = min(light.rows - 1, y / light.cell)
    guard line != place else { return }
    place = line
    for column in 0..<light.columns {
      let share = light.areas[line * light.columns + column]
      let left = column * light.cell
      // The last cell goes on to the page's rim; there may be more cells than page.
      let right = column == light.columns - 1 ? shares.count : min(shares.count, left + light.cell)
      for x in left..<max(left, right) { shares[x] = share }
    }
  }
}

/// A row on its way to the output: runs of paper are filled with white, the rest goes pixel by pixel.
private struct OpenRow {
  let ink: [Int16]
  let samples: [Int16]
  let gates: Gates
  let areas: [Int16]

  func writeGray(_ curve: ToneCurve, width: Int, to target: UnsafeMutablePointer<UInt8>) {
    unsafe gates.open.withUnsafeBufferPointer { open in
      unsafe gates.sums.withUnsafeBufferPointer { sums in
        unsafe ink.withUnsafeBufferPointer { ink in
          unsafe areas.withUnsafeBufferPointer { areas in
            unsafe curve.table.withUnsafeBufferPointer { table in
              unsafe curve.plain.withUnsafeBufferPointer { plain in
                for left in stride(from: 0, to: width, by: Gates.width) {
                  let end = min(width, left &+ Gates.width)
                  guard unsafe isOpen(open, left, end) else {
                    for x in left..<end { unsafe target[x] = 255 }
                    continue
                  }
                  let sharpening = gates.sharpenings[left / Gates.width]
                  for x in left..<end {
                    let dark = unsafe Int32(ink[x &+ InkRows.rim])
                    let place = unsafe index(dark &+ edge(dark, sums[x], sharpening), open[x])
                    let tone = unsafe mix(table[place], Int32(plain[place]), Int32(areas[x]))
                    unsafe target[x] = UInt8(truncatingIfNeeded: tone)
                  }
                }
              }
            }
          }
        }
      }
    }
  }

  func writeColour(_ curve: ToneCurve, width: Int, to target: UnsafeMutablePointer<UInt8>) {
    unsafe gates.open.withUnsafeBufferPointer { open in
      unsafe gates.sums.withUnsafeBufferPointer { sums in
        unsafe ink.withUnsafeBufferPointer { ink in
          unsafe samples.withUnsafeBufferPointer { samples in
            unsafe areas.withUnsafeBufferPointer { areas in
              unsafe curve.withTables { tables in
                for left in stride(from: 0, to: width, by: Gates.width) {
                  let end = min(width, left &+ Gates.width)
                  guard unsafe isOpen(open, left, end) else {
                    unsafe (target + 3 * left).update(repeating: 255, count: 3 * (end - left))
                    continue
                  }
                  let sharpening = gates.sharpenings[left / Gates.width]
                  for x in left..<end {
                    let share = unsafe open[x]
                    guard share > 0 else {
                      unsafe target[3 &* x] = 255
                      unsafe target[3 &* x &+ 1] = 255
                      unsafe target[3 &* x &+ 2] = 255
                      continue
                    }
                    let edge = unsafe edge(Int32(ink[x &+ InkRows.rim]), sums[x], sharpening)
                    let red = unsafe index(Int32(samples[3 &* x]) &+ edge, share)
                    let green = unsafe index(Int32(samples[3 &* x &+ 1]) &+ edge, share)
                    let blue = unsafe index(Int32(samples[3 &* x &+ 2]) &+ edge, share)
                    unsafe tables.write(red, green, blue, area: Int32(areas[x]), to: target + 3 &* x)
                  }
                }
              }
            }
          }
        }
      }
    }
  }

  /// Whether anything but paper is among some pixels.
  @inline(__always)
  private func isOpen(_ open: UnsafeBufferPointer<Int16>, _ left: Int, _ end: Int) -> Bool {
    var any: Int16 = 0
    for x in left..<end { unsafe any |= open[x] }
    return any != 0
  }

  /// What sharpening adds to a pixel's darkness: a share of the difference to the mean of nine.
  @inline(__always)
  private func edge(_ dark: Int32, _ sum: Int16, _ sharpening: Int32) -> Int32 {
    // 7282 is 2¹⁶ / 9.
    ((dark &- (Int32(sum) &* 7282) &>> 16) &* sharpening) &>> 8
  }

  /// A darkness as an index of the curve's tables.
  @inline(__always)
  private func index(_ dark: Int32, _ open: Int16) -> Int {
    Int(min(Int32(blackest), max(0, (dark &* Int32(open)) &>> 8)))
  }
}

@inline(__always)
func mix(_ first: UInt8, _ second: Int32, _ share: Int32) -> Int32 {
  Int32(first) &+ ((second &- Int32(first)) &* share) &>> 8
}
