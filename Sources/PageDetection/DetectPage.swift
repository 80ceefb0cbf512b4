import PageNet
package import Raster

/// Finds the page in a photo.
///
/// The photo is upright; it may be full size or reduced, since the search makes its own small copy. Nothing is thrown: a
/// photo without a page gives the reasons why.
package func detectPage(in photo: Raster, options: DetectionOptions = .init()) -> DetectionResult {
  guard min(photo.width, photo.height) >= Search.leastSide else {
    return DetectionResult(page: nil, runnersUp: [], reasons: [.pictureTooSmall])
  }
  let search = Search(photo: photo)
  var result = search.result(options: options, photo: photo)
  let frame = search.filledFrame(of: photo, options: options)
  if let page = result.page {
    // Ranked without sides to speak for it, the frame may be surer than its rank says.
    if let frame, page.method == .frame, frame.confidence > page.confidence { result.page = frame }
    return result
  }
  // Of several sheets alike none may be the page to the net.
  if let one = search.evidenceOfOneSheet() {
    let second = Search(photo: photo, evidence: one).result(options: options, photo: photo)
    guard second.page == nil else { return second }
  }
  if let frame {
    result.page = frame
    result.reasons = []
  }
  return result
}

/// The search for a page in one photo, up to the ranked candidates.
struct Search {
  /// Below this many pixels a side nothing can be told.
  static let leastSide = 24
  /// Lines of the half-size copy that differ by less than this from others are doubles; pixels.
  static let doubleDistance = 2.5

  let copy: SmallCopy
  let edges: EdgeMap
  let ranked: [RankedCandidate]
  let border: PhotoBorder
  /// What the net saw; `nil` without one.
  let evidence: PageEvidence?
  private let support: NetSupport?
  let others: OtherSheets?

  /// Corners clockwise that may be the page's, and how far from them its sides are looked for.
  private struct Proposal: Sendable {
    let corners: [Point]
    let method: DetectionMethod
    let reach: Double?
  }

  struct RankedCandidate: Sendable {
    var candidate: Candidate
    var features: QuadFeatures
    var score: Double
  }

