import Glibc

/// The ranking: how likely a candidate is the page, from its features.
///
/// A sum of small decision trees (gradient boosting, Friedman 2001), fitted on generated photos with exact corners. Features
/// of which more can only speak for a page (or only against one) were held to that while fitting.
enum PageModel {
  /// The log odds, up to a constant, that this is the page's outline.
  static func score(_ features: QuadFeatures) -> Double {
    var sum: Float = 0
    for root in roots {
      var node = root
      while nodes[node] >= 0 {
        let value = Float(features.values[Int(nodes[node])])
        node += value <= nodes[node + 1] ? 3 : 3 * Int(nodes[node + 2])
      }
      sum += nodes[node + 1]
    }
    return Double(sum)
  }

  static func confidence(_ score: Double) -> Double {
    1 / (1 + exp(-(calibration.scale * score + calibration.shift)))
  }
}
