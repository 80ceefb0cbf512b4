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
    for x in shares.indices {
      shares[x] = light.areas[line * light.columns + min(light.columns - 1, x / light.cell)]
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
                    let tone = unsafe mix(table[place], plain[place], Int32(areas[x]))
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
            for left in stride(from: 0, to: width, by: Gates.width) {
              let end = min(width, left &+ Gates.width)
              guard unsafe isOpen(open, left, end) else {
                for index in 3 &* left..<3 &* end { unsafe target[index] = 255 }
                continue
              }
              let sharpening = gates.sharpenings[left / Gates.width]
              for x in left..<end {
                guard unsafe open[x] > 0 else {
                  unsafe target[3 &* x] = 255
                  unsafe target[3 &* x &+ 1] = 255
                  unsafe target[3 &* x &+ 2] = 255
                  continue
                }
                let edge = unsafe edge(Int32(ink[x &+ InkRows.rim]), sums[x], sharpening)
                let red = unsafe index(Int32(samples[3 &* x]) &+ edge, open[x])
                let green = unsafe index(Int32(samples[3 &* x &+ 1]) &+ edge, open[x])
                let blue = unsafe index(Int32(samples[3 &* x &+ 2]) &+ edge, open[x])
                let colour = curve.colour(red, green, blue, area: Int32(areas[x]))
                unsafe target[3 &* x] = colour.0
                unsafe target[3 &* x &+ 1] = colour.1
                unsafe target[3 &* x &+ 2] = colour.2
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
func mix(_ first: UInt8, _ second: UInt8, _ share: Int32) -> Int32 {
  Int32(first) &+ ((Int32(second) &- Int32(first)) &* share) &>> 8
}
