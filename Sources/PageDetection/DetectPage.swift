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
  return search.result(options: options)
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

  struct RankedCandidate {
    var candidate: Candidate
    var features: QuadFeatures
    var score: Double
  }

  init(photo: Raster) {
    let raw = SmallCopy(of: photo)
    copy = raw.smoothed()
    edges = EdgeMap(of: copy)
    let (width, height) = (Double(copy.width), Double(copy.height))
    var finder = LineFinder(edges: edges)
    var lines = finder.lines()
    let half = copy.halved().smoothed()
    var coarse = LineFinder(edges: EdgeMap(of: half))
    let coarseLines = coarse.lines().map {
      Line(normal: $0.normal, offset: $0.offset * 2, votes: $0.votes * 2)
    }
    for line in coarseLines.prefix(24) {
      guard let range = line.visibleRange(width: width, height: height) else { continue }
      if !lines.contains(where: { line.isNear($0, range: range, distance: Self.doubleDistance) }) {
        lines.append(line)
      }
    }
    lines += Line.frame(width: width, height: height)
    let profiles = lines.compactMap { [edges, copy] in LineProfile(line: $0, edges: edges, copy: copy) }
    let assembler = QuadAssembler(profiles: profiles, width: width, height: height)
    var ranked: [RankedCandidate] = []
    for candidate in assembler.candidates() {
      let features = QuadFeatures(of: candidate, copy: copy, edges: edges)
      ranked.append(
        RankedCandidate(candidate: candidate, features: features, score: PageModel.score(features)))
    }
    ranked.sort { $0.score > $1.score }
    self.ranked = ranked
  }

  func result(options: DetectionOptions) -> DetectionResult {
    var page: PageObservation?
    var runnersUp: [PageObservation] = []
    var reasons: [NoPageReason] = []
    for entry in ranked {
      guard runnersUp.count < 4 else { break }
      guard
        let quad = Quad(corners: entry.candidate.corners)?.scaled(x: copy.scaleX, y: copy.scaleY)
      else { continue }
      let observation = PageObservation(
        quad: quad, confidence: PageModel.confidence(entry.score), method: entry.candidate.method)
      if let reason = objection(to: entry, confidence: observation.confidence, options: options) {
        if page == nil && !reasons.contains(reason) && reasons.isEmpty { reasons.append(reason) }
        runnersUp.append(observation)
      } else if page == nil {
        page = observation
      } else {
        runnersUp.append(observation)
      }
    }
    if page != nil { reasons = [] } else if reasons.isEmpty { reasons = [.noOutline] }
    return DetectionResult(page: page, runnersUp: runnersUp, reasons: reasons)
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
    return nil
  }
}
