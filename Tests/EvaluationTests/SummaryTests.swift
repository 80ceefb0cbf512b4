import Evaluation
import Raster
import Testing

@Suite("Figures of many photos")
struct SummaryTests {
  private func score(
    _ answer: TrueAnswer, kind: String = "note", tags: [String] = [], height: Double?,
    confidence: Double = 0.9
  ) -> PhotoScore {
    let size = PixelSize(width: 100, height: 100)
    return PhotoScore(
      truth: PhotoTruth(
        file: "a.png", kind: kind, tags: tags, answer: answer,
        outlines: answer == .page ? [rectangle(0, 0, 100, 100)] : []),
      size: size, found: height.map { rectangle(0, 0, 100, $0) }, confidence: height.map { _ in confidence })
  }

  @Test("a group's mean, median and shares")
  func group() throws {
    let scores = [100.0, 97, 92, 40, nil].map { score(.page, height: $0) }
    let group = try #require(GroupSummary("all", scores))
    #expect(group.count == 5)
    #expect(abs(group.mean - (1 + 0.97 + 0.92 + 0.4) / 5) < 1e-12)
    #expect(group.median == 0.92)
    #expect(group.atLeast == [0.6, 0.4, 0.2])
    #expect(group.below == 0.4)
    #expect(group.missed == 1)
    #expect(GroupSummary("none", []) == nil)
  }

  @Test("a page without an outline has no corner error, and counts as missed")
  func corners() throws {
    let group = try #require(GroupSummary("all", [score(.page, height: nil), score(.page, height: 80)]))
    // Two corners of four are off by 20, and the diagonal is 141.4.
    #expect(abs(try #require(group.cornerMedian) - 10 / (2 * 100.0 * 100).squareRoot()) < 1e-12)
  }

  @Test("groups are all pages, each kind, those without a tag, and each tag")
  func groups() {
    let scores = [
      score(.page, kind: "receipt", tags: ["shadow", "hand"], height: 100),
      score(.page, kind: "note", height: 50), score(.page, kind: "note", tags: ["hand"], height: 100),
      score(.none, kind: "none", tags: ["dark"], height: nil),
    ]
    let groups = GroupSummary.groups(of: scores)
    #expect(groups.map(\.name) == ["all pages", "note", "receipt", "no tag", "#hand", "#shadow"])
    #expect(groups.map(\.count) == [3, 2, 1, 1, 2, 1])
  }

  @Test("the median of an even number is the mean of the two in the middle")
  func medians() {
    #expect(median([4, 1, 3, 2]) == 2.5)
    #expect(median([3, 1, 2]) == 2)
    #expect(median([]) == nil)
  }

  @Test(
    "what is right on photos without an outline to find",
    arguments: [
      (.flat, nil, true), (.flat, 96, true), (.flat, 90, false), (.none, nil, true), (.none, 100, false),
    ] as [(TrueAnswer, Double?, Bool)])
  func withoutOutline(answer: TrueAnswer, height: Double?, isRight: Bool) {
    let score = score(answer, height: height)
    #expect(score.isRight == isRight)
    #expect(score.overlap == (isRight ? 1 : 0))
    #expect(!score.isMissed)
  }

  @Test("calibration error and AUC of a list worked out by hand")
  func reliability() throws {
    let answers = Reliability([(0.95, true), (0.91, true), (0.85, false), (0.81, true), (0.35, false)])
    // 0.9–1.0: 2 answers, mean 0.93, all right; 0.8–0.9: 2, mean 0.83, half right; 0.3–0.4: 1, 0.35, wrong.
    let expected = 0.4 * 0.07 + 0.4 * 0.33 + 0.2 * 0.35
    #expect(abs(try #require(answers.calibrationError) - expected) < 1e-12)
    // Of 3 × 2 pairs all but (0.81, 0.85) are in order.
    #expect(abs(try #require(answers.rightOverWrong) - 5.0 / 6) < 1e-12)
    #expect(answers.bins.map { $0?.count ?? 0 } == [0, 0, 0, 1, 0, 0, 0, 0, 2, 2])
    #expect(abs(try #require(answers.bins[8]?.shareRight) - 0.5) < 1e-12)
  }

  @Test("a confidence of 1 is in the last bin, a tie counts half, and nothing can be said of nothing")
  func reliabilityEdges() {
    let tie = Reliability([(1, true), (1, false)])
    #expect(tie.rightOverWrong == 0.5)
    #expect(tie.bins[9]?.count == 2)
    #expect(tie.calibrationError == 0.5)
    #expect(Reliability([(0.5, true)]).rightOverWrong == nil)
    #expect(Reliability([]).calibrationError == nil)
  }

  @Test("answers given count, a false find being wrong; those not given don't")
  func answersGiven() {
    let answers = Reliability(of: [
      score(.page, height: 100, confidence: 0.9), score(.page, height: nil),
      score(.none, height: 100, confidence: 0.7), score(.none, height: nil),
      score(.flat, height: 100, confidence: 0.8),
    ])
    #expect(answers.count == 3)
    #expect(answers.rightOverWrong == 1)
  }
}
