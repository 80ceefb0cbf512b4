import Foundation
import PageNet
import Testing

/// What the net answers.
struct PageNetTests {
  /// What the training's own program answered with the same weights, at every fifth place of each map.
  private struct Answers: Decodable {
    var page: [Float]
    var sheets: [Float]
    var sides: [Float]
    var corners: [Float]
    var kinds: [Float]
  }

  /// A light quad on a dark, sloping ground: the formula of export.py.
  private static func picture() -> [Float] {
    let side = PageNet.input
    return (0..<side * side).flatMap { place -> [Float] in
      let (x, y) = (Float(place % side) / Float(side), Float(place / side) / Float(side))
      let isInside =
        x > 0.2 + 0.1 * y && x < 0.85 - 0.05 * y && y > 0.15 + 0.1 * x && y < 0.8 + 0.05 * x
      return isInside ? [0.7, 0.7, 0.7] : [-0.6 + 0.3 * x, -0.5 + 0.2 * y, -0.4]
    }
  }

  @Test("the net gives the answers that its training's own program gives")
  func sameAnswers() throws {
    let net = try #require(PageNet.bundled)
    let url = try #require(
      Bundle.module.url(forResource: "answers", withExtension: "json", subdirectory: "Fixtures"))
    let expected = try JSONDecoder().decode(Answers.self, from: Data(contentsOf: url))
    let evidence = net.evidence(in: Self.picture())
    let side = PageEvidence.side
    for (name, map, wanted) in [
      ("page", evidence.page, expected.page), ("sheets", evidence.sheets, expected.sheets),
      ("sides", evidence.sides, expected.sides), ("corners", evidence.corners, expected.corners),
    ] {
      let thinned = stride(from: 0, to: side, by: 5).flatMap { y in
        stride(from: 0, to: side, by: 5).map { x in map[y * side + x] }
      }
      #expect(thinned.count == wanted.count)
      let error = zip(thinned, wanted).map { abs($0 - $1) }.max() ?? 1
      #expect(error < 0.002, "\(name) differs by \(error)")
    }
    for (found, wanted) in zip([evidence.hasPage, evidence.hasNone, evidence.isFilled], expected.kinds) {
      #expect(abs(found - wanted) < 0.002)
    }
  }

  @Test("a photo turned half round gets the same answer, turned")
  func turnedPhoto() throws {
    let net = try #require(PageNet.bundled)
    let photo = Self.picture()
    let turned = stride(from: photo.count - 3, through: 0, by: -3).flatMap { photo[$0..<$0 + 3] }
    let (one, two) = (net.evidence(in: photo), net.evidence(in: turned))
    #expect(one.page == two.page.reversed())
    #expect(one.corners == two.corners.reversed())
    #expect(one.hasPage == two.hasPage)
  }
}
