internal import Raster

/// What a PNG's rows are made of, before they are filtered.
struct PNGContent {
  /// As PNG numbers them.
  let colorType: UInt8
  /// Bits of a sample.
  let depth: PNGDepth
  /// Red, green and blue of each colour; empty unless the rows are numbers of colours.
  let palette: [UInt8]
  let samples: [UInt8]
  let bytesPerPixel: Int
  let height: Int

  var rowLength: Int { samples.count / height }
  /// The filters that are tried for each strip.
  ///
  /// Paeth's was never beaten by more than a hundredth on eighteen pages, noisy or cleaned, in colour or grey. Numbers of colours aren't near
  /// each other because the colours are: they repeat, to the right or from row to row. So do eight pixels in a byte.
  var filters: [RowFilter] { palette.isEmpty && depth == .eight ? [.paeth] : [.none, .up] }

  init(_ raster: Raster, depth: PNGDepth) {
    height = raster.height
    self.depth = depth
    if depth == .one {
      (colorType, palette, samples, bytesPerPixel) = (0, [], raster.grayscale().eightToAByte(), 1)
      return
    }
    if raster.format == .rgb {
      if let grays = raster.ifGray() {
        (colorType, palette, samples, bytesPerPixel) = (0, [], grays, 1)
        return
      }
      if let (numbers, colors) = raster.ifOfFewColors() {
        (colorType, palette, samples, bytesPerPixel) = (3, colors, numbers, 1)
        return
      }
    }
    colorType = raster.format == .gray ? 0 : 2
    palette = []
    samples = raster.samples
    bytesPerPixel = raster.format.channels
  }
}

extension Raster {
  /// Eight pixels in each byte, the leftmost in the highest bit: 0 for samples of 0, else 1.
  fileprivate func eightToAByte() -> [UInt8] {
    let length = (width + 7) / 8
    return unsafe [UInt8](unsafeUninitializedCapacity: length * height) { output, count in
      unsafe samples.withUnsafeBufferPointer { samples in
        for y in 0..<height {
          for place in 0..<length {
            let first = y &* width &+ 8 &* place
            var bits: UInt8 = 0
            for pixel in 0..<min(8, width &- 8 &* place) where unsafe samples[first &+ pixel] != 0 {
              bits |= 0x80 &>> UInt8(pixel)
            }
            unsafe output[y &* length &+ place] = bits
          }
        }
      }
      count = length * height
    }
  }

  /// The samples of one channel, if all three are the same in each pixel.
  fileprivate func ifGray() -> [UInt8]? {
    unsafe samples.withUnsafeBufferPointer { samples -> [UInt8]? in
      for start in stride(from: 0, to: samples.count, by: rowStride) {
        var differences: UInt8 = 0
        for index in stride(from: start, to: start &+ rowStride, by: 3) {
          unsafe differences |=
            (samples[index] ^ samples[index &+ 1]) | (samples[index] ^ samples[index &+ 2])
        }
        if differences != 0 { return nil }
      }
      let count = samples.count / 3
      return unsafe [UInt8](unsafeUninitializedCapacity: count) { grays, initialized in
        for index in 0..<count { unsafe grays[index] = samples[3 &* index] }
        initialized = count
      }
    }
  }

  /// For each pixel the number of its colour, and the colours, if there are no more than 256, and so few that naming them pays.
  fileprivate func ifOfFewColors() -> (numbers: [UInt8], colors: [UInt8])? {
    // A hash table with room for four times as many colours.
    let slots = 1024
    var keys = [UInt32](repeating: .max, count: slots)
    var values = [UInt8](repeating: 0, count: slots)
    var colors: [UInt8] = []
    let count = samples.count / 3
    let mostColors = min(256, count / 8)
    var fits = true
    let numbers = unsafe [UInt8](unsafeUninitializedCapacity: count) { numbers, initialized in
      unsafe samples.withUnsafeBufferPointer { samples in
        var lastColor = UInt32.max
        var lastNumber: UInt8 = 0
        for index in 0..<count {
          let (red, green) = unsafe (samples[3 &* index], samples[3 &* index &+ 1])
          let blue = unsafe samples[3 &* index &+ 2]
          let color = UInt32(red) | UInt32(green) &<< 8 | UInt32(blue) &<< 16
          if color != lastColor {
            // Fibonacci hashing (Knuth).
            var slot = Int((color &* 2_654_435_769) &>> 22)
            while keys[slot] != color && keys[slot] != .max { slot = (slot &+ 1) % slots }
            if keys[slot] == .max {
              guard colors.count < 3 * mostColors else {
                fits = false
                return
              }
              keys[slot] = color
              values[slot] = UInt8(colors.count / 3)
              colors += [red, green, blue]
            }
            (lastColor, lastNumber) = (color, values[slot])
          }
          unsafe numbers[index] = lastNumber
          initialized = index &+ 1
        }
      }
    }
    return fits ? (numbers, colors) : nil
  }
}
