internal import Raster

/// Divides the light out of a page, turns to white what is no more than noise on paper, and sends the rest through a curve.
///
/// Whether a pixel is ink is told by the mean of the 3 × 3 pixels around it, since noise averages out and strokes don't; its tone is its own.
func develop(_ page: Raster, under light: LightMap, levels: PageLevels, curve: ToneCurve) -> Raster {
  let format: PixelFormat = curve.mode == .bw ? .gray : page.format
  var rows = DarknessRows(page: page, light: light)
  var gates = Gates(levels: levels, width: page.width)
  return unsafe Raster(size: page.size, format: format) { output in
    guard let target = output.baseAddress else { return }
    for y in 0..<page.height {
      rows.advance(to: y)
      gates.advance(to: y)
      let place = unsafe target + y * page.width * format.channels
      if format == .gray {
        unsafe writeGray(rows, gates, curve, to: place)
      } else {
        unsafe writeColour(rows, gates, curve, to: place)
      }
    }
  }
}

/// A page with its light made even and nothing else done to it: for pages whose ground isn't paper.
///
/// The ground keeps its colour, as it is in middling light.
func evened(_ page: Raster, under light: LightMap) -> Raster {
  let channels = page.format.channels
  let ground = light.typicalPaper()
  var gains = [Int32](repeating: 0, count: page.rowStride)
  // From paper at 255 to paper at its own level, times 2¹⁴.
  let shares = ground.map { Int32(($0 + encodingOffset) / (255 + encodingOffset) * 16384) }
  return unsafe Raster(size: page.size, format: page.format) { output in
    unsafe page.samples.withUnsafeBufferPointer { input in
      for y in 0..<page.height {
        light.fillGains(&gains, row: y, width: page.width)
        for x in 0..<page.width {
          for channel in 0..<channels {
            let place = y &* page.rowStride &+ x &* channels &+ channel
            let lit = min(2047, unsafe 269 &- darkness(input[place], gains[x &* channels &+ channel]))
            let sample = (lit &* shares[channel]) &>> 14 &- 14
            unsafe output[place] = UInt8(truncatingIfNeeded: min(255, max(0, sample)))
          }
        }
      }
    }
  }
}

/// Pixels along a row that share a threshold.
private let gateWidth = 16

/// The thresholds between paper and ink along a row.
private struct Gates {
  let levels: PageLevels
  let width: Int
  /// Sums of nine below this are paper.
  var starts: [Int32] = []
  /// 2¹⁶ over the sums that lie between paper and ink.
  var slopes: [Int32] = []
  /// How much strokes are set off from the mean around them, in 256ths; below 0, how much they are drawn to it.
  var sharpenings: [Int32] = []

  mutating func advance(to y: Int) {
    guard y % gateWidth == 0 else { return }
    starts.removeAll(keepingCapacity: true)
    slopes.removeAll(keepingCapacity: true)
    sharpenings.removeAll(keepingCapacity: true)
    for x in stride(from: 0, to: width, by: gateWidth) {
      let (paper, ink, noise) = levels.thresholds(x: x + gateWidth / 2, y: y + gateWidth / 2)
      starts.append(Int32(paper))
      slopes.append(Int32(65536 / max(1, ink - paper)))
      // Up to one level of noise sharpen by a third; from about four on smooth instead.
      sharpenings.append(Int32(max(-200, min(90, 90 - 97 * (noise - 1)))))
    }
  }
}

/// The darkness of a row and what its surroundings sum up to.
private struct DarknessRows {
  let page: Raster
  let light: LightMap
  private var gains: [Int32]
  /// Three rows each, used in turn: the darkness of every sample, and the inkiness of every pixel with one more at each end.
  private(set) var samples: [[Int32]]
  private var inks: [[Int32]]
  private var done = -1
  /// The row that was advanced to: darkness of its samples, inkiness of its pixels, and that summed over 3 × 3.
  private(set) var current = 0
  private(set) var sums: [Int32]

  init(page: Raster, light: LightMap) {
    self.page = page
    self.light = light
    gains = Array(repeating: 0, count: page.rowStride)
    samples = Array(repeating: gains, count: 3)
    inks = Array(repeating: Array(repeating: 0, count: page.width + 2), count: 3)
    sums = Array(repeating: 0, count: page.width)
  }

  var ink: [Int32] { inks[current] }

  mutating func advance(to y: Int) {
    while done < min(page.height - 1, y + 1) {
      done += 1
      read(row: done, into: done % 3)
    }
    current = y % 3
    // At the page's first and last row, that row stands for the one beyond.
    let above = max(0, y - 1) % 3
    let below = min(page.height - 1, y + 1) % 3
    let width = page.width
    unsafe inks[above].withUnsafeBufferPointer { a in
      unsafe inks[current].withUnsafeBufferPointer { b in
        unsafe inks[below].withUnsafeBufferPointer { c in
          unsafe sums.withUnsafeMutableBufferPointer { sums in
            for x in 0..<width {
              let upper = unsafe a[x] &+ a[x &+ 1] &+ a[x &+ 2]
              let middle = unsafe b[x] &+ b[x &+ 1] &+ b[x &+ 2]
              let lower = unsafe c[x] &+ c[x &+ 1] &+ c[x &+ 2]
              unsafe sums[x] = upper &+ middle &+ lower
            }
          }
        }
      }
    }
  }

