internal import Raster

/// Decides for each pixel of a row how surely it is more than paper.
///
/// One pixel of a faint stroke is lost in noise. Noise averages out over several pixels and strokes don't: so a pixel is ink if the 3 × 3
/// around it are dark in the mean, or one of the four lines of seven pixels through it. Lines find hairlines that a square would dilute.
struct Gates {
  /// Pixels along a row and down a column that share thresholds.
  static let width = 16

  private let levels: PageLevels
  private let pageWidth: Int
  /// Sums below `starts` are paper; 2²¹ over the sums that lie between paper and ink.
  private var blockStarts: [Int16]
  private var blockSlopes: [Int16]
  private var lineStarts: [Int16]
  private var lineSlopes: [Int16]
  /// How much strokes are set off from the mean around them, in 256ths; below 0, how much they are drawn to it.
  ///
  /// One for each `width` pixels.
  private(set) var sharpenings: [Int32] = []
  /// Sums over three rows, one more at each end; over 3 × 3; and over seven rows.
  private var triples: [Int16]
  private(set) var sums: [Int16]
  private var sevens: [Int16]
  /// How surely each pixel is ink, 0…256.
  private(set) var open: [Int16]

  init(levels: PageLevels, pageWidth: Int) {
    self.levels = levels
    self.pageWidth = pageWidth
    blockStarts = Array(repeating: 0, count: pageWidth + Self.width)
    (blockSlopes, lineStarts, lineSlopes) = (blockStarts, blockStarts, blockStarts)
    sums = blockStarts
    sevens = blockStarts
    open = blockStarts
    triples = Array(repeating: 0, count: pageWidth + 2)
  }

  mutating func advance(to y: Int, over rows: InkRows) {
    if y % Self.width == 0 { setThresholds(y) }
    let width = pageWidth
    let rim = InkRows.rim
    let lines = (-3...3).map { rows.ink($0) }
    unsafe triples.withUnsafeMutableBufferPointer { triples in
      unsafe lines[2].withUnsafeBufferPointer { a in
        unsafe lines[3].withUnsafeBufferPointer { b in
          unsafe lines[4].withUnsafeBufferPointer { c in
            for x in 0..<width &+ 2 {
              let place = x &+ rim &- 1
              unsafe triples[x] = a[place] &+ b[place] &+ c[place]
            }
          }
        }
      }
    }
    unsafe sums.withUnsafeMutableBufferPointer { sums in
      unsafe triples.withUnsafeBufferPointer { t in
        for x in 0..<width { unsafe sums[x] = t[x] &+ t[x &+ 1] &+ t[x &+ 2] }
      }
    }
    addSevens(lines)
    decide()
  }

  /// The darkest of the four lines through each pixel.
  private mutating func addSevens(_ lines: [[Int16]]) {
    let width = pageWidth
    unsafe sevens.withUnsafeMutableBufferPointer { sevens in
      unsafe lines[0].withUnsafeBufferPointer { a in
        unsafe lines[1].withUnsafeBufferPointer { b in
          unsafe lines[2].withUnsafeBufferPointer { c in
            unsafe lines[3].withUnsafeBufferPointer { d in
              unsafe lines[4].withUnsafeBufferPointer { e in
                unsafe lines[5].withUnsafeBufferPointer { f in
                  unsafe lines[6].withUnsafeBufferPointer { g in
                    // The pixel itself is at x + 4.
                    for x in 0..<width {
                      let lying =
                        unsafe d[x &+ 1] &+ d[x &+ 2] &+ d[x &+ 3] &+ d[x &+ 5] &+ d[x &+ 6] &+ d[x &+ 7]
                      let upright =
                        unsafe a[x &+ 4] &+ b[x &+ 4] &+ c[x &+ 4] &+ e[x &+ 4] &+ f[x &+ 4] &+ g[x &+ 4]
                      let falling =
                        unsafe a[x &+ 1] &+ b[x &+ 2] &+ c[x &+ 3] &+ e[x &+ 5] &+ f[x &+ 6] &+ g[x &+ 7]
                      let rising =
                        unsafe a[x &+ 7] &+ b[x &+ 6] &+ c[x &+ 5] &+ e[x &+ 3] &+ f[x &+ 2] &+ g[x &+ 1]
                      unsafe sevens[x] = d[x &+ 4] &+ max(max(lying, upright), max(falling, rising))
                    }
                  }
                }
              }
            }
          }
        }
      }
    }
  }

  private mutating func decide() {
    let width = pageWidth
    unsafe open.withUnsafeMutableBufferPointer { open in
      unsafe sums.withUnsafeBufferPointer { sums in
        unsafe sevens.withUnsafeBufferPointer { sevens in
          unsafe blockStarts.withUnsafeBufferPointer { blockStarts in
            unsafe blockSlopes.withUnsafeBufferPointer { blockSlopes in
              unsafe lineStarts.withUnsafeBufferPointer { lineStarts in
                unsafe lineSlopes.withUnsafeBufferPointer { lineSlopes in
                  for x in 0..<width {
                    let block = unsafe Self.share(sums[x], blockStarts[x], blockSlopes[x])
                    let line = unsafe Self.share(sevens[x], lineStarts[x], lineSlopes[x])
                    unsafe open[x] = max(block, line)
                  }
                }
              }
            }
          }
        }
      }
    }
  }

  /// The largest distance from a start that counts, so that its eightfold fits.
  private static let farthest: Int16 = 4095

  @inline(__always)
  private static func share(_ sum: Int16, _ start: Int16, _ slope: Int16) -> Int16 {
    let above = min(farthest, max(0, sum &- start))
    return min(256, part(above &<< 3, slope))
  }

  private mutating func setThresholds(_ y: Int) {
    sharpenings.removeAll(keepingCapacity: true)
    for left in stride(from: 0, to: pageWidth, by: Self.width) {
      let limits = levels.thresholds(x: left + Self.width / 2, y: y + Self.width / 2)
      let block = Self.line(limits.block, count: 9)
      let line = Self.line(limits.line, count: 7)
      for x in left..<left + Self.width {
        (blockStarts[x], blockSlopes[x]) = block
        (lineStarts[x], lineSlopes[x]) = line
      }
      // Up to one level of noise sharpen by a third; from about four on smooth instead.
      sharpenings.append(Int32(max(-200, min(90, 90 - 97 * (limits.noise - 1)))))
    }
  }

  /// Where sums of `count` pixels start to be ink, and how fast: 256 over the distance, times 2¹³.
  private static func line(_ limits: (paper: Float, ink: Float), count: Float) -> (Int16, Int16) {
    let distance = max(65, 8 * count * (limits.ink - limits.paper))
    return (Int16(min(16000, max(-9000, 8 * count * limits.paper))), Int16(256 * 8192 / distance))
  }
}
