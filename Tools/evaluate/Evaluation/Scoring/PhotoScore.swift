package import Raster

/// What the detector answered to one photo, and how good that is.
package struct PhotoScore: Sendable {
  /// From this overlap on an outline is right.
  package static let rightOverlap = 0.95
  /// Below this overlap another thing was found than the page.
  package static let leastOverlap = 0.5

  package var truth: PhotoTruth
  /// The size of the upright photo.
  package var size: PixelSize
  package var found: Quad?
  package var confidence: Double?
  /// Why nothing was found.
  package var reasons: [String]
  /// Processor time of the detection alone.
  package var milliseconds: Double
  /// For a page that something was found for.
  package let outline: OutlineScore?

  package init(
    truth: PhotoTruth, size: PixelSize, found: Quad?, confidence: Double? = nil, reasons: [String] = [],
    milliseconds: Double = 0
  ) {
    self.truth = truth
    self.size = size
    self.found = found
    self.confidence = confidence
    self.reasons = reasons
    self.milliseconds = milliseconds
    outline = found.flatMap { OutlineScore(of: $0, against: truth, frame: size) }
  }

  /// The overlap with the page, 0 when it was missed; for other photos 1 when the answer is right, and 0 when not.
  package var overlap: Double {
    if truth.answer == .page { return outline?.overlap ?? 0 }
    return isRight ? 1 : 0
  }

  /// The visible overlap, 0 when the page was missed.
  package var visibleOverlap: Double { outline?.visibleOverlap ?? 0 }

  package var isMissed: Bool { truth.answer == .page && found == nil }

  /// Whether the answer is right: a page found to 0.95, a flat scan left whole, nothing found where there is none.
  package var isRight: Bool {
    switch truth.answer {
    case .page: return (outline?.overlap ?? 0) >= Self.rightOverlap
    case .flat:
      guard let found else { return true }
      let window = Polygon(Quad(wholeOf: size))
      return Polygon(found).clipped(to: window).overlap(with: window) >= Self.rightOverlap
    case .none: return found == nil
    case .ambiguous: return true
    }
  }

  /// What became of the photo, in a few words.
  package var verdict: String {
    switch truth.answer {
    case .page:
      guard found != nil else { return "missed" }
      if isRight { return "right" }
      return overlap < Self.leastOverlap ? "something else" : "inexact"
    case .flat: return isRight ? "left whole" : "flat scan cut"
    case .none: return isRight ? "nothing found" : "false find"
    case .ambiguous: return "left out"
    }
  }
}
