import Glibc
import Raster

/// A camera without faults that photographs a flat page: where the page's corners fall in the photo.
struct PinholeCamera {
  var photo = PixelSize(width: 4032, height: 3024)
  var focalLength35mm = 26.0
  /// How the page leans away, turns aside, and lies turned in its own plane, in degrees.
  var tilt = 0.0
  var yaw = 0.0
  var roll = 0.0
  /// Where the page's middle is seen, relative to the photo's middle, as a share of the focal length.
  var offset = Point(x: 0, y: 0)
  /// The page's longer side over its distance from the camera.
  var closeness = 0.6

  var focalLengthInPixels: Double {
    focalLength35mm * hypot(Double(photo.width), Double(photo.height)) / 43.27
  }

  /// The corners of a page `width` by `height`, the first being the page's own top-left.
  func corners(width: Double, height: Double) -> [Point] {
    let scale = closeness / max(width, height)
    let (a, b, c) = (tilt * .pi / 180, yaw * .pi / 180, roll * .pi / 180)
    return [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)].map { u, v in
      let (flatX, flatY) = (u * width * scale, v * height * scale)
      let (x0, y0) = (flatX * cos(c) - flatY * sin(c), flatX * sin(c) + flatY * cos(c))
      let (y1, z1) = (y0 * cos(a), y0 * sin(a))
      let (x2, z2) = (x0 * cos(b) - z1 * sin(b), x0 * sin(b) + z1 * cos(b))
      let depth = 1 + z2
      return Point(
        x: Double(photo.width) / 2 + focalLengthInPixels * (x2 / depth + offset.x),
        y: Double(photo.height) / 2 + focalLengthInPixels * (y1 / depth + offset.y))
    }
  }

  /// The page's outline, begun with its own top-left.
  func quad(width: Double, height: Double) -> Quad {
    let points = corners(width: width, height: height)
    return Quad(topLeft: points[0], topRight: points[1], bottomRight: points[2], bottomLeft: points[3])
  }
}

extension Quad {
  /// Every coordinate off by an even chance of up to `amount` pixels.
  func shaken(by amount: Double, _ generator: inout some RandomNumberGenerator) -> Quad {
    func shake(_ point: Point) -> Point {
      Point(
        x: point.x + Double.random(in: -amount...amount, using: &generator),
        y: point.y + Double.random(in: -amount...amount, using: &generator))
    }
    return Quad(
      topLeft: shake(topLeft), topRight: shake(topRight), bottomRight: shake(bottomRight),
      bottomLeft: shake(bottomLeft))
  }
}
