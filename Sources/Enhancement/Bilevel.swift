package import Raster

/// Makes pure black and white of a page that was enhanced: every sample is 0 or 255.
///
/// What is darker than the middle grey is black. So are strokes paler than that where they are in the darker half between themselves and
/// what is around them: a threshold alone would lose faint print. Pictures turn into blots.
/// - Parameters:
///   - page: best one in `bw`, whose paper is white; noise of more than some four levels on grey paper would show.
///   - processor: whose instructions are used, without any effect on the result.
/// - Returns: a grey picture of the same size.
package func bilevel(_ page: Raster, on processor: Processor = .current) -> Raster {
  let gray = page.grayscale()
  let (columns, rows) = (gray.width, gray.height)
  let radius = max(BilevelRule.leastRadius, max(columns, rows) / BilevelRule.longSide)
  // The page with all strokes filled in, and the darkest of what is next to each pixel: a stroke's core, for its rims.
  var around = CellPlane(samples: gray.samples, columns: columns, rows: rows, on: processor)
  var core = around
  around.dilate(radius: radius)
  around.erode(radius: radius)
  core.erode(radius: BilevelRule.coreRadius)
  let (backgrounds, cores) = (around.values, core.values)
  return unsafe Raster(size: gray.size, format: .gray) { output in
    unsafe gray.samples.withUnsafeBufferPointer { samples in
      unsafe backgrounds.withUnsafeBufferPointer { backgrounds in
        unsafe cores.withUnsafeBufferPointer { cores in
          for index in 0..<samples.count {
            let (sample, above) = unsafe (Int16(samples[index]), backgrounds[index])
            let below = unsafe cores[index]
            let isStroke = above &- below >= BilevelRule.leastDepth && 2 &* sample < above &+ below
            let isInk = sample < BilevelRule.middle
            unsafe output[index] = isInk ? BilevelRule.ink : isStroke ? BilevelRule.stroke : 255
          }
        }
      }
      unsafe dropSpecks(output, columns: columns, rows: rows)
    }
  }
}

/// Turns pale pixels white that hardly touch any others, and all that is left black.
private func dropSpecks(_ pixels: UnsafeMutableBufferPointer<UInt8>, columns: Int, rows: Int) {
  for y in 0..<rows {
    for x in 0..<columns where unsafe pixels[y &* columns &+ x] == BilevelRule.stroke {
      var neighbours = -1
      for line in max(0, y &- 1)...min(rows &- 1, y &+ 1) {
        for column in max(0, x &- 1)...min(columns &- 1, x &+ 1) {
          // One that was dropped is still told from paper, so that the order doesn't matter.
          if unsafe pixels[line &* columns &+ column] != 255 { neighbours &+= 1 }
        }
      }
      if neighbours < BilevelRule.leastNeighbours {
        unsafe pixels[y &* columns &+ x] = BilevelRule.dropped
      }
    }
  }
  for index in pixels.indices {
    let isBlack = unsafe pixels[index] <= BilevelRule.stroke
    unsafe pixels[index] = isBlack ? 0 : 255
  }
}

private enum BilevelRule {
  static let middle: Int16 = 128
  /// How far a stroke is below its surroundings; the faintest that `bw` lifts is 25 levels below white.
  static let leastDepth: Int16 = 24
  /// Strokes are filled in up to twice this many pixels wide, and one: the longer side over `longSide`, 1.4 mm on A4.
  static let leastRadius = 2
  static let longSide = 440
  /// The rim of a stroke is so many pixels wide.
  static let coreRadius = 2
  /// Pixels of a stroke, however thin, touch two others; specks of noise and of JPEG's rings don't.
  static let leastNeighbours = 2
  /// Marks on the way.
  static let ink: UInt8 = 0
  static let stroke: UInt8 = 1
  static let dropped: UInt8 = 2
}