  /// - Parameter given: what the net saw, where it has looked already.
  init(photo: Raster, evidence given: PageEvidence? = nil) {
    let raw = SmallCopy(of: photo)
    let copy = raw.smoothed()
    let (traced, seen) = together({ Traces(of: copy) }, { Areas(of: copy, raw: raw, given: given) })
    let (edges, colours, evidence) = (traced.edges, traced.colours, seen.evidence)
    self.copy = copy
    self.edges = edges
    self.evidence = evidence
    others = seen.others
    let (width, height) = (Double(copy.width), Double(copy.height))
    let snapper = SideSnapper(edges: edges)
    var lines = traced.lines
    func add(_ line: Line, distance: Double) {
      guard let range = line.visibleRange(width: width, height: height),
        !lines.contains(where: { line.isNear($0, range: range, distance: distance) })
      else { return }
      lines.append(line)
    }
    for line in seen.coarseLines.prefix(Self.coarseLines) {
      add(
        Line(normal: line.normal, offset: line.offset * 2, votes: line.votes * 2),
        distance: Self.doubleDistance)
    }
    // The net's area and even regions give quads of their own, and their sides join the lines.
    let support = evidence.map { NetSupport($0, width: copy.width, height: copy.height) }
    var proposals: [Proposal] = [
      Proposal(
        corners: [
          Point(x: 0, y: 0), Point(x: width, y: 0), Point(x: width, y: height), Point(x: 0, y: height),
        ], method: .frame, reach: nil)
    ]
    if let evidence, let support {
      for outline in NetProposals.joinedCorners(
        of: evidence, support, width: copy.width, height: copy.height)
      {
        for reach in [nil, Self.netReaches[0]] {
          proposals.append(Proposal(corners: outline, method: .net, reach: reach))
        }
      }
      for outline in NetProposals.outlines(of: evidence, width: copy.width, height: copy.height) {
        for reach in Self.netReaches {
          proposals.append(Proposal(corners: outline, method: .net, reach: reach))
        }
      }
    }
    proposals += seen.regions.map {
      Proposal(corners: $0.map { $0 * 2 }, method: .region, reach: Self.regionReach)
    }
    let moved = mapInParallel(proposals) {
      (outline: Self.snapped($0.corners, reach: $0.reach, snapper: snapper), method: $0.method)
    }
    var outlines: [(outline: Outline, method: DetectionMethod)] = []
    for case (let outline?, let method) in moved
    where !outlines.contains(where: { $0.outline.isNear(outline.corners, distance: 4) }) {
      outlines.append((outline, method))
    }
    var candidates = mapInParallel(outlines) {
      Candidate($0.outline, method: $0.method, edges: edges, colours: colours)
    }.compactMap(\.self)
    lines = Self.promising(lines, support)
    // The net's come first, then those of regions.
    for candidate in candidates {
      for side in candidate.sides where !side.line.isFrame && lines.count < Self.greatestLines {
        add(side.line, distance: 2)
      }
    }
    lines += Line.frame(width: width, height: height)
    let profiles = mapInParallel(lines) { LineProfile(line: $0, edges: edges, colours: colours) }
      .compactMap(\.self)
    let assembler = QuadAssembler(profiles: profiles, width: width, height: height, support: support)
    candidates += assembler.candidates()
    let measured = mapInParallel(candidates) { candidate in
      (candidate: candidate, features: QuadFeatures(of: candidate, colours: colours))
    }
    let company = Company(measured)
    @Sendable func judged(_ candidate: Candidate, _ features: QuadFeatures) -> RankedCandidate {
      var features = features
      features.add(company.features(of: candidate, features))
      features.add(support?.features(of: candidate) ?? NetSupport.nothingSeen)
      return RankedCandidate(candidate: candidate, features: features, score: PageModel.score(features))
    }
    var first = mapInParallel(measured) { judged($0.candidate, $0.features) }
    first.sort { $0.score > $1.score }
    var ranked = mapInParallel(Array(first.prefix(Self.snappedCount))) { entry in
      guard
        let outline = Self.snapped(
          entry.candidate.corners, reach: 3, snapper: snapper,
          frames: entry.candidate.sides.map(\.line.isFrame)),
        let candidate = Candidate(outline, method: entry.candidate.method, edges: edges, colours: colours)
      else { return entry }
      let moved = judged(candidate, QuadFeatures(of: candidate, colours: colours))
      return moved.score > entry.score ? moved : entry
    }
    ranked += first.dropFirst(Self.snappedCount)
    ranked.sort { $0.score > $1.score }
    self.ranked = ranked
    self.support = support
    border = PhotoBorder(of: copy)
  }

  /// The lines that most edge voted for, and those along which the net sees most of a side; all of them without a net.
  private static func promising(_ lines: [Line], _ support: NetSupport?) -> [Line] {
    guard let support, lines.count > 2 * halfOfLines else { return lines }
    let seen = lines.map { support.sides(along: $0) }
    let byVotes = lines.indices.sorted { (lines[$0].votes, $1) > (lines[$1].votes, $0) }
    let bySides = lines.indices.sorted { (seen[$0], $1) > (seen[$1], $0) }
    let kept = Set(byVotes.prefix(halfOfLines) + bySides.prefix(halfOfLines))
    return kept.sorted().map { lines[$0] }
  }

  /// How many lines are kept for their votes, and how many for the net's sides.
  static let halfOfLines = 20
  /// How far from the net's outline its sides are looked for, in pixels of the small copy: half a place of its map, and one.
  static let netReaches = [6.0, 12.0]
  /// How far from a region's outline, which text and shadows cut into, its sides are looked for.
  static let regionReach = 7.0
  /// Lines of the half-size copy that join those of the full one.
  static let coarseLines = 16
  /// Lines from which quads are built at most.
  static let greatestLines = 60
  /// Candidates whose sides are moved onto their edges before the ranking is final.
  static let snappedCount = 8

