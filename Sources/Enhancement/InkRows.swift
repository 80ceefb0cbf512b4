internal import Raster

/// The darkness and the inkiness of a page's rows, a few above and below the one that is worked on.
struct InkRows {
  /// Rows kept: as many as a stroke's seven pixels need, and a power of two.
  private static let kept = 8
  /// Pixels that are repeated beyond the page's rims.
  static let rim = 4

  private let page: Raster
  private var gains: GainRows
  private var dark: [[Int16]]
  private var ink: [[Int16]]
  private var scratch: [Int16]
  private var done = -1
  private var current = 0

  init(_ page: Raster, under light: LightMap) {
    self.page = page
    gains = GainRows(light, width: page.width)
    scratch = Array(repeating: 0, count: page.rowStride)
    dark = Array(repeating: scratch, count: Self.kept)
    ink = Array(repeating: Array(repeating: 0, count: page.width + 2 * Self.rim), count: Self.kept)
  }

  /// - Parameter y: one more than the last time, or 0.
  mutating func advance(to y: Int) {
    current = y
    while done < min(page.height - 1, y + 3) {
      done += 1
      read(done)
    }
  }

  /// The darkness of the row's samples.
  var samples: [Int16] { dark[current % Self.kept] }

  /// Inkiness of the pixels of a row up to three off the current one, `rim` more at each end; at the page's first and last row, that row
  /// stands for those beyond.
  func ink(_ offset: Int) -> [Int16] { ink[min(page.height - 1, max(0, current + offset)) % Self.kept] }

  private mutating func read(_ row: Int) {
    gains.advance(to: row)
    let slot = row % Self.kept
    let (width, rim, stride) = (page.width, Self.rim, page.rowStride)
    let isGray = page.format.channels == 1
    unsafe page.samples.withUnsafeBufferPointer { samples in
      unsafe dark[slot].withUnsafeMutableBufferPointer { dark in
        unsafe ink[slot].withUnsafeMutableBufferPointer { ink in
          unsafe scratch.withUnsafeMutableBufferPointer { scratch in
            guard let samples = samples.baseAddress, let dark = dark.baseAddress, let ink = ink.baseAddress,
              let scratch = scratch.baseAddress
            else { return }
            unsafe readDarkness(samples + row * stride, count: stride, under: gains, to: dark)
            if isGray {
              unsafe (ink + rim).update(from: dark, count: width)
            } else {
              unsafe readInkiness(dark, width: width, scratch: scratch, to: ink + rim)
            }
            for x in 0..<rim {
              unsafe ink[x] = ink[rim]
              unsafe ink[rim + width + x] = ink[rim + width - 1]
            }
          }
        }
      }
    }
  }
}
