package import Raster

/// How `flattenPage` is to work.
package struct CorrectionOptions: Sendable {
  /// What the page is taken for.
  package var paper: PaperChoice
  /// The most pixels a flat page may have; a page that would have more is made smaller.
  package var maximumPixels: Int

  package init(paper: PaperChoice = .auto, maximumPixels: Int = 256_000_000) {
    self.paper = paper
    self.maximumPixels = maximumPixels
  }
}

/// Where a page's proportions come from.
package enum ProportionSource: String, Sendable, CaseIterable {
  /// The page is the whole photo: its proportions are the photo's.
  case wholePhoto
  /// The outline, and a camera with the focal length that the photo's file gives.
  case focalLengthGiven
  /// The outline alone: its two vanishing points tell the focal length.
  case focalLengthSolved
  /// The outline, and a camera of a usual focal length: nothing told a better one, or none was needed.
  case focalLengthAssumed
  /// A standard paper.
  case paper
}

/// A page as a flatbed scanner would see it.
package struct FlatPage: Sendable {
  /// The page's pixels; what lay outside of the photo is white.
  package let raster: Raster
  /// Pixels per inch, the same along both axes; `nil` when the page's size on paper isn't known.
  package let resolution: Resolution?
  /// The standard size the page has, or was said to have.
  package let paper: PaperSize?
  /// Width over height of the page, of which the raster's is the nearest in whole pixels.
  package let aspectRatio: Double
  /// Where the proportions come from.
  package let proportions: ProportionSource
}

/// Why an outline can't be flattened.
package enum CorrectionError: Error, Hashable {
  /// The corners don't go clockwise around a convex shape, or aren't numbers.
  case notConvex
  /// The outline covers less than a few pixels; the value is the length of its shortest side in pixels.
  case tooSmall(shortestSide: Double)
  /// Hardly any of the outline lies inside the photo; the value is that share, 0 to 1.
  case outsidePhoto(visibleShare: Double)
  /// One end of the page would be this many times as far from the camera as the other.
  case tooSteep(depthRatio: Double)
  /// The page would be this many times as long as it is wide.
  case tooLong(elongation: Double)
}

extension CorrectionError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notConvex:
      "the corners don't go clockwise around a convex four-sided shape"
    case .tooSmall(let side):
      "the page's outline has a side of only \(rounded(side)) pixels"
    case .outsidePhoto(let share):
      "only \(rounded(share * 100)) % of the page's outline lies inside the photo"
    case .tooSteep(let ratio):
      "the corners would put one end of the page \(rounded(ratio)) times as far away as the other"
    case .tooLong(let elongation):
      "the page would be \(rounded(elongation)) times as long as it is wide"
    }
  }

  /// One digit after the point.
  private func rounded(_ value: Double) -> String {
    guard value.isFinite else { return "countless" }
    return "\((value * 10).rounded() / 10)"
  }
}
