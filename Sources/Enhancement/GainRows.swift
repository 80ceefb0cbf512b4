internal import CEnhanceKernels

/// The gains of one row of pixels after the other.
struct GainRows {
  private let light: LightMap
  private let width: Int
  /// Values from one channel's to the next's, whole blocks.
  private let pitch: Int
  private let processor: Processor
  /// Gains along the row of cells above the one that was advanced to, a plane for each channel.
  private var upper: Strip<UInt16>
  private var lower: Strip<UInt16>
  /// Twice what is added to them down to the row of cells below.
  private let difference: Strip<Int16>
  /// How far down between the two it is, times 2¹⁵.
  private var share: Int16 = 0
  private var place = -1

  init(_ light: LightMap, width: Int, on processor: Processor) {
    self.light = light
    self.width = width
    self.processor = processor
    pitch = (width + Int(FLATBED_BLOCK) - 1) / Int(FLATBED_BLOCK) * Int(FLATBED_BLOCK)
    upper = Strip(count: pitch * light.channels, filledWith: 0)
    lower = Strip(count: pitch * light.channels, filledWith: 0)
    difference = Strip(count: pitch * light.channels, filledWith: 0)
  }

  /// Good until the next row.
  var kernel: flatbed_gains {
    let (first, second) = unsafe (UnsafePointer(upper.start), UnsafePointer(difference.start))
    let last = (light.channels - 1) * pitch
    return unsafe flatbed_gains(
      upper: (first, first + last / 2, first + last), difference: (second, second + last / 2, second + last),
      share: share)
  }

  mutating func advance(to y: Int) {
    let exact = (Float(y) + 0.5) / Float(light.cell) - 0.5
    let line = max(0, min(light.rows - 1, Int(exact)))
    share = Int16(min(1, max(0, exact - Float(line))) * 32767)
    guard line != place else { return }
    if place >= 0, line == place + 1 {
      swap(&upper, &lower)
    } else {
      spread(line, to: upper)
    }
    spread(min(light.rows - 1, line + 1), to: lower)
    let (upper, lower, difference) = unsafe (upper.start, lower.start, difference.start)
    for index in 0..<pitch &* light.channels {
      // Twice the difference, since what is taken of it are 65536ths.
      let step = unsafe Int16(bitPattern: lower[index]) &- Int16(bitPattern: upper[index])
      unsafe difference[index] = min(16383, max(-16383, step)) &* 2
    }
    place = line
  }

  /// Runs linearly from cell centre to cell centre.
  private func spread(_ line: Int, to gains: Strip<UInt16>) {
    for channel in 0..<light.channels {
      unsafe light.gains[channel].withUnsafeBufferPointer { plane in
        guard let plane = plane.baseAddress else { return }
        unsafe flatbed_spread_gains(
          processor.isWide, plane + line * light.columns, light.columns, light.cell, width,
          gains.start + channel * pitch)
      }
    }
  }
}
