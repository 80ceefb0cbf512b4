/// A projective map of the plane: what a pinhole camera does to a flat page.
package struct Homography: Sendable, Hashable {
  /// The 3 × 3 matrix in row order, scaled so that the last element is 1 where that is possible.
  package let elements: [Double]

  /// Wraps nine elements in row order.
  package init(elements: [Double]) {
    precondition(elements.count == 9, "a homography has nine elements")
    self.elements = elements
  }

  /// The map that takes the corners of one quad to those of another, in their order.
  ///
  /// Found through the unit square, for which the map has a closed form (Heckbert 1989, section 2.2.3).
  /// - Returns: `nil` when a quad is degenerate.
  package init?(from source: Quad, to target: Quad) {
    guard
      let toSource = Homography(unitSquareTo: source), let back = toSource.inverse,
      let toTarget = Homography(unitSquareTo: target)
    else { return nil }
    self = toTarget.after(back)
  }

  /// The map from the square (0,0) (1,0) (1,1) (0,1) to a quad's corners.
  package init?(unitSquareTo quad: Quad) {
    let (a, b, c, d) = (quad.topLeft, quad.topRight, quad.bottomRight, quad.bottomLeft)
    let sum = a - b + c - d
    let right = b - c
    let down = d - c
    let determinant = right.cross(down)
    guard abs(determinant) > 1e-12 else { return nil }
    let g = sum.cross(down) / determinant
    let h = right.cross(sum) / determinant
    self.init(elements: [
      b.x - a.x + g * b.x, d.x - a.x + h * d.x, a.x,
      b.y - a.y + g * b.y, d.y - a.y + h * d.y, a.y,
      g, h, 1,
    ])
  }

  /// The point that `point` is mapped to; infinite or NaN on the line that goes to infinity.
  package func apply(_ point: Point) -> Point {
    let m = elements
    let w = m[6] * point.x + m[7] * point.y + m[8]
    return Point(
      x: (m[0] * point.x + m[1] * point.y + m[2]) / w,
      y: (m[3] * point.x + m[4] * point.y + m[5]) / w)
  }

  /// The map back, or `nil` when this one flattens the plane to a line.
  package var inverse: Homography? {
    let m = elements
    let adjugate = [
      m[4] * m[8] - m[5] * m[7], m[2] * m[7] - m[1] * m[8], m[1] * m[5] - m[2] * m[4],
      m[5] * m[6] - m[3] * m[8], m[0] * m[8] - m[2] * m[6], m[2] * m[3] - m[0] * m[5],
      m[3] * m[7] - m[4] * m[6], m[1] * m[6] - m[0] * m[7], m[0] * m[4] - m[1] * m[3],
    ]
    let determinant = m[0] * adjugate[0] + m[1] * adjugate[3] + m[2] * adjugate[6]
    guard determinant.isFinite, abs(determinant) > 1e-30 else { return nil }
    return Homography(elements: adjugate.map { $0 / determinant })
  }

  /// The map that does `first` and then this one.
  package func after(_ first: Homography) -> Homography {
    let (m, n) = (elements, first.elements)
    var product = [Double](repeating: 0, count: 9)
    for row in 0..<3 {
      for column in 0..<3 {
        product[3 * row + column] =
          m[3 * row] * n[column] + m[3 * row + 1] * n[3 + column] + m[3 * row + 2] * n[6 + column]
      }
    }
    let last = product[8]
    return Homography(elements: abs(last) > 1e-12 ? product.map { $0 / last } : product)
  }
}
