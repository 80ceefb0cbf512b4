import Raster

/// A quad as four pairs `[x, y]`, to a hundredth of a pixel.
struct CornersJSON: Encodable {
  let quad: Quad

  func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for corner in quad.corners {
      try container.encode([hundredths(corner.x), hundredths(corner.y)])
    }
  }
}

/// A number with at most two digits after the point.
func hundredths(_ value: Double) -> Double { (value * 100).rounded() / 100 }

/// Four corners as they are typed after `--corners`.
func cornersText(_ quad: Quad) -> String {
  quad.corners.map { "\(tenths($0.x)),\(tenths($0.y))" }.joined(separator: " ")
}

/// A number with one digit after the point, or none when that would be 0.
func tenths(_ value: Double) -> String {
  let rounded = (value * 10).rounded() / 10
  return rounded == rounded.rounded() && abs(rounded) < 1e15 ? "\(Int(rounded))" : "\(rounded)"
}
