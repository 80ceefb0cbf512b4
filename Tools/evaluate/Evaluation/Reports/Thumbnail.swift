package import Raster

/// A small copy to look at: each pixel the mean of the photo's that it covers.
///
/// - Parameter longSide: of the copy, in pixels; a smaller photo stays as it is.
package func thumbnail(of photo: Raster, longSide: Int) -> Raster {
  let long = max(photo.width, photo.height)
  guard long > longSide else { return photo }
  let size = PixelSize(
    width: max(1, photo.width * longSide / long), height: max(1, photo.height * longSide / long))
  let channels = photo.format.channels
  return unsafe Raster(size: size, format: photo.format) { output in
    unsafe photo.samples.withUnsafeBufferPointer { input in
      for y in 0..<size.height {
        let rows = (y * photo.height / size.height)..<((y + 1) * photo.height / size.height)
        for x in 0..<size.width {
          let columns = (x * photo.width / size.width)..<((x + 1) * photo.width / size.width)
          for channel in 0..<channels {
            var sum = 0
            for row in rows {
              let start = row &* photo.rowStride &+ channel
              for column in columns { unsafe sum &+= Int(input[start &+ column &* channels]) }
            }
            let count = rows.count * columns.count
            unsafe output[(y * size.width + x) * channels + channel] = UInt8((sum + count / 2) / count)
          }
        }
      }
    }
  }
}
