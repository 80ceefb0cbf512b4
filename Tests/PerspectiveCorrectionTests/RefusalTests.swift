import Raster
import Testing

import PerspectiveCorrection

@Suite struct RefusalTests {
  private let photo = Raster(size: PixelSize(width: 400, height: 300), format: .gray, filledWith: 128)

  private func refusal(_ points: [(Double, Double)]) -> CorrectionError? {
    let corners = points.map { Point(x: $0.0, y: $0.1) }
    let quad = Quad(
      topLeft: corners[0], topRight: corners[1], bottomRight: corners[2], bottomLeft: corners[3])
    do {
      _ = try flattenPage(in: photo, quad: quad, focalLength35mm: 26)
      return nil
    } catch {
      return error
    }
  }

  @Test("corners that cross, fall in a line, go the wrong way or aren't numbers are refused")
  func notConvex() {
    #expect(refusal([(0, 0), (100, 100), (100, 0), (0, 100)]) == .notConvex)
    #expect(refusal([(0, 0), (50, 50), (100, 100), (0, 100)]) == .notConvex)
    #expect(refusal([(0, 0), (0, 100), (100, 100), (100, 0)]) == .notConvex)
    #expect(refusal([(0, 0), (100, 0), (30, 30), (0, 100)]) == .notConvex)
    #expect(refusal([(0, 0), (.nan, 0), (100, 100), (0, 100)]) == .notConvex)
    #expect(refusal([(0, 0), (.infinity, 0), (100, 100), (0, 100)]) == .notConvex)
    #expect(refusal([(5, 5), (5, 5), (5, 5), (5, 5)]) == .notConvex)
  }

  @Test("outlines that no photo of a page has are refused with what is wrong")
  func absurd() throws {
    guard case .tooSmall = refusal([(10, 10), (12, 10), (12, 12), (10, 12)]) else {
      Issue.record("a page of two pixels")
      return
    }
    guard case .outsidePhoto(let share) = refusal([(500, 10), (900, 10), (900, 200), (500, 200)]) else {
      Issue.record("a page beside the photo")
      return
    }
    #expect(share == 0)
    guard case .outsidePhoto = refusal([(0, 0), (1e9, 0), (1e9, 1e9), (0, 1e9)]) else {
      Issue.record("a page as large as a town")
      return
    }
    guard case .tooSteep = refusal([(195, 10), (205, 10), (400, 290), (0, 290)]) else {
      Issue.record("a page almost seen from its edge")
      return
    }
    guard case .tooLong = refusal([(0, 10), (400, 10), (400, 15), (0, 15)]) else {
      Issue.record("a page like a ribbon")
      return
    }
  }

  @Test("a reason is a lower-case sentence with its evidence")
  func sentences() {
    #expect(
      CorrectionError.outsidePhoto(visibleShare: 0.123).description
        == "only 12.3 % of the page's outline lies inside the photo")
    #expect(CorrectionError.tooSteep(depthRatio: .infinity).description.contains("countless"))
  }
}
