import Enhancement
import Raster
import TestSupport
import Testing

@Suite struct BilevelTests {
  /// Strokes from black to 25 levels under white, 1 to 3 pixels wide, a grey panel, a dark block with light print, and specks.
  private static let page: Raster = {
    var samples = [UInt8](repeating: 255, count: 400 * 300)
    func fill(_ x: Range<Int>, _ y: Range<Int>, _ value: UInt8) {
      for row in y { for column in x { samples[row * 400 + column] = value } }
    }
    for (index, value) in [UInt8(0), 100, 180, 230].enumerated() {
      for width in 1...3 {
        fill(20..<180, 20 + 40 * index + 10 * width..<20 + 40 * index + 10 * width + width, value)
      }
    }
    fill(220..<300, 20..<100, 226)
    fill(220..<300, 150..<230, 40)
    fill(230..<290, 180..<183, 250)
    for speck in 0..<10 { fill(330 + 5 * speck..<331 + 5 * speck, 40 + speck..<41 + speck, 215) }
    return Raster(size: PixelSize(width: 400, height: 300), format: .gray, samples: samples)
  }()

  @Test(
    "everything is black or white, and faint strokes are black",
    arguments: [Processor.any, .current])
  func strokes(processor: Processor) {
    let result = bilevel(Self.page, on: processor)
    #expect(result.format == .gray && result.size == Self.page.size)
    #expect(Set(result.samples) == [0, 255])
    for index in 0..<4 {
      for width in 1...3 {
        let top = 20 + 40 * index + 10 * width
        #expect(result.mean(25..<175, top..<top + width) == 0)
        #expect(result.mean(25..<175, top + width..<top + width + 2) == 255)
      }
    }
  }

  @Test("a pale panel stays white, a dark block black with its print white, and specks go")
  func areas() {
    let result = bilevel(Self.page)
    #expect(result.mean(220..<300, 20..<100) == 255)
    #expect(result.mean(235..<285, 180..<183) == 255)
    #expect(result.mean(222..<298, 190..<228) == 0)
    #expect(result.mean(325..<390, 30..<60) == 255)
  }

  @Test("soft edges are cut half way, in colour too, and pages of a pixel pass")
  func edges() {
    let row: [UInt8] = [255, 255, 255, 200, 140, 60, 0, 0, 0, 60, 140, 200, 255, 255, 255, 255]
    let page = Raster(
      size: PixelSize(width: 16, height: 9), format: .rgb,
      samples: (0..<9).flatMap { _ in row.flatMap { [$0, $0, $0] } })
    let result = bilevel(page)
    #expect(Array(result.samples[..<16]) == row.map { $0 < 128 ? 0 : 255 })
    for side in 1...3 {
      let tiny = Raster(size: PixelSize(width: side, height: 1), format: .gray, filledWith: 90)
      #expect(bilevel(tiny).samples.allSatisfy { $0 == 0 })
    }
  }

  @Test("a photographed ladder of faint strokes survives black and white made of it")
  func ladder() {
    var page = DrawnPage(width: 600, height: 800)
    page.fillWithText(40..<300, [40, 40, 45])
    for (index, depth) in [12.0, 20, 40].enumerated() {
      page.fill(
        60..<540, 400 + 60 * index..<402 + 60 * index, [255 - depth, 255 - depth, 255 - depth])
    }
    let result = bilevel(enhance(page.photographed(light: DrawnPage.twoToOne), mode: .bw))
    for index in 0..<3 {
      let top = 400 + 60 * index
      let kept = (60..<540).count { x in
        (top - 1..<top + 3).contains { result[x: x, y: $0].first == 0 }
      }
      #expect(Double(kept) >= 0.9 * 480)
      #expect(result.mean(60..<540, top + 20..<top + 40) > 254)
    }
  }
}
