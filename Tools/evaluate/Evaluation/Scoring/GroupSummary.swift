/// The score of a group of photos, all with a page.
package struct GroupSummary: Sendable {
  /// `all pages`, a kind, or a tag with `#` before it.
  package let name: String
  package let count: Int
  package let mean: Double
  package let median: Double
  /// Shares with an overlap of at least 0.90, 0.95 and 0.98.
  package let atLeast: [Double]
  /// Those three limits.
  package static let limits = [0.9, 0.95, 0.98]
  /// The share below 0.5, missed pages among them.
  package let below: Double
  package let missed: Int
  /// The mean overlap within the frame.
  package let visibleMean: Double
  /// The median corner error of the pages for which something was found, as a share of the diagonal.
  package let cornerMedian: Double?

  /// - Returns: `nil` for no photo.
  package init?(_ name: String, _ scores: [PhotoScore]) {
    let overlaps = scores.map(\.overlap)
    guard let middle = Evaluation.median(overlaps) else { return nil }
    func share(_ isCounted: (Double) -> Bool) -> Double {
      Double(overlaps.count(where: isCounted)) / Double(overlaps.count)
    }
    self.name = name
    count = scores.count
    mean = overlaps.reduce(0, +) / Double(count)
    median = middle
    atLeast = Self.limits.map { limit in share { $0 >= limit } }
    below = share { $0 < PhotoScore.leastOverlap }
    missed = scores.count(where: \.isMissed)
    visibleMean = scores.map(\.visibleOverlap).reduce(0, +) / Double(count)
    cornerMedian = Evaluation.median(scores.compactMap { $0.outline?.cornerError })
  }

  /// All pages, each kind, those without a tag, and each tag.
  package static func groups(of scores: [PhotoScore]) -> [GroupSummary] {
    let pages = scores.filter { $0.truth.answer == .page }
    var groups = [GroupSummary("all pages", pages)]
    for kind in Set(pages.map(\.truth.kind)).sorted() {
      groups.append(GroupSummary(kind, pages.filter { $0.truth.kind == kind }))
    }
    groups.append(GroupSummary("no tag", pages.filter(\.truth.tags.isEmpty)))
    for tag in Set(pages.flatMap(\.truth.tags)).sorted() {
      groups.append(GroupSummary("#\(tag)", pages.filter { $0.truth.tags.contains(tag) }))
    }
    return groups.compactMap(\.self)
  }
}

/// The middle value, or the mean of the two in the middle; `nil` of none.
package func median(_ values: [Double]) -> Double? {
  guard !values.isEmpty else { return nil }
  let sorted = values.sorted()
  let middle = sorted.count / 2
  return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}
