import Raster

/// The other candidates of the same photo, asked for those that lie around or within one.
///
/// A printed frame, a table or a block of text lies within another outline with parallel sides and the same paper between
/// them; a page doesn't.
struct Company {
  private struct Member {
    let corners: [Point]
    let directions: [Point]
    let area: Double
    let quality: Double
    let paper: (Double, Double, Double)
    let frameSides: Double
  }

  /// An outline lies around another when it is greater by at least this and at most this much.
  private static let areaRatio = 1.06...16.0
  /// How far a corner may stick out of the outline around it; pixels of the small copy.
  private static let tolerance = 1.5
  /// The cosine of the greatest angle between sides that count as parallel: 8°.
  private static let parallel = 0.9903
  /// Only so many of the best others are asked.
  private static let greatestCount = 160

  private let members: [Member]
  private let greatestQuality: Double

  init(_ all: [(candidate: Candidate, features: QuadFeatures)]) {
    members = Array(
      all.map { Self.member($0.candidate, $0.features) }.sorted { $0.quality > $1.quality }
        .prefix(Self.greatestCount))
    greatestQuality = members.map(\.quality).max() ?? 0
  }

  /// In the order of `QuadFeatures.companyNames`.
  func features(of candidate: Candidate, _ features: QuadFeatures) -> [Double] {
    let own = Self.member(candidate, features)
    var around: Member?
    var within: Member?
    for member in members {
      if around == nil, member.frameSides <= 0.5, Self.lies(own, within: member) { around = member }
      if within == nil, Self.lies(member, within: own) { within = member }
      if around != nil && within != nil { break }
    }
    func alike(_ other: Member?) -> Double {
      guard let other else { return 0 }
      return 20 / (20 + SideStrips.distance(own.paper, other.paper))
    }
    return [
      around?.quality ?? 0, around.map { $0.quality - own.quality } ?? -1, alike(around),
      around.map { (own.area / $0.area).squareRoot() } ?? 0,
      within?.quality ?? 0, alike(within), within.map { ($0.area / own.area).squareRoot() } ?? 0,
      own.quality / max(0.01, greatestQuality),
    ]
  }

  private static func member(_ candidate: Candidate, _ features: QuadFeatures) -> Member {
    let c = candidate.corners
    let directions = (0..<4).map { side -> Point in
      let way = c[(side + 1) % 4] - c[side]
      return way * (1 / max(1e-9, way.length))
    }
    return Member(
      corners: c, directions: directions, area: candidate.area, quality: features.quality,
      paper: features.paper, frameSides: features["frameSides"])
  }

  private static func lies(_ inner: Member, within outer: Member) -> Bool {
    guard areaRatio.contains(outer.area / max(1, inner.area)) else { return false }
    for side in 0..<4 {
      let way = outer.directions[side]
      for corner in inner.corners where way.cross(corner - outer.corners[side]) < -tolerance { return false }
    }
    // Both run clockwise, so one turn matches all four sides.
    return (0..<4).contains { turn in
      (0..<4).allSatisfy {
        inner.directions[$0].dot(outer.directions[($0 + turn) % 4]) > parallel
      }
    }
  }
}
