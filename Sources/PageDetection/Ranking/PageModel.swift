import Glibc

/// The ranking: how likely a candidate is the page, from its features.
enum PageModel {
  static let weights: [String: Double] = [
    "supportMean": 3, "supportLeast": 3, "supportSecond": 1.5, "stepMean": 2, "stepLeast": 2.5,
    "steadyMean": 1.5, "steadyLeast": 1.5, "lighterLeast": 0.6, "lighterMean": 1,
    "continuationMean": -3, "frameSides": -3, "area": 3, "insideChroma": -0.7, "insideSpread": -2,
    "insideDeviation": -1, "marginEdges": -1.5, "paperShare": 1, "outerPaper": -2.5, "angle": -1,
    "sideRatio": 1, "centred": -1, "deepStep": 2,
  ]
  static let bias = -7.5

  static func score(_ features: QuadFeatures) -> Double {
    var sum = bias
    for (index, name) in QuadFeatures.names.enumerated() {
      if let weight = weights[name] { sum += weight * features.values[index] }
    }
    return sum
  }

  static func confidence(_ score: Double) -> Double { 1 / (1 + exp(-score)) }
}
