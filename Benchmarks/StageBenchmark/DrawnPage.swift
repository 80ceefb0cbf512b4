import Raster

/// A page of A4 at 300 dots per inch, 8.7 megapixels, as a camera might have seen it.
///
/// - Parameter hasShadows: with a cast shadow, one with a soft border, marks of three colours, a coloured block and a picture; else it is
///   black print on white paper under a light that falls off a little.
func drawnPage(hasShadows: Bool) -> Raster {
  let size = PixelSize(width: 2480, height: 3508)
  let lines = lettering(size)
  return unsafe Raster(size: size, format: .rgb) { output in
    var chance: UInt64 = 0x9E37_79B9_7F4A_7C15
    for y in 0..<size.height {
      for x in 0..<size.width {
        var colour: (Int, Int, Int) = (255, 255, 255)
        if lines[y / 4 * (size.width / 4) + x / 4] { colour = (35, 35, 40) }
        var light = 225 - 40 * x / size.width
        if hasShadows {
          if colour.0 < 255 {
            // A line in seven is written in one of three pens.
            switch y / 44 % 21 {
            case 3: colour = (200, 40, 40)
            case 10: colour = (30, 70, 200)
            case 17: colour = (20, 140, 60)
            default: break
            }
          }
          if y > 300, y < 520 { colour = colour.0 < 255 ? (250, 250, 250) : (60, 110, 170) }
          if x > 1400, x < 2200, y > 2500, y < 3100 {
            colour = (40 + (x - 1400) / 5, 60 + (y - 2500) / 4, 120 + (x ^ y) % 32)
          }
          light -= light * shadow(x: x, y: y) / 1000
        }
        // The sum of four even chances, about three levels wide.
        chance = chance &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let bits = Int(truncatingIfNeeded: chance >> 32)
        let noise = (bits & 7) + (bits >> 3 & 7) + (bits >> 6 & 7) - 10
        let place = 3 * (y * size.width + x)
        unsafe output[place] = UInt8(clamping: colour.0 * light / 255 + noise)
        unsafe output[place + 1] = UInt8(clamping: colour.1 * light / 258 + noise)
        unsafe output[place + 2] = UInt8(clamping: colour.2 * light / 270 + noise)
      }
    }
  }
}

/// Where there is ink, for squares of four pixels: lines of letters of five squares by seven, three quarters of a line full.
private func lettering(_ size: PixelSize) -> [Bool] {
  let (columns, rows) = (size.width / 4, size.height / 4)
  var ink = [Bool](repeating: false, count: (columns + 1) * (rows + 1))
  var letters: UInt64 = 1
  for top in stride(from: 40, to: rows - 50, by: 11) {
    for left in stride(from: 50, to: columns - 60, by: 6) {
      letters = letters &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      guard letters >> 60 < 12 else { continue }
      for square in 0..<35 where letters >> (square + 20) & 3 == 0 {
        ink[(top + square / 5) * columns + left + square % 5] = true
      }
    }
  }
  return ink
}

/// How much of the light is missing, in thousandths: beyond a slanting border ten pixels wide, and beyond one of three hundred.
private func shadow(x: Int, y: Int) -> Int {
  let (cast, soft) = (x - y / 3 - 900, y + x / 2 - 3300)
  let first = min(10, max(0, cast)) * 45
  let second = min(300, max(0, soft))
  return first + second - first * second / 1000
}
