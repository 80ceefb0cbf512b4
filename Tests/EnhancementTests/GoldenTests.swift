import Enhancement
import Glibc
import Raster
import Testing

/// What comes out for pages whose every stroke and patch is known.
@Suite struct GoldenTests {
  /// Strokes of these many levels below paper, one to three pixels wide, each 200 pixels long and 40 apart.
  private static let ladder: [(depth: Double, width: Int)] = [
    (12, 1), (12, 2), (12, 3), (20, 1), (20, 2), (20, 3), (40, 1), (40, 2), (40, 3), (8, 2), (8, 3),
  ]

  private static let ladderPage: DrawnPage = {
    var page = DrawnPage()
    page.fillWithText(40..<300, [40, 40, 40])
    for (index, stroke) in ladder.enumerated() {
      let level = 255 - stroke.depth * 255 / 230
      page.fill(100..<300, 320 + index * 40..<320 + index * 40 + stroke.width, [level, level, level])
    }
    return page
  }()

  @Test("faint strokes gain contrast when enhanced, too")
  func faintStrokes() {
    let photo = Self.ladderPage.photographed(noise: 1) { _, _ in 230 }
    let page = enhance(photo, mode: .enhanced)
    for (index, stroke) in Self.ladder.enumerated() where stroke.width > 1 && stroke.depth >= 12 {
      let rows = 320 + index * 40..<320 + index * 40 + stroke.width
      #expect(255 - page.mean(100..<300, rows) >= stroke.depth)
    }
  }

  @Test(
    "blank paper is exactly white, lit two to one or under a shadow's sharp edge",
    arguments: [EnhancementMode.enhanced, .bw])
  func blankPaper(mode: EnhancementMode) {
    var drawn = DrawnPage()
    drawn.fillWithText(40..<400, [50, 50, 50])
    let evenly = enhance(drawn.photographed(light: DrawnPage.twoToOne), mode: mode)
    #expect(evenly.pureShare(20..<580, 420..<780) >= 0.98)
    let shadowed = drawn.photographed { x, y in
      // A penumbra about 24 pixels wide, from 220 down to 110.
      220 - 110 / (1 + exp((x + 0.4 * y - 0.7) * 150))
    }
    #expect(enhance(shadowed, mode: mode).pureShare(20..<580, 420..<780) >= 0.98)
  }

  @Test("coloured pens stay readable in black and white, and keep their colour when enhanced")
  func pens() {
    let pens: [[Double]] = [
      [210, 40, 40], [250, 225, 60], [140, 190, 240], [60, 150, 70], [40, 60, 170],
    ]
    var drawn = DrawnPage()
    drawn.fillWithText(40..<200, [40, 40, 40])
    for (index, pen) in pens.enumerated() { drawn.fill(80..<500, 240 + index * 60..<246 + index * 60, pen) }
    let photo = drawn.photographed(light: DrawnPage.twoToOne)
    let grey = enhance(photo, mode: .bw)
    let colour = enhance(photo, mode: .enhanced)
    for (index, pen) in pens.enumerated() {
      let rows = 242 + index * 60..<244 + index * 60
      #expect(grey.mean(100..<480, rows) <= 200)
      let found = (0..<3).map { colour.mean(100..<480, rows, channel: $0) }
      // The same channel leads, and the spread between the channels is kept or a little more.
      let spread = (found.max() ?? 0) - (found.min() ?? 0)
      let wanted = (pen.max() ?? 0) - (pen.min() ?? 0)
      #expect(spread > 0.85 * wanted && spread < 1.35 * wanted)
      #expect(found.firstIndex(of: found.max() ?? 0) == pen.firstIndex(of: pen.max() ?? 0))
    }
  }