  /// The quad with each side moved onto the edge beside it, where a reach is given.
  ///
  /// Sides at the border of the frame stay there; sides without an edge stay as they are.
  /// - Returns: `nil` when the sides enclose nothing, or one of them isn't in view.
  private static func snapped(
    _ corners: [Point], reach: Double?, snapper: SideSnapper,
    frames: [Bool] = [false, false, false, false]
  ) -> Outline? {
    let (width, height) = (Double(snapper.edges.width), Double(snapper.edges.height))
    var lines: [Line] = []
    for side in 0..<4 {
      let (start, end) = (corners[side], corners[(side + 1) % 4])
      if frames[side] || isAtFrame(start, end, width: width, height: height) {
        guard let line = Line(through: start, end, isFrame: true) else { return nil }
        lines.append(line)
      } else if let reach, let line = snapper.snap(from: start, to: end, reach: reach) {
        lines.append(line)
      } else if let line = Line(through: start, end) {
        lines.append(line)
      } else {
        return nil
      }
    }
    var moved: [Point] = []
    for side in 0..<4 {
      guard let corner = lines[(side + 3) % 4].intersection(with: lines[side]),
        corner.x > -0.5 * width, corner.x < 1.5 * width, corner.y > -0.5 * height, corner.y < 1.5 * height
      else { return nil }
      moved.append(corner)
    }
    for side in 0..<4 {
      let (a, b, c) = (moved[side], moved[(side + 1) % 4], moved[(side + 2) % 4])
      guard (b - a).cross(c - b) > 0,
        LineProfile.visibleRange(of: lines[side], width: width, height: height) != nil
      else { return nil }
    }
    return Outline(corners: moved, sides: lines)
  }

  private static func isAtFrame(_ one: Point, _ two: Point, width: Double, height: Double) -> Bool {
    let margin = 2.5
    return (one.x < margin && two.x < margin) || (one.y < margin && two.y < margin)
      || (one.x > width - margin && two.x > width - margin)
      || (one.y > height - margin && two.y > height - margin)
  }

  /// Two outlines whose corners all lie within this share of the photo's long side are the same.
  static let sameOutline = 0.03
  /// Outlines kept for review beside the page.
  static let greatestRunnersUp = 4

  func result(options: DetectionOptions, photo: Raster) -> DetectionResult {
    var page: PageObservation?
    var runnersUp: [PageObservation] = []
    var reasons: [NoPageReason] = []
    var otherSheets = 0
    let near = Self.sameOutline * Double(max(copy.width, copy.height))
    var shown: [Candidate] = []
    for entry in ranked {
      // Also without a page: once that many better outlines were refused, a later one isn't the page.
      if runnersUp.count >= Self.greatestRunnersUp { break }
      if shown.contains(where: { $0.isNear(entry.candidate.corners, distance: near) }) { continue }
      let confidence = PageModel.confidence(entry.score, entry.features)
      let reason = objection(to: entry, confidence: confidence, options: options)
      guard let quad = fullSize(entry.candidate, of: photo, isRefined: page == nil && reason == nil)
      else { continue }
      shown.append(entry.candidate)
      let observation = PageObservation(
        quad: quad, confidence: confidence, method: entry.candidate.method)
      if page == nil && reason == nil {
        page = observation
        otherSheets =
          others?.count(
            beside: entry.candidate.corners.map {
              Point(x: $0.x / Double(copy.width), y: $0.y / Double(copy.height))
            }) ?? 0
      } else {
        if let reason, reasons.isEmpty { reasons.append(reason) }
        runnersUp.append(observation)
      }
    }
    if page != nil {
      reasons = []
    } else if !hasEdges {
      reasons = [.nothingButEvenArea]
    } else if border.isEvenPaper && (ranked.first?.score ?? -10) < Self.flatScore {
      reasons = [.alreadyFlat]
    } else if reasons.isEmpty {
      reasons = [.noOutline]
    }
    return DetectionResult(
      page: page, runnersUp: runnersUp, reasons: reasons, otherSheets: otherSheets)
  }

