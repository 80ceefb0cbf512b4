internal import Raster

/// Every so-manieth pixel of a page along both axes, as it is: enough to measure light on, with the noise of the page itself.
struct ThinPage: Sendable {
  /// From pixel to pixel on the page; the first is half of it from the rim.
  let step: Int
  let width: Int
  let height: Int
  let channels: Int
  /// Interleaved, as a raster's.
  let samples: [UInt8]
  /// Luma times 256, weights as in `Raster.grayscale()`.
  let lumas: [UInt16]

  init(of page: Raster, step: Int) {
    let channels = page.format.channels
    let start = step / 2
    let width = max(1, (page.width - start + step - 1) / step)
    let height = max(1, (page.height - start + step - 1) / step)
    (self.step, self.width, self.height, self.channels) = (step, width, height, channels)
    let (lastX, lastY, stride) = (page.width - 1, page.height - 1, page.rowStride)
    let chosen = unsafe [UInt8](unsafeUninitializedCapacity: width * height * channels) { output, count in
      unsafe page.samples.withUnsafeBufferPointer { input in
        var place = 0
        for y in 0..<height {
          let row = min(lastY, y * step + start) * stride
          for x in 0..<width {
            let from = row &+ min(lastX, x &* step &+ start) &* channels
            unsafe output[place] = input[from]
            if channels == 3 {
              unsafe output[place &+ 1] = input[from &+ 1]
              unsafe output[place &+ 2] = input[from &+ 2]
            }
            place &+= channels
          }
        }
      }
      count = width * height * channels
    }
    lumas = unsafe [UInt16](unsafeUninitializedCapacity: width * height) { output, count in
      unsafe chosen.withUnsafeBufferPointer { input in
        for index in 0..<width &* height {
          if channels == 1 {
            unsafe output[index] = UInt16(input[index]) &* 256
          } else {
            unsafe output[index] =
              77 &* UInt16(input[3 &* index]) &+ 150 &* UInt16(input[3 &* index &+ 1])
              &+ 29 &* UInt16(input[3 &* index &+ 2])
          }
        }
      }
      count = width * height
    }
    samples = chosen
  }
}
