internal import Raster

/// A sheet or card of a standard size.
///
/// The raw value is its name on the command line.
package enum PaperSize: String, Sendable, CaseIterable {
  case a3
  case a4
  case a5
  case a6
  case letter
  case legal
  /// Bank cards, identity cards, driving licences (ISO/IEC 7810).
  case id1
  /// The business card of most of Europe.
  case cardEU = "card-eu"
  /// The business card of North America.
  case cardUS = "card-us"

  /// The shorter side in millimetres.
  package var shortSide: Double {
    switch self {
    case .a3: 297
    case .a4: 210
    case .a5: 148
    case .a6: 105
    case .letter, .legal: 8.5 * Resolution.millimetresPerInch
    case .id1: 53.98
    case .cardEU: 55
    case .cardUS: 2 * Resolution.millimetresPerInch
    }
  }

  /// The longer side in millimetres.
  package var longSide: Double {
    switch self {
    case .a3: 420
    case .a4: 297
    case .a5: 210
    case .a6: 148
    case .letter: 11 * Resolution.millimetresPerInch
    case .legal: 14 * Resolution.millimetresPerInch
    case .id1: 85.6
    case .cardEU: 85
    case .cardUS: 3.5 * Resolution.millimetresPerInch
    }
  }

  /// Longer side over shorter side, above 1.
  package var elongation: Double { longSide / shortSide }

  /// The sizes that proportions alone can tell apart.
  ///
  /// The A series has one shape, so A4 stands for all of it; the others of it have to be asked for.
  static let recognisable: [PaperSize] = [.a4, .letter, .legal, .id1, .cardEU, .cardUS]
}

/// What a page is to be taken for.
package enum PaperChoice: Sendable, Hashable {
  /// The standard size whose proportions the page clearly has, if any.
  case auto
  /// No standard size: the proportions stay as they were found.
  case none
  /// This size, upright or on its side as the outline suggests.
  case size(PaperSize)
}

extension PaperSize {
  /// How far proportions may be off a paper's, as a natural logarithm, when they are known exactly.
  ///
  /// Two percent is what a tilt of 45° and corners a pixel off can cost (see docs/correction.md).
  private static let tolerance = 0.02
  /// How far at most, when the proportions are uncertain.
  private static let widestTolerance = 0.04
  /// How far for cards and Legal, near which other pages happen to be: books, whiteboards, receipts.
  private static let cardTolerance = 0.012
  /// What cut, fold and curl of real sheets add to the uncertainty of the proportions.
  private static let sheetSpread = 0.01
  /// How much less likely, in units of χ², the second best paper has to be.
  private static let clearLead = 4.0

  /// Whether this is what most single pages are.
  private var isSheet: Bool { self == .a4 || self == .letter }

  /// The paper whose proportions a page clearly has, or `nil`.
  ///
  package static func matching(_ proportions: Proportions) -> PaperSize? {
    let elongation = abs(proportions.logAspectRatio)
    let ranked = recognisable.map { paper in (paper, abs(elongation - naturalLogarithm(paper.elongation))) }
      .sorted { $0.1 < $1.1 }
    guard let best = ranked.first, let second = ranked.dropFirst().first else { return nil }
    let allowed =
      best.0.isSheet ? min(max(tolerance, 2 * proportions.uncertainty), widestTolerance) : cardTolerance
    guard best.1 <= allowed else { return nil }
    let variance = proportions.uncertainty * proportions.uncertainty + sheetSpread * sheetSpread
    guard (second.1 * second.1 - best.1 * best.1) / variance >= clearLead else { return nil }
    return best.0
  }

  /// Width over height of this paper when it lies as a page of `aspectRatio` does.
  func aspectRatio(lyingAs aspectRatio: Double) -> Double {
    aspectRatio > 1 ? elongation : 1 / elongation
  }
}
