package import Raster

/// A sheet of paper as it lies in the printer: which side is the top is the printer's choice.
package struct Sheet: Sendable, Hashable {
  /// Points (1/72 inch), as PDF counts.
  package var width: Double
  /// Points (1/72 inch).
  package var height: Double

  package init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }

  /// A sheet by its size in millimetres.
  package init(millimetresWide: Double, high: Double) {
    self.init(width: millimetresWide * Self.pointsPerMillimetre, height: high * Self.pointsPerMillimetre)
  }

  package static let a4 = Sheet(millimetresWide: 210, high: 297)
  package static let letter = Sheet(width: 612, height: 792)

  static let pointsPerInch = 72.0
  static let pointsPerMillimetre = pointsPerInch / Resolution.millimetresPerInch
}

/// Where a page goes on a sheet: as large as it can be, in the middle, and turned if that makes it larger.
package struct Placement: Sendable, Hashable {
  /// Points from the sheet's left side to the page's box.
  package var left: Double
  /// Points from the sheet's lower side to the page's box.
  package var bottom: Double
  /// Size of the box on the sheet in points, after the turn.
  package var width: Double
  package var height: Double
  /// Whether the page lies on its side, its top at the sheet's left: a quarter turn counter-clockwise, as IPP's
  /// landscape has it.
  package var isTurned: Bool

  /// - Parameters:
  ///   - size: the page in pixels.
  ///   - resolution: only the ratio of its two sides counts: a fax has pixels twice as high as wide.
  package init(of size: PixelSize, resolution: Resolution?, on sheet: Sheet) {
    let pixelAspect = Self.pixelAspect(resolution)
    let (width, height) = (Double(size.width) * pixelAspect, Double(size.height))
    let upright = min(sheet.width / width, sheet.height / height)
    let turned = min(sheet.width / height, sheet.height / width)
    isTurned = turned > upright
    self.width = isTurned ? height * turned : width * upright
    self.height = isTurned ? width * turned : height * upright
    left = (sheet.width - self.width) / 2
    bottom = (sheet.height - self.height) / 2
  }

  /// A pixel's width by its height; 1 when the resolution says nothing sensible.
  private static func pixelAspect(_ resolution: Resolution?) -> Double {
    guard let resolution else { return 1 }
    let aspect = resolution.vertical / resolution.horizontal
    // The most extreme pixels in use are those of a standard fax, 204 × 98 to the inch.
    return aspect.isFinite && (0.25...4).contains(aspect) ? aspect : 1
  }
}
