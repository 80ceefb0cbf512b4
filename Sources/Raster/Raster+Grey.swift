extension Raster {
  /// The picture as grey: luma by ITU-R BT.601 of the sRGB samples, which is what JPEG's Y and PNG viewers mean by it.
  ///
  /// Weights are 77, 150 and 29 of 256, so that grey stays exactly grey.
  package func grayscale() -> Raster {
    guard format == .rgb else { return self }
    let count = width * height
    return unsafe Raster(size: size, format: .gray) { gray in
      unsafe samples.withUnsafeBufferPointer { rgb in
        for index in 0..<count {
          let red = unsafe UInt32(rgb[3 &* index])
          let green = unsafe UInt32(rgb[3 &* index &+ 1])
          let blue = unsafe UInt32(rgb[3 &* index &+ 2])
          unsafe gray[index] = UInt8(
            truncatingIfNeeded: (77 &* red &+ 150 &* green &+ 29 &* blue &+ 128) &>> 8)
        }
      }
    }
  }

  /// The picture as RGB; a grey one has its sample three times.
  package func rgb() -> Raster {
    guard format == .gray else { return self }
    let count = width * height
    return unsafe Raster(size: size, format: .rgb) { rgb in
      unsafe samples.withUnsafeBufferPointer { gray in
        for index in 0..<count {
          let value = unsafe gray[index]
          unsafe rgb[3 &* index] = value
          unsafe rgb[3 &* index &+ 1] = value
          unsafe rgb[3 &* index &+ 2] = value
        }
      }
    }
  }
}