  private mutating func read(row: Int, into slot: Int) {
    let width = page.width
    let channels = page.format.channels
    let start = row * page.rowStride
    light.fillGains(&gains, row: row, width: width)
    unsafe gains.withUnsafeBufferPointer { gains in
      unsafe page.samples.withUnsafeBufferPointer { input in
        unsafe samples[slot].withUnsafeMutableBufferPointer { dark in
          for index in 0..<width &* channels {
            unsafe dark[index] = darkness(input[start &+ index], gains[index])
          }
          unsafe inks[slot].withUnsafeMutableBufferPointer { ink in
            if channels == 1 {
              for x in 0..<width { unsafe ink[x &+ 1] = dark[x] }
            } else {
              for x in 0..<width {
                unsafe ink[x &+ 1] = inkiness(dark[3 &* x], dark[3 &* x &+ 1], dark[3 &* x &+ 2])
              }
            }
            unsafe ink[0] = ink[1]
            unsafe ink[width &+ 1] = ink[width]
          }
        }
      }
    }
  }
}

/// How surely a pixel is more than paper, 0…256, by the sum of nine.
@inline(__always)
private func gate(_ sum: Int32, _ start: Int32, _ slope: Int32) -> Int32 {
  // Beyond this, the product might not fit; the gate is open long before.
  let above = min(4095, max(0, sum &- start))
  return min(256, (above &* slope) &>> 8)
}

private func writeGray(
  _ rows: DarknessRows, _ gates: Gates, _ curve: ToneCurve, to target: UnsafeMutablePointer<UInt8>
) {
  unsafe rows.ink.withUnsafeBufferPointer { ink in
    unsafe rows.sums.withUnsafeBufferPointer { sums in
      unsafe curve.table.withUnsafeBufferPointer { table in
        for x in 0..<gates.width {
          let sum = unsafe sums[x]
          let open = gate(sum, gates.starts[x / gateWidth], gates.slopes[x / gateWidth])
          guard open > 0 else {
            unsafe target[x] = 255
            continue
          }
          let dark = unsafe ink[x &+ 1]
          // 7282 is 2¹⁶ / 9.
          let edge = ((dark &- (sum &* 7282) &>> 16) &* gates.sharpenings[x / gateWidth]) &>> 8
          let stroke = ((dark &+ edge) &* open) &>> 8
          unsafe target[x] = table[Int(min(255, max(0, stroke)))]
        }
      }
    }
  }
}

private func writeColour(
  _ rows: DarknessRows, _ gates: Gates, _ curve: ToneCurve, to target: UnsafeMutablePointer<UInt8>
) {
  let saturation = curve.saturation
  unsafe rows.samples[rows.current].withUnsafeBufferPointer { dark in
    unsafe rows.ink.withUnsafeBufferPointer { ink in
      unsafe rows.sums.withUnsafeBufferPointer { sums in
        unsafe curve.table.withUnsafeBufferPointer { table in
          unsafe curve.colours.withUnsafeBufferPointer { colours in
            for x in 0..<gates.width {
              let sum = unsafe sums[x]
              let open = gate(sum, gates.starts[x / gateWidth], gates.slopes[x / gateWidth])
              guard open > 0 else {
                unsafe target[3 &* x] = 255
                unsafe target[3 &* x &+ 1] = 255
                unsafe target[3 &* x &+ 2] = 255
                continue
              }
              let edge =
                unsafe ((ink[x &+ 1] &- (sum &* 7282) &>> 16) &* gates.sharpenings[x / gateWidth]) &>> 8
              let darkRed = unsafe clamp(((dark[3 &* x] &+ edge) &* open) &>> 8)
              let darkGreen = unsafe clamp(((dark[3 &* x &+ 1] &+ edge) &* open) &>> 8)
              let darkBlue = unsafe clamp(((dark[3 &* x &+ 2] &+ edge) &* open) &>> 8)
              // 256 for grey, 0 for clear colour.
              let chroma = max(darkRed, darkGreen, darkBlue) &- min(darkRed, darkGreen, darkBlue)
              let grey = min(256, max(0, (84 &- Int32(chroma)) &* 4))
              var red = unsafe mix(table[darkRed], colours[darkRed], grey)
              var green = unsafe mix(table[darkGreen], colours[darkGreen], grey)
              var blue = unsafe mix(table[darkBlue], colours[darkBlue], grey)
              let luma = (77 &* red &+ 150 &* green &+ 29 &* blue) &>> 8
              red &+= ((red &- luma) &* saturation) &>> 8
              green &+= ((green &- luma) &* saturation) &>> 8
              blue &+= ((blue &- luma) &* saturation) &>> 8
              unsafe target[3 &* x] = UInt8(truncatingIfNeeded: min(255, max(0, red)))
              unsafe target[3 &* x &+ 1] = UInt8(truncatingIfNeeded: min(255, max(0, green)))
              unsafe target[3 &* x &+ 2] = UInt8(truncatingIfNeeded: min(255, max(0, blue)))
            }
          }
        }
      }
    }
  }
}

/// A darkness as an index of the tables.
@inline(__always)
private func clamp(_ darkness: Int32) -> Int { Int(min(255, max(0, darkness))) }

@inline(__always)
private func mix(_ grey: UInt8, _ colour: UInt8, _ share: Int32) -> Int32 {
  Int32(colour) &+ ((Int32(grey) &- Int32(colour)) &* share) &>> 8
}
