/// How many pixels lie on an inch of paper, along x and y of the upright picture.
package struct Resolution: Sendable, Hashable {
  package var horizontal: Double
  package var vertical: Double

  package init(horizontal: Double, vertical: Double) {
    self.horizontal = horizontal
    self.vertical = vertical
  }

  /// The same along both axes.
  package init(dotsPerInch: Double) {
    self.init(horizontal: dotsPerInch, vertical: dotsPerInch)
  }

  package static let millimetresPerInch = 25.4

  /// The resolution after a quarter turn.
  package var transposed: Resolution { Resolution(horizontal: vertical, vertical: horizontal) }
}
