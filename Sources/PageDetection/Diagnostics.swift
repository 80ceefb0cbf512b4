package import Raster

/// Everything the ranking saw of a photo: for measuring and for fitting the ranking, not for scanning.
package struct DetectionTrace: Sendable {
  /// Candidates in full-resolution pixels, best first, with their features in the order of `featureNames`.
  package var candidates: [(corners: [Point], features: [Double], score: Double, method: DetectionMethod)]
  package var lines: [(from: Point, to: Point, votes: Double)] = []
  package var strength: [Float] = []
  package var crest: [Int32] = []
  package var width = 0
  package static var featureNames: [String] { QuadFeatures.names }
}

/// Runs the search and keeps what it looked at.
package func traceDetection(in photo: Raster) -> DetectionTrace {
  guard min(photo.width, photo.height) >= Search.leastSide else { return DetectionTrace(candidates: []) }
  let search = Search(photo: photo)
  var trace = DetectionTrace(
    candidates: search.ranked.map { entry in
      (
        entry.candidate.corners.map {
          Point(x: $0.x * search.copy.scaleX, y: $0.y * search.copy.scaleY)
        }, entry.features.values, entry.score, entry.candidate.method
      )
    })
  trace.lines = search.lines.compactMap { line in
    line.visibleRange(width: Double(search.copy.width), height: Double(search.copy.height)).map {
      (line.point(at: $0.lowerBound), line.point(at: $0.upperBound), line.votes)
    }
  }
  trace.strength = search.edges.strength
  trace.crest = search.edges.crest
  trace.width = search.copy.width
  return trace
}
