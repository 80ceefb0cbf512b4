import Enhancement
import Raster
import Testing

/// Coloured paper under the golden sheet's light, noise and JPEG.
@Suite struct GoldenPaperTests {
  private static func photo(_ page: DrawnPage, brightest: Double) -> Raster {
    JPEGLoss(quality: 85)(page.photographed(noise: 3) { x, _ in brightest * (1 - x / 2) })
  }

  @Test(
    "brown paper comes out white in black and white, with dark text, where it is bright and where it is dark"
  )
  func brownPaper() {
    var drawn = DrawnPage(paper: [255, 205, 145])
    drawn.fillWithText(40..<700, [60, 45, 30])
    // Luma 120 in the middle of the page.
    let page = enhance(Self.photo(drawn, brightest: 193), mode: .bw)
    #expect(page.mean(4..<50, 20..<780) >= 245)
    #expect(page.mean(550..<596, 20..<780) >= 245)
    for x in [68, 308, 532] { #expect(page.mean(x..<x + 2, 41..<47) <= 90) }
  }

  @Test("a blue pen is readable on yellow paper in black and white")
  func blueOnYellow() {
    var drawn = DrawnPage(paper: [250, 225, 90])
    drawn.fillWithText(40..<200, [40, 40, 40])
    for line in 0..<6 { drawn.fill(60..<540, 260 + 60 * line..<263 + 60 * line, [70, 90, 190]) }
    let page = enhance(Self.photo(drawn, brightest: 230), mode: .bw)
    #expect(page.pureShare(20..<580, 640..<780) >= 0.98)
    for line in 0..<6 { #expect(page.mean(60..<540, 261 + 60 * line..<262 + 60 * line) <= 170) }
  }

  @Test(
    "a faded receipt under warm and under cool light is white and neutral, its strokes kept",
    arguments: [[255.0, 218, 155], [190, 215, 255]])
  func fadedReceipt(light: [Double]) {
    var drawn = DrawnPage(paper: light)
    // Thermal print: twelve levels under the paper, two pixels wide.
    let faded = light.map { ($0 + 14) * (1 - 13.0 / 244) - 14 }
    let lines = (0..<14).map { 60 + 30 * $0 }
    for line in lines { drawn.fill(60..<540, line..<line + 2, faded) }
    let photo = JPEGLoss(quality: 85)(drawn.photographed(noise: 3) { _, _ in 230 })
    for mode in [EnhancementMode.enhanced, .bw] {
      #expect(enhance(photo, mode: mode).pureShare(20..<580, 520..<780) >= 0.98)
    }
    let grey = enhance(photo, mode: .bw)
    for line in lines {
      let pieces = stride(from: 60, to: 540, by: 4)
      let kept = pieces.filter { grey.mean($0..<$0 + 4, line..<line + 2) <= 230 }.count
      #expect(Double(kept) / 120 >= 0.95, "line at \(line): \(kept) of 120")
    }
  }
}