  /// The photo's own frame as the page, where the net sees one that fills it: such a page has no sides to rank.
  fileprivate func filledFrame(of photo: Raster, options: DetectionOptions) -> PageObservation? {
    // To the net a bare desk of an unknown kind, too, may look like a page that fills the photo.
    guard let evidence, hasEdges, border.isPaleAllAround else { return nil }
    let area = evidence.page.count { $0 > 0.5 }
    let likelihood = Double(evidence.isFilled)
    let aspect = Double(min(photo.width, photo.height)) / Double(max(photo.width, photo.height))
    guard likelihood >= max(Self.leastFilled, options.minimumConfidence),
      aspect >= options.minimumAspectRatio, aspect <= options.maximumAspectRatio,
      Double(area) >= Self.leastFilledArea * Double(evidence.page.count)
    else { return nil }
    return PageObservation(quad: Quad(wholeOf: photo.size), confidence: likelihood, method: .frame)
  }

  /// The least likelihood of a page that fills the photo, and the least share of the photo that the net's area must cover.
  ///
  /// Of 79 rendered photos without a page one passes both, whose border isn't pale; of six real flat scans four come to 0.95.
  static let leastFilled = 0.5
  static let leastFilledArea = 0.95

  private var hasEdges: Bool {
    Double(edges.crest.count) >= Self.leastCrest * Double(copy.width * copy.height)
  }

  /// Below this share of edge pixels there is nothing in the picture.
  static let leastCrest = 0.0005
  /// Below this score of the best outline, an even light border is taken for the paper's.
  static let flatScore = -0.8
  /// The least confidence of an outline within an even light border.
  ///
  /// A frame or a table on a flat scan looks like a page on a white desk, so more is asked. Chosen so that a drawn page of
  /// text that fills the frame is left whole, and no page of the real photos used for tuning is lost.
  static let flatConfidence = 0.5

  /// The outline in pixels of the photo.
  private func fullSize(_ candidate: Candidate, of photo: Raster, isRefined: Bool) -> Quad? {
    func scaled(_ corners: [Point]) -> Quad {
      Quad(topLeft: corners[0], topRight: corners[1], bottomRight: corners[2], bottomLeft: corners[3])
        .scaled(x: copy.scaleX, y: copy.scaleY)
    }
    guard isRefined else { return Quad(corners: scaled(candidate.corners).corners) }
    let frames = candidate.sides.map(\.line.isFrame)
    let (corners, isBent) = BentSides(edges: edges, support: support).corners(
      of: candidate.corners, frames: frames)
    let quad = scaled(corners)
    let refiner = SideRefiner(photo: photo, scale: 0.5 * (copy.scaleX + copy.scaleY))
    let fixed = zip(frames, isBent).map { $0 || $1 }
    // Twice: a side that lay askew had only a part of its edge within the band at first.
    let refined = refiner.refined(refiner.refined(quad, fixed: fixed), fixed: fixed)
    return Quad(corners: refined.corners) ?? Quad(corners: quad.corners)
  }

  private func objection(
    to entry: RankedCandidate, confidence: Double, options: DetectionOptions
  ) -> NoPageReason? {
    let share = entry.features["area"]
    if share < options.minimumSize { return .tooSmall(percent: Int((share * share * 100).rounded())) }
    let aspect = entry.features["aspect"]
    if aspect < options.minimumAspectRatio || aspect > options.maximumAspectRatio {
      return .wrongAspectRatio(aspect)
    }
    if confidence < options.minimumConfidence { return .uncertain(confidence: confidence) }
    if border.isEvenPaper && confidence < Self.flatConfidence { return .alreadyFlat }
    return nil
  }
}
