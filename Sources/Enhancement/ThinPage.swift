private import CEnhanceKernels
internal import Raster

/// Every so-manieth pixel of a page along both axes, as it is: enough to measure light on, with the noise of the page itself.
struct ThinPage: Sendable {
  let width: Int
  let height: Int
  /// Pixels from row to row: whole cells.
  let stride: Int
  let channels: Int
  /// A plane for each channel, one after the other.
  let samples: [UInt8]
  /// Luma times 128, weights as in `Raster.grayscale()`; less than 0 beyond the page's right rim.
  let lumas: [Int16]
  let processor: Processor

  /// - Parameters:
  ///   - step: from pixel to pixel on the page; the first is half of it from the rim.
  ///   - side: of a cell, in the pixels taken.
  init(of page: Raster, step: Int, side: Int, on processor: Processor) {
    let channels = page.format.channels
    let start = step / 2
    let width = max(1, (page.width - start + step - 1) / step)
    let height = max(1, (page.height - start + step - 1) / step)
    let stride = (width + side - 1) / side * side
    (self.width, self.height, self.stride, self.channels) = (width, height, stride, channels)
    self.processor = processor
    let scratch = Strip<UInt8>(count: 3 * (page.width + Int(FLATBED_BLOCK)), filledWith: 0)
    var samples: [UInt8] = []
    lumas = unsafe [Int16](unsafeUninitializedCapacity: stride * height) { lumas, lumaCount in
      samples = unsafe [UInt8](unsafeUninitializedCapacity: channels * stride * height) { output, count in
        unsafe page.samples.withUnsafeBufferPointer { input in
          guard let input = input.baseAddress, let output = output.baseAddress, let lumas = lumas.baseAddress
          else { return }
          for y in 0..<height {
            let row = min(page.height - 1, y * step + start) * page.rowStride
            let planes = unsafe (0..<channels).map { channel in
              unsafe Optional(output + (channel * height + y) * stride)
            }
            unsafe flatbed_thin_row(
              processor.isWide, input + row, page.width, Int32(channels), step, start, width, stride, planes,
              lumas + y * stride, scratch.start)
          }
        }
        count = channels * stride * height
      }
      lumaCount = stride * height
    }
    self.samples = samples
    withExtendedLifetime(scratch) {}
  }
}
