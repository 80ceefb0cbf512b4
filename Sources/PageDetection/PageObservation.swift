package import Raster

/// A page seen in a photo.
package struct PageObservation: Sendable, Hashable {
  /// The outline in full-resolution pixels of the photo; corners may lie outside of it.
  package var quad: Quad
  /// How sure the detector is that this outline is right to a few per cent, 0 to 1.
  package var confidence: Double
  /// Which evidence proposed the outline.
  package var method: DetectionMethod

  package init(quad: Quad, confidence: Double, method: DetectionMethod) {
    self.quad = quad
    self.confidence = confidence
    self.method = method
  }
}

/// Which evidence proposed an outline.
///
/// Ranking treats all alike; records keep it to explain a page.
package enum DetectionMethod: String, Sendable, Hashable, CaseIterable {
  /// Four straight lines along edges.
  case lines
  /// The hull of an even region.
  case region
  /// The border of the area that the net takes for the page.
  case net
  /// The photo's own frame: the page fills it.
  case frame
}

/// What the detector found: a page, or the reasons why there is none.
package struct DetectionResult: Sendable, Hashable {
  /// The page, or `nil`.
  package var page: PageObservation?
  /// Other outlines, best first: for review by hand.
  ///
  /// Also filled when no page was sure enough.
  package var runnersUp: [PageObservation]
  /// Why there is no page; empty when there is one.
  package var reasons: [NoPageReason]
  /// How many other sheets were seen to lie beside the page; there may be more.
  package var otherSheets: Int

  package init(
    page: PageObservation?, runnersUp: [PageObservation], reasons: [NoPageReason], otherSheets: Int = 0
  ) {
    self.otherSheets = otherSheets
    self.page = page
    self.runnersUp = runnersUp
    self.reasons = reasons
  }
}
