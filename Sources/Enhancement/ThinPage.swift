internal import Raster

/// Every so-manieth pixel of a page along both axes, as it is: enough to measure light on, with the noise of the page itself.
struct ThinPage: Sendable {
  let width: Int
  let height: Int
  /// Pixels from row to row: whole cells.
  let stride: Int
  /// A plane for each channel.
  let planes: [[UInt8]]
  /// Luma times 128, weights as in `Raster.grayscale()`; less than 0 beyond the page's right rim.
  let lumas: [Int16]

  /// - Parameters:
  ///   - step: from pixel to pixel on the page; the first is half of it from the rim.
  ///   - side: of a cell, in the pixels taken.
  init(of page: Raster, step: Int, side: Int) {
    let channels = page.format.channels
    let start = step / 2
    let width = max(1, (page.width - start + step - 1) / step)
    let height = max(1, (page.height - start + step - 1) / step)
    let stride = (width + side - 1) / side * side
    (self.width, self.height, self.stride) = (width, height, stride)
    let (lastX, lastY, rowStride) = (page.width - 1, page.height - 1, page.rowStride)
    // Only the last pixel taken can lie beyond the rim, on pages narrower than a step.
    planes = (0..<channels).map { channel in
      unsafe [UInt8](unsafeUninitializedCapacity: stride * height) { output, count in
        unsafe page.samples.withUnsafeBufferPointer { input in
          for y in 0..<height {
            let row = min(lastY, y * step + start) * rowStride + channel
            let place = y * stride
            for x in 0..<width {
              unsafe output[place &+ x] = input[row &+ min(lastX, x &* step &+ start) &* channels]
            }
            for x in width..<stride { unsafe output[place &+ x] = 0 }
          }
        }
        count = stride * height
      }
    }
    lumas = Self.lumas(planes, width: width, stride: stride, height: height)
  }

  private static func lumas(_ planes: [[UInt8]], width: Int, stride: Int, height: Int) -> [Int16] {
    let (first, last) = (planes[0], planes[planes.count - 1])
    let middle = planes[planes.count / 2]
    return unsafe [Int16](unsafeUninitializedCapacity: stride * height) { output, count in
      unsafe first.withUnsafeBufferPointer { red in
        unsafe middle.withUnsafeBufferPointer { green in
          unsafe last.withUnsafeBufferPointer { blue in
            for index in 0..<stride &* height {
              let sum =
                unsafe 77 &* UInt16(red[index]) &+ 150 &* UInt16(green[index]) &+ 29 &* UInt16(blue[index])
              unsafe output[index] = Int16(truncatingIfNeeded: sum &>> 1)
            }
          }
        }
      }
      for y in 0..<height { for x in width..<stride { unsafe output[y &* stride &+ x] = -1 } }
      count = stride * height
    }
  }
}
