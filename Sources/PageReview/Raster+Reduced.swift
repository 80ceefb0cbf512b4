import Raster

extension Raster {
  /// The largest size of the picture's proportions that fits into a frame, never more than its own.
  func sizeFitting(width: Int, height: Int) -> PixelSize {
    let scale = min(1, Double(width) / Double(self.width), Double(height) / Double(self.height))
    return PixelSize(
      width: max(1, Int((Double(self.width) * scale).rounded())),
      height: max(1, Int((Double(self.height) * scale).rounded())))
  }

  /// The picture in fewer pixels: each is the mean of those it stands for.
  ///
  /// - Parameter target: no side longer than the picture's.
  func reduced(to target: PixelSize) -> Raster {
    precondition(target.width <= width && target.height <= height, "a picture isn't enlarged here")
    if target == size { return self }
    let channels = format.channels
    // Where each column and row of the small picture begins in the large one.
    let columns = (0...target.width).map { $0 * width / target.width }
    let rows = (0...target.height).map { $0 * height / target.height }
    let stride = rowStride
    return unsafe Raster(size: target, format: format) { output in
      unsafe samples.withUnsafeBufferPointer { input in
        var sums = [UInt32](repeating: 0, count: width * channels)
        for y in 0..<target.height {
          unsafe sums.withUnsafeMutableBufferPointer { sums in
            unsafe sums.update(repeating: 0)
            // Down first: these loops run along the memory.
            for row in rows[y]..<rows[y + 1] {
              let start = row &* stride
              for index in 0..<sums.count {
                unsafe sums[index] = sums[index] &+ UInt32(input[start &+ index])
              }
            }
            let height = rows[y + 1] - rows[y]
            for x in 0..<target.width {
              let count = UInt32((columns[x + 1] - columns[x]) * height)
              for channel in 0..<channels {
                var total: UInt32 = count / 2
                for column in columns[x]..<columns[x + 1] {
                  total = unsafe total &+ sums[column &* channels &+ channel]
                }
                unsafe output[(y &* target.width &+ x) &* channels &+ channel] = UInt8(
                  truncatingIfNeeded: total / count)
              }
            }
          }
        }
      }
    }
  }
}