  @Test(
    "a dark block and a picture on the page keep their tones",
    arguments: [[60.0, 60, 60], [30, 70, 140], [180, 120, 90]])
  func blocks(colour: [Double]) {
    var drawn = DrawnPage()
    drawn.fillWithText(40..<200, [40, 40, 40])
    drawn.fill(100..<500, 300..<600, colour)
    let page = enhance(drawn.photographed(light: DrawnPage.twoToOne), mode: .enhanced)
    for channel in 0..<3 {
      #expect(abs(page.mean(120..<480, 320..<580, channel: channel) - colour[channel]) <= 25.5)
    }
    // And paper beside the block is white from the third pixel on.
    #expect(page.pureShare(60..<97, 320..<580) >= 0.98)
  }

  @Test("the light cover of a dark book isn't wiped out", arguments: [EnhancementMode.enhanced, .bw])
  func lightPrint(mode: EnhancementMode) {
    var drawn = DrawnPage(paper: [40, 140, 80])
    for line in 0..<6 { drawn.fill(80..<520, 100 + line * 100..<130 + line * 100, [250, 250, 245]) }
    let page = enhance(drawn.photographed { _, _ in 220 }, mode: mode)
    #expect(page.mean(100..<500, 105..<125) - page.mean(100..<500, 150..<180) > 40)
  }

  @Test("small things survive: a nearly empty page, a column of page numbers, single dots")
  func sparsePage() {
    var drawn = DrawnPage()
    for line in 0..<12 { drawn.fill(550..<556, 60 + line * 50..<68 + line * 50, [70, 70, 70]) }
    drawn.fill(300..<305, 400..<405, [90, 90, 90])
    for mode in [EnhancementMode.enhanced, .bw] {
      let page = enhance(drawn.photographed(light: DrawnPage.twoToOne), mode: mode)
      for line in 0..<12 { #expect(page.mean(551..<555, 61 + line * 50..<67 + line * 50) < 130) }
      #expect(page.mean(301..<304, 401..<404) < 150)
    }
  }

  @Test(
    "a shadow from the rim is taken away though its border is as sharp as print",
    arguments: [EnhancementMode.enhanced, .bw])
  func sharpShadow(mode: EnhancementMode) {
    var page = DrawnPage()
    page.fillWithText(140..<700, [40, 40, 45])
    let result = enhance(
      page.photographed { x, y in (230 - 30 * x) * (x > 0.55 + 0.2 * y ? 0.5 : 1) }, mode: mode)
    #expect(result.pureShare(20..<250, 720..<790) > 0.98)
    #expect(result.pureShare(470..<590, 720..<790) > 0.97)
    let (outside, inside) = (result.mean(68..<70, 213..<219), result.mean(484..<486, 213..<219))
    #expect(outside < 60 && abs(inside - outside) < 25, "\(outside), in the shadow \(inside)")
  }

  @Test("a grey header up to the rim keeps its tone and its white print")
  func greyHeader() {
    var page = DrawnPage()
    page.fill(0..<600, 0..<120, [150, 150, 150])
    page.fillWithText(20..<110, [255, 255, 255])
    page.fillWithText(140..<700, [40, 40, 45])
    let result = enhance(page.photographed { x, _ in 230 - 30 * x }, mode: .enhanced)
    #expect(abs(result.mean(100..<500, 4..<16) - 150) < 15)
    #expect(result.mean(68..<70, 21..<27) > 225)
  }

  @Test("more amount is never lighter", arguments: [EnhancementMode.enhanced, .bw])
  func monotone(mode: EnhancementMode) {
    let photo = Self.ladderPage.photographed(noise: 1) { _, _ in 230 }
    var before = 256.0
    for amount in [1.0, 1.5, 2, 4, 7, 10] {
      let tone = enhance(photo, mode: mode, amount: amount).mean(100..<300, 600..<602)
      #expect(tone <= before)
      before = tone
    }
  }

  @Test("the same page gives the same pixels on any number of threads")
  func pure() async {
    let photo = Self.ladderPage.photographed(light: DrawnPage.twoToOne)
    let alone = enhance(photo, mode: .enhanced)
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<4 { group.addTask { enhance(photo, mode: .enhanced) == alone } }
      for await same in group { #expect(same) }
    }
  }
}
