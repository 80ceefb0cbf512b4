import Raster

/// The pictures in the tiff_ and heif_ fixtures; `make_tiff_heif_fixtures.py` has the same formulas.
enum Chart {
  static func color(width: Int = 53, height: Int = 37) -> Raster {
    rgb(width, height) { x, y in [20 + 4 * x, 20 + 6 * y, 230 - 2 * x - 2 * y] }
  }

  static func grey(width: Int = 53, height: Int = 37) -> Raster {
    gray(width, height) { x, y in 40 + 2 * x + 3 * y }
  }

  /// 0 is ink.
  static func bilevel() -> Raster {
    gray(75, 40) { x, y in (x * x + 3 * y) / 7 % 3 == 0 ? 0 : 255 }
  }

  static func wide(width: Int, height: Int) -> Raster {
    rgb(width, height) { x, y in [20 + x * 2 / 5, 20 + y / 2, 230 - x / 4 - y / 5] }
  }

  private static func gray(_ width: Int, _ height: Int, _ pixel: (Int, Int) -> Int) -> Raster {
    var samples: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width { samples.append(UInt8(pixel(x, y))) }
    }
    return Raster(size: PixelSize(width: width, height: height), format: .gray, samples: samples)
  }

  private static func rgb(_ width: Int, _ height: Int, _ pixel: (Int, Int) -> [Int]) -> Raster {
    var samples: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width { samples += pixel(x, y).map { UInt8($0) } }
    }
    return Raster(size: PixelSize(width: width, height: height), format: .rgb, samples: samples)
  }
}
