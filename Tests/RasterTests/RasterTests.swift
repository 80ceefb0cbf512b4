import Raster
import Testing

@Suite struct RasterTests {
  /// Six pixels, numbered by row.
  let stored = Raster(
    size: PixelSize(width: 3, height: 2), format: .gray, samples: [1, 2, 3, 4, 5, 6])

  @Test(
    "every orientation puts row 0 and column 0 where EXIF says",
    arguments: [
      (Orientation.upright, 3, [1, 2, 3, 4, 5, 6]),
      (.mirrored, 3, [3, 2, 1, 6, 5, 4]),
      (.upsideDown, 3, [6, 5, 4, 3, 2, 1]),
      (.mirroredUpsideDown, 3, [4, 5, 6, 1, 2, 3]),
      (.transposed, 2, [1, 4, 2, 5, 3, 6]),
      (.turnedLeft, 2, [4, 1, 5, 2, 6, 3]),
      (.transverse, 2, [6, 3, 5, 2, 4, 1]),
      (.turnedRight, 2, [3, 6, 2, 5, 1, 4]),
    ])
  func orientations(orientation: Orientation, width: Int, expected: [UInt8]) {
    let upright = stored.upright(from: orientation)
    #expect(upright.width == width)
    #expect(upright.samples == expected)
  }

  @Test("four quarter turns of a large colour picture give it back")
  func fourTurns() {
    let size = PixelSize(width: 67, height: 41)
    let samples = (0..<67 * 41 * 3).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let picture = Raster(size: size, format: .rgb, samples: samples)
    let once = picture.turned(.clockwise)
    #expect(once.size == size.transposed)
    #expect(Array(once[x: 40, y: 0]) == Array(picture[x: 0, y: 0]))
    #expect(once.turned(.clockwise) == picture.turned(.half))
    #expect(once.turned(.half).turned(.clockwise) == picture)
    #expect(once.turned(.counterclockwise) == picture)
  }

  @Test("grey keeps every level, and goes through RGB unchanged")
  func grey() {
    let ramp = Raster(
      size: PixelSize(width: 256, height: 1), format: .gray, samples: Array(0...255))
    #expect(ramp.rgb().grayscale() == ramp)
  }
}

@Suite struct PixelRectTests {
  @Test("the first stored rows lie where the upright picture shows them", arguments: Orientation.allCases)
  func firstRows(orientation: Orientation) {
    // Stored: two rows of 1 above three of 0.
    let stored = Raster(
      size: PixelSize(width: 4, height: 5), format: .gray,
      samples: Array(repeating: 1, count: 8) + Array(repeating: 0, count: 12))
    let upright = stored.upright(from: orientation)
    let part = upright.cropped(to: orientation.placeOfFirstRows(2, upright: upright.size))
    #expect(part.samples == Array(repeating: 1, count: 8))
  }
}
