import PerspectiveCorrection
import Raster
package import ScanLibrary

/// Everything in review, as the page knows it.
struct ReviewListing: Encodable {
  let scans: [ScanState]
  /// Whether the scans are stored only when it is done.
  let isDraft: Bool
}

/// A scan as the page knows it.
struct ScanState: Encodable, Sendable {
  let id: String
  let title: String
  let createdAt: String
  let mode: String
  let amount: Double?
  let pages: [PageState]

  /// - Parameter papers: what is known of the choice of paper, by the pages' numbers.
  init(_ scan: ScanRecord, papers: [Int: PaperChoice] = [:]) {
    id = scan.id.text
    title = scan.title
    createdAt = scan.createdAt.iso8601
    mode = scan.mode
    amount = scan.amount
    pages = scan.pages.map { PageState($0, paperChoice: papers[$0.number]) }
  }
}

/// A page as the page knows it.
struct PageState: Encodable, Sendable {
  let number: Int
  let corners: [[Double]]?
  let found: String
  let confidence: Double?
  let reasons: [String]
  let paper: String?
  /// `auto`, `none` or a paper; `nil` when that hasn't been asked for.
  let paperChoice: String?
  let turn: Int
  let mode: String?
  let amount: Double?
  /// Of the flat page, before it is turned.
  let width: Int
  let height: Int
  /// Whether a person should look at it.
  let isUnsure: Bool

  init(_ page: PageRecord, paperChoice: PaperChoice?) {
    number = page.number
    corners = page.origin.quad.map { $0.corners.map { [$0.x, $0.y] } }
    found = page.origin.found
    confidence = page.origin.confidence
    reasons = page.origin.reasons
    paper = page.origin.paper
    self.paperChoice = paperChoice?.name
    turn = page.look.turn.rawValue
    mode = page.look.mode
    amount = page.look.amount
    width = page.size.width
    height = page.size.height
    isUnsure = needsLook(page)
  }
}

extension PaperChoice {
  /// As the page calls it.
  var name: String {
    switch self {
    case .auto: "auto"
    case .none: "none"
    case .size(let size): size.rawValue
    }
  }

  init?(name: String) {
    switch name {
    case "auto": self = .auto
    case "none": self = .none
    default:
      guard let size = PaperSize(rawValue: name) else { return nil }
      self = .size(size)
    }
  }
}

/// Outlines that the detector is less sure of are shown to a person.
///
/// The upper tenth, where the confidence is nearly what it says: of 63 outlines that were found in real photos with it 58 were right,
/// and of 32 with less 18 (docs/detection.md). It was chosen on these photos; others may be harder.
private let sureConfidence = 0.9

/// Whether a page's detection failed or is unsure, and nobody has set it right.
package func needsLook(_ page: PageRecord) -> Bool {
  switch page.origin.found {
  case "not-found": true
  case "detected": (page.origin.confidence ?? 0) < sureConfidence
  default: false
  }
}
