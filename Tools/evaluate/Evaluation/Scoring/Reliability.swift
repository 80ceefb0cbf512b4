/// Whether the confidence says what it should: of the answers given with confidence c, a share of c is right.
package struct Reliability: Sendable {
  /// Answers whose confidence lies in one tenth of the scale.
  package struct Bin: Sendable, Hashable {
    package let count: Int
    package let meanConfidence: Double
    package let shareRight: Double
  }

  package static let binCount = 10

  package let count: Int
  /// From confidence 0 to 1; `nil` where there is no answer.
  package let bins: [Bin?]
  /// The mean distance of confidence and share of right answers, bins weighted by their answers; `nil` without an answer.
  package let calibrationError: Double?
  /// How often a right answer is surer than a wrong one, ties counting half (area under the ROC curve); `nil` without one of each.
  package let rightOverWrong: Double?

  package init(_ answers: [(confidence: Double, isRight: Bool)]) {
    count = answers.count
    bins = (0..<Self.binCount).map { bin in
      let within = answers.filter {
        max(0, min(Self.binCount - 1, Int($0.confidence * Double(Self.binCount)))) == bin
      }
      guard !within.isEmpty else { return nil }
      let number = Double(within.count)
      return Bin(
        count: within.count, meanConfidence: within.reduce(0) { $0 + $1.confidence } / number,
        shareRight: Double(within.count(where: \.isRight)) / number)
    }
    let total = Double(answers.count)
    calibrationError =
      answers.isEmpty
      ? nil
      : bins.compactMap(\.self).reduce(0) {
        $0 + Double($1.count) / total * abs($1.meanConfidence - $1.shareRight)
      }
    let right = answers.filter(\.isRight).map(\.confidence)
    let wrong = answers.filter { !$0.isRight }.map(\.confidence)
    var wins = 0.0
    for one in right {
      for other in wrong { wins += one > other ? 1 : one == other ? 0.5 : 0 }
    }
    rightOverWrong = right.isEmpty || wrong.isEmpty ? nil : wins / Double(right.count * wrong.count)
  }

  /// Over all answers given: a page found where there is none is wrong.
  package init(of scores: [PhotoScore]) {
    self.init(
      scores.compactMap { score in
        guard score.found != nil, let confidence = score.confidence else { return nil }
        return (confidence, score.isRight)
      })
  }
}
