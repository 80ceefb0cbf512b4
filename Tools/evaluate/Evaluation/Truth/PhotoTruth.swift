package import Raster

/// What is to be seen in a photo.
package enum TrueAnswer: String, Sendable, CaseIterable {
  /// A page, whose outline is to be found.
  case page
  /// The picture is the page: it is right to find nothing, or the whole frame.
  case flat
  /// No page: it is right to find nothing.
  case none
  /// People would disagree: left out of the score.
  case ambiguous
}

/// The truth about one photo.
package struct PhotoTruth: Sendable {
  /// The photo's file name, without a folder.
  package var file: String
  /// What sort of page it is, such as `receipt`.
  package var kind: String
  /// What makes it hard, such as `shadow`.
  package var tags: [String]
  package var answer: TrueAnswer
  /// The outlines that are right: one for a page, or more where more than one can be meant, none else.
  ///
  /// Corners are those of the page as it is read, clockwise from its top-left, in pixels of the upright photo.
  package var outlines: [Quad]
  /// The page's true size, where it is known: then the corners are exact, also those outside of the frame.
  package var page: PageMeasure?
  /// The size of the upright photo that the corners were taken in, where the truth tells.
  package var size: PixelSize?

  package init(
    file: String, kind: String, tags: [String] = [], answer: TrueAnswer, outlines: [Quad] = [],
    page: PageMeasure? = nil, size: PixelSize? = nil
  ) {
    self.file = file
    self.kind = kind
    self.tags = tags
    self.answer = answer
    self.outlines = outlines
    self.page = page
    self.size = size
  }
}

/// The true size of a page in millimetres, as it is read.
package struct PageMeasure: Sendable, Hashable {
  package var width: Double
  package var height: Double

  package init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }
}
