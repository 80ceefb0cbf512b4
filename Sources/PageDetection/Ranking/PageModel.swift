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

  /// How likely the best outline is right to a few per cent, 0 to 1: from its score and what the net saw of it.
  static func confidence(_ score: Double, _ features: QuadFeatures) -> Double {
    let sum = sureness.reduce(calibration.scale * score + calibration.shift) { sum, term in
      sum + term.weight * features.values[term.feature]
    }
    return 1 / (1 + exp(-sum))
  }
}
