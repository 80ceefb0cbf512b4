/// What counts as a page: the parameters that Apple's Vision has for rectangles, with its names.
package struct DetectionOptions: Sendable, Hashable {
  /// The least short side over long side, both as means of opposite sides in the photo.
  ///
  /// 0.1 and not Vision's 0.3: till receipts go to 1:6, and perspective shortens them further.
  package var minimumAspectRatio = 0.1
  /// The greatest short side over long side; 1 is a square.
  package var maximumAspectRatio = 1.0
  /// The least square root of the outline's area over the photo's.
  ///
  /// 0.17, which is 3 % of the photo, and not Vision's 0.3 of the smaller side, which would refuse tickets and cards that lie far from the
  /// camera.
  package var minimumSize = 0.17
  /// The least confidence with which a page is reported, 0 to 1.
  ///
  /// 0.4 and not Vision's 0.6: an outline that is a few per cent off counts as wrong in a confidence but is worth having.
  package var minimumConfidence = 0.4

  package init() {}
}
