import Raster

/// A row a photo, worst first, as CSV (RFC 4180).
package func csvReport(_ run: DetectionRun) -> String {
  let head = [
    "file", "kind", "tags", "answer", "verdict", "overlap", "visible", "corner_error", "confidence",
    "milliseconds", "width", "height", "found", "reasons",
  ]
  let rows = run.worstFirst.map { score in
    [
      score.truth.file, score.truth.kind, score.truth.tags.joined(separator: " "),
      score.truth.answer.rawValue, score.verdict,
      score.truth.answer == .page ? fixed(score.overlap, 5) : "",
      score.truth.answer == .page ? fixed(score.visibleOverlap, 5) : "",
      score.outline?.cornerError.map { fixed($0, 6) } ?? "", score.confidence.map { fixed($0, 4) } ?? "",
      fixed(score.milliseconds, 1), "\(score.size.width)", "\(score.size.height)",
      score.found.map { quad in
        quad.corners.map { "\(fixed($0.x, 2)) \(fixed($0.y, 2))" }.joined(separator: " ")
      } ?? "",
      score.reasons.joined(separator: "; "),
    ]
  }
  return ([head] + rows).map { $0.map(csvCell).joined(separator: ",") + "\r\n" }.joined()
}

/// In quotes where it holds anything that separates.
private func csvCell(_ text: String) -> String {
  guard text.contains(where: { $0 == "," || $0 == "\"" || $0.isNewline }) else { return text }
  return "\"\(text.replacing("\"", with: "\"\""))\""
}
