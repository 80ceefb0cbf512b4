private import CEnhanceKernels
internal import Raster

/// The darkness and the inkiness of a page's rows, a few above and below the one that is worked on.
struct InkRows {
  /// Rows kept: as many as a stroke's seven pixels need, and a power of two.
  private static let kept = 8
  /// Pixels that are repeated beyond the page's rims.
  private static let rim = 4

  private let page: Raster
  private let processor: Processor
  private var gains: GainRows
  /// Values from row to row, whole blocks.
  private let pitch: Int
  private let dark: Strip<Int16>
  private let ink: Strip<Int16>
  private var done = -1
  private var current = 0

  init(_ page: Raster, under light: LightMap, on processor: Processor) {
    self.page = page
    self.processor = processor
    gains = GainRows(light, width: page.width, on: processor)
    let block = Int(FLATBED_BLOCK)
    // A block before the row and one after it, for the rims.
    pitch = (page.width + block - 1) / block * block + 2 * block
    ink = Strip(count: Self.kept * pitch, filledWith: 0)
    dark = Strip(count: page.format == .gray ? 0 : 3 * Self.kept * pitch, filledWith: 0)
  }

  /// - Parameter y: one more than the last time, or 0.
  mutating func advance(to y: Int) {
    current = y
    while done < min(page.height - 1, y + 3) {
      done += 1
      read(done)
    }
  }

  /// The darkness of the row's samples, a row for each channel.
  var samples: [UnsafePointer<Int16>?] { unsafe samples(of: current).map { unsafe UnsafePointer($0) } }

  /// Inkiness of the pixels of a row up to three off the current one, `rim` more at each end; at the page's first and last row, that row
  /// stands for those beyond.
  func ink(_ offset: Int) -> UnsafePointer<Int16> {
    unsafe UnsafePointer(inkStart(of: min(page.height - 1, max(0, current + offset))))
  }

  private func inkStart(of row: Int) -> UnsafeMutablePointer<Int16> {
    unsafe ink.start + (row % Self.kept) * pitch + Int(FLATBED_BLOCK)
  }

  private func samples(of row: Int) -> [UnsafeMutablePointer<Int16>?] {
    guard page.format != .gray else { return unsafe [inkStart(of: row)] }
    return unsafe (0..<3).map { channel in
      unsafe dark.start + ((row % Self.kept) * 3 + channel) * pitch
    }
  }

  private mutating func read(_ row: Int) {
    gains.advance(to: row)
    let (width, rim) = (page.width, Self.rim)
    let target = unsafe inkStart(of: row)
    var kernel = gains.kernel
    unsafe page.samples.withUnsafeBufferPointer { pixels in
      guard let pixels = pixels.baseAddress else { return }
      unsafe flatbed_read_row(
        processor.isWide, pixels + row * page.rowStride, width, Int32(page.format.channels), &kernel,
        samples(of: row), target)
    }
    for x in 1...rim {
      unsafe target[-x] = target[0]
      unsafe target[width - 1 + x] = target[width - 1]
    }
  }
}
