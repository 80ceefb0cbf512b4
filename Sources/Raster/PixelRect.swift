/// Some whole columns and rows of a picture.
package struct PixelRect: Sendable, Hashable {
  /// The first column, from 0.
  package var x: Int
  /// The first row, from 0.
  package var y: Int
  package var size: PixelSize

  package init(x: Int, y: Int, size: PixelSize) {
    self.x = x
    self.y = y
    self.size = size
  }

  /// All of a picture.
  package init(wholeOf size: PixelSize) { self.init(x: 0, y: 0, size: size) }
}

extension Raster {
  /// A part of the picture.
  ///
  /// - Precondition: the part has pixels, and all of them are in the picture.
  package func cropped(to part: PixelRect) -> Raster {
    if part == PixelRect(wholeOf: size) { return self }
    let (columns, rows) = (part.size.width, part.size.height)
    precondition(
      part.x >= 0 && part.y >= 0 && columns > 0 && rows > 0 && part.x + columns <= width
        && part.y + rows <= height, "the part isn't in the picture")
    var cropped: [UInt8] = []
    cropped.reserveCapacity(columns * rows * format.channels)
    for row in part.y..<part.y + rows {
      let start = row * rowStride + part.x * format.channels
      cropped += samples[start..<start + columns * format.channels]
    }
    return Raster(size: part.size, format: format, samples: cropped)
  }
}

extension Orientation {
  /// Where the first `rows` stored rows of a picture lie in the upright one, whose size is `upright`.
  package func placeOfFirstRows(_ rows: Int, upright: PixelSize) -> PixelRect {
    switch self {
    case .upright, .mirrored:
      PixelRect(x: 0, y: 0, size: PixelSize(width: upright.width, height: rows))
    case .upsideDown, .mirroredUpsideDown:
      PixelRect(x: 0, y: upright.height - rows, size: PixelSize(width: upright.width, height: rows))
    case .transposed, .turnedRight:
      PixelRect(x: 0, y: 0, size: PixelSize(width: rows, height: upright.height))
    case .turnedLeft, .transverse:
      PixelRect(x: upright.width - rows, y: 0, size: PixelSize(width: rows, height: upright.height))
    }
  }
}
