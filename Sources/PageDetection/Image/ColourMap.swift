import Raster

/// The smoothed small copy pixel by pixel, for all that reads it at single places.
///
/// A pixel's four numbers lie together: lightness, red less green, yellow less blue (see `SmallCopy`), and edge strength.
struct ColourMap: Sendable {
  typealias Pixel = SIMD4<Float>

  /// A place at which the whole photo is looked at.
  struct GridPlace {
    let place: Point
    let pixel: Pixel
    let isBorder: Bool
  }

  /// Places a side of the grid.
  private static let gridSide = 24

  let width: Int
  let height: Int
  /// Rows from top to bottom without padding.
  let pixels: [Pixel]
  /// Places spread evenly over the photo.
  let grid: [GridPlace]
  /// Mean edge strength over the grid.
  let meanEdges: Double

  init(of copy: SmallCopy, edges: EdgeMap) {
    let (width, height) = (copy.width, copy.height)
    (self.width, self.height) = (width, height)
    let pixels = unsafe [Pixel](unsafeUninitializedCapacity: width * height) { pixels, count in
      unsafe copy.lightness.values.withUnsafeBufferPointer { lightness in
        unsafe copy.redGreen.values.withUnsafeBufferPointer { redGreen in
          unsafe copy.yellowBlue.values.withUnsafeBufferPointer { yellowBlue in
            unsafe edges.strength.withUnsafeBufferPointer { strength in
              for index in 0..<width &* height {
                unsafe pixels[index] = Pixel(
                  lightness[index], redGreen[index], yellowBlue[index], strength[index])
              }
            }
          }
        }
      }
      count = width * height
    }
    let last = Self.gridSide - 1
    var grid: [GridPlace] = []
    for row in 0...last {
      for column in 0...last {
        let place = Point(
          x: (Double(column) + 0.5) / Double(Self.gridSide) * Double(width),
          y: (Double(row) + 0.5) / Double(Self.gridSide) * Double(height))
        grid.append(
          GridPlace(
            place: place, pixel: pixels[Int(place.y) * width + Int(place.x)],
            isBorder: row == 0 || column == 0 || row == last || column == last))
      }
    }
    self.pixels = pixels
    self.grid = grid
    meanEdges = grid.reduce(0) { $0 + Double($1.pixel.w) } / Double(grid.count)
  }

  /// The pixel that holds a point, or the nearest one.
  @inline(__always)
  func pixel(at place: Point) -> Pixel {
    let column = max(0, min(width &- 1, Int(place.x)))
    let row = max(0, min(height &- 1, Int(place.y)))
    return pixels[row &* width &+ column]
  }

  /// The colour of the pixel that holds a point, or of the nearest one.
  @inline(__always)
  func colour(at place: Point) -> (Double, Double, Double) {
    let pixel = pixel(at: place)
    return (Double(pixel.x), Double(pixel.y), Double(pixel.z))
  }
}
