/// Width and height of a picture in whole pixels, both at least 0.
package struct PixelSize: Sendable, Hashable {
  package var width: Int
  package var height: Int

  package init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// `width × height`, or `nil` when that doesn't fit an `Int`: sizes come from headers anyone may have written.
  package var pixelCount: Int? {
    let (product, overflow) = width.multipliedReportingOverflow(by: height)
    return overflow ? nil : product
  }

  /// The size after a quarter turn.
  package var transposed: PixelSize { PixelSize(width: height, height: width) }
}

extension PixelSize: CustomStringConvertible {
  package var description: String { "\(width) × \(height)" }
}
