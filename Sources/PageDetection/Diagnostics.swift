package import Raster

/// What the ranking saw of a photo: for measuring and for fitting the ranking, not for scanning.
package struct DetectionTrace: Sendable {
  /// One outline that was ranked.
  package struct Entry: Sendable {
    /// Corners clockwise, in full-resolution pixels, before the refit at full size.
    package var corners: [Point]
    /// In the order of `featureNames`.
    package var features: [Double]
    package var score: Double
    package var method: DetectionMethod
  }

  /// Best first.
  package var entries: [Entry]
  /// What each feature measures.
  package static var featureNames: [String] {
    QuadFeatures.allNames
  }
}

/// Runs the search and keeps all that was ranked.
package func traceDetection(in photo: Raster) -> DetectionTrace {
  guard min(photo.width, photo.height) >= Search.leastSide else { return DetectionTrace(entries: []) }
  let search = Search(photo: photo)
  return DetectionTrace(
    entries: search.ranked.map { entry in
      let corners = entry.candidate.corners.map {
        Point(x: $0.x * search.copy.scaleX, y: $0.y * search.copy.scaleY)
      }
      return DetectionTrace.Entry(
        corners: corners, features: entry.features.values, score: entry.score, method: entry.candidate.method)
    })
}
