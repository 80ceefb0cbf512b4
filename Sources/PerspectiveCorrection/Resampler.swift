package import Raster

/// Draws a picture of `size` whose pixels come from where `map` takes their centres in `photo`.
///
/// Where the picture is enlarged, samples are interpolated by cubics. Where it is reduced, each pixel is the mean of several
/// points spread over the area it stands for; their spread grows from nothing, so that sharpness doesn't jump where the scale passes 1.
/// Pixels that fall outside of the photo are white.
package func resample(_ photo: Raster, size: PixelSize, map: Homography) -> Raster {
  let weights = CubicWeights()
  return unsafe Raster(size: size, format: photo.format) { output in
    unsafe photo.samples.withUnsafeBufferPointer { input in
      unsafe weights.table.withUnsafeBufferPointer { table in
        guard let samples = input.baseAddress, let weights = table.baseAddress,
          let target = output.baseAddress
        else { return }
        let source = unsafe PhotoSampler(
          samples: samples, weights: weights, width: photo.width, height: photo.height,
          channels: photo.format.channels)
        unsafe draw(from: source, through: map, size: size, to: target)
      }
    }
  }
}

/// Pixels in a row for which the local scale is worked out once.
private let blockWidth = 16
/// Up to this scale a picture isn't treated as reduced: the loss can't be seen.
private let negligibleReduction = 1.05
/// The most points along one axis whose mean makes a pixel.
private let mostPoints = 64

private func draw(
  from source: borrowing PhotoSampler, through map: Homography, size: PixelSize,
  to target: UnsafeMutablePointer<UInt8>
) {
  let m = map.elements
  let channels = source.channels
  for row in 0..<size.height {
    let y = Double(row) + 0.5
    for start in stride(from: 0, to: size.width, by: blockWidth) {
      let count = min(blockWidth, size.width - start)
      let place = unsafe target + (row * size.width + start) * channels
      let middle = Double(start) + Double(count) / 2
      let scale = localScale(m, x: middle, y: y)
      if scale.across <= negligibleReduction && scale.down <= negligibleReduction {
        let x = Double(start) + 0.5
        var u = m[0] * x + m[1] * y + m[2]
        var v = m[3] * x + m[4] * y + m[5]
        var w = m[6] * x + m[7] * y + m[8]
        for index in 0..<count {
          let inverse = 1 / w
          unsafe source.write(u * inverse, v * inverse, to: place + index &* channels)
          u += m[0]
          v += m[3]
          w += m[6]
        }
      } else {
        let across = Spread(scale.across)
        let down = Spread(scale.down)
        for index in 0..<count {
          let x = Double(start + index) + 0.5
          unsafe source.writeMean(m, x: x, y: y, across: across, down: down, to: place + index &* channels)
        }
      }
    }
  }
}

/// How many of the photo's pixels one step right and one step down in the flat page cover.
private func localScale(_ m: [Double], x: Double, y: Double) -> (across: Double, down: Double) {
  let w = m[6] * x + m[7] * y + m[8]
  let u = (m[0] * x + m[1] * y + m[2]) / w
  let v = (m[3] * x + m[4] * y + m[5]) / w
  let across = Point(x: (m[0] - u * m[6]) / w, y: (m[3] - v * m[6]) / w).length
  let down = Point(x: (m[1] - u * m[7]) / w, y: (m[4] - v * m[7]) / w).length
  return (across, down)
}

/// Points along one axis of a pixel whose mean stands for it.
///
/// A pixel that covers `scale` samples of the photo has the variance of a box that wide, scale² / 12. One sample brings 1 / 12, the
/// spacing of the n points the rest: spacing² · (n² − 1) / 12.
struct Spread {
  let count: Int
  /// Distance of two points, in pixels of the flat page.
  let spacing: Double

  init(_ scale: Double) {
    guard scale > 1 else {
      (count, spacing) = (1, 0)
      return
    }
    let points = min(mostPoints, max(2, Int(scale.rounded(.up))))
    count = points
    spacing = ((scale * scale - 1) / Double(points * points - 1)).squareRoot() / scale
  }

  /// Where the first point lies relative to the pixel's centre.
  var first: Double { -0.5 * spacing * Double(count - 1) }
}
