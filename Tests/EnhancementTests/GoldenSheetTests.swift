import Enhancement
import Raster
import Testing

/// One photo of one page, held to every promise at once.
@Suite struct GoldenSheetTests {
  private static let enhanced = enhance(GoldenSheet.photo, mode: .enhanced)
  private static let bw = enhance(GoldenSheet.photo, mode: .bw)
  private static let shadowed: [EnhancementMode: Raster] = [
    .enhanced: enhance(GoldenSheet.shadowedPhoto, mode: .enhanced),
    .bw: enhance(GoldenSheet.shadowedPhoto, mode: .bw),
  ]

  private static func page(_ mode: EnhancementMode) -> Raster { mode == .bw ? bw : enhanced }

  @Test(
    "every rung of the ladder is at least 25 levels under white in black and white, nearly all along",
    arguments: GoldenSheet.ladder)
  func ladder(stroke: GoldenSheet.Stroke) {
    let kept = share(of: stroke, in: Self.bw) { $0 <= 230 }
    #expect(kept >= 0.95, "\(stroke): \(kept)")
  }

  @Test(
    "a faint stroke keeps at least its own contrast with the paper when enhanced",
    arguments: GoldenSheet.ladder)
  func faintStrokes(stroke: GoldenSheet.Stroke) {
    let (columns, rows) = (stroke.columns, stroke.rows)
    let beside =
      stroke.isUpright
      ? (columns.lowerBound - 8..<columns.lowerBound - 3, rows)
      : (columns, rows.lowerBound - 8..<rows.lowerBound - 3)
    let before = GoldenSheet.photo.mean(beside.0, beside.1) - GoldenSheet.photo.mean(columns, rows)
    let after = Self.enhanced.mean(beside.0, beside.1) - Self.enhanced.mean(columns, rows)
    #expect(after >= 1.1 * before, "\(stroke): \(before) to \(after)")
  }

  @Test("blank paper is exactly white and even", arguments: [EnhancementMode.enhanced, .bw])
  func blankPaper(mode: EnhancementMode) {
    let (x, y, page) = (GoldenSheet.blank.x, GoldenSheet.blank.y, Self.page(mode))
    #expect(page.pureShare(x, y) >= 0.98)
    #expect(page.deviation(x, y) <= 1.5)
  }

  @Test(
    "a shadow with a sharp border leaves paper white, and print as dark as outside",
    arguments: [EnhancementMode.enhanced, .bw])
  func shadow(mode: EnhancementMode) throws {
    let page = try #require(Self.shadowed[mode])
    #expect(page.pureShare(GoldenSheet.blank.x, GoldenSheet.blank.y) >= 0.98)
    let (inside, outside) = (page.mean(860..<940, 1020..<1164), page.mean(60..<140, 1020..<1164))
    #expect(abs(inside - outside) <= 12, "\(inside), \(outside)")
  }

  @Test(
    "pens keep their colour when enhanced and are readable in black and white",
    arguments: GoldenSheet.pens.indices)
  func pens(index: Int) {
    let pen = GoldenSheet.pens[index]
    let rows = pen.y + 2..<pen.y + 4
    #expect(Self.bw.mean(100..<440, rows) <= 200)
    let found = (0..<3).map { Self.enhanced.mean(100..<440, rows, channel: $0) }
    let spread = (found.max() ?? 0) - (found.min() ?? 0)
    let wanted = (pen.colour.max() ?? 0) - (pen.colour.min() ?? 0)
    #expect(spread > 0.9 * wanted && spread < 1.3 * wanted, "\(pen.name): \(spread) for \(wanted)")
    #expect(found.firstIndex(of: found.max() ?? 0) == pen.colour.firstIndex(of: pen.colour.max() ?? 0))
  }

  @Test("blocks and a photograph keep their tones within a tenth")
  func pictures() {
    for block in GoldenSheet.blocks {
      expectTone(block.colour, block.x.dropFirst(12).dropLast(12), block.y.dropFirst(12).dropLast(12))
    }
    for part in GoldenSheet.scenery {
      expectTone(part.colour, GoldenSheet.picture.x.dropFirst(12).dropLast(12), part.y, part.name)
    }
  }

  @Test(
    "no veil or halo lies three to fifteen pixels outside of a block",
    arguments: [EnhancementMode.enhanced, .bw])
  func haloOfBlocks(mode: EnhancementMode) {
    let page = Self.page(mode)
    for block in GoldenSheet.blocks {
      let (x, y) = (block.x, block.y)
      for (columns, rows) in [
        (x.lowerBound - 15..<x.lowerBound - 3, y), (x.upperBound + 3..<x.upperBound + 15, y),
        (x, y.lowerBound - 15..<y.lowerBound - 3), (x, y.upperBound + 3..<y.upperBound + 15),
      ] {
        #expect(page.mean(columns, rows) >= 252, "\(block.colour) at \(columns), \(rows)")
      }
    }
  }

  @Test("a panel doesn't overshoot beside strokes", arguments: [EnhancementMode.enhanced, .bw])
  func haloOfStrokes(mode: EnhancementMode) {
    let page = Self.page(mode)
    let panel = GoldenSheet.panel
    let far = page.mean(764..<916, panel.strokes[0] + 12..<panel.strokes[1] - 10)
    #expect(far < 250, "the panel is to be seen, but is \(far)")
    for stroke in panel.strokes {
      for rows in [stroke - 5..<stroke - 1, stroke + 4..<stroke + 8] {
        #expect(
          abs(page.mean(764..<916, rows) - far) <= 3,
          "\(page.mean(764..<916, rows)) beside a stroke, else \(far)")
      }
    }
  }

  @Test("edges of strokes keep at least 64 grey levels in black and white")
  func greyLevels() {
    var seen: Set<UInt8> = []
    for y in GoldenSheet.slant.y { for x in GoldenSheet.slant.x { seen.formUnion(Self.bw[x: x, y: y]) } }
    #expect(seen.count >= 64)
  }

  /// Luma within a tenth, and no channel off by more than a tenth or six levels.
  private func expectTone(_ colour: [Double], _ x: Range<Int>, _ y: Range<Int>, _ name: String = "block") {
    let found = (0..<3).map { Self.enhanced.mean(x, y, channel: $0) }
    let (luma, wanted) = (Self.luma(found), Self.luma(colour))
    #expect(abs(luma - wanted) <= 0.1 * wanted, "\(name): \(luma) for \(wanted)")
    for channel in 0..<3 {
      #expect(
        abs(found[channel] - colour[channel]) <= max(6, 0.1 * colour[channel]),
        "\(name): \(found) for \(colour)")
    }
    // Grey of a picture is between its luma and its darkest channel.
    let grey = Self.bw.mean(x, y)
    let darkest = colour.min() ?? 0
    #expect(grey <= 1.1 * wanted && grey >= 0.9 * darkest, "\(name), black and white: \(grey) for \(colour)")
  }

  private static func luma(_ colour: [Double]) -> Double {
    0.299 * colour[0] + 0.587 * colour[1] + 0.114 * colour[2]
  }

  /// The share of pieces four pixels long whose mean is as asked.
  private func share(of stroke: GoldenSheet.Stroke, in page: Raster, _ isKept: (Double) -> Bool) -> Double {
    let starts = stride(from: 0, to: GoldenSheet.Stroke.length, by: 4)
    let kept = starts.filter { start in
      isKept(
        stroke.isUpright
          ? page.mean(stroke.columns, stroke.y + start..<stroke.y + start + 4)
          : page.mean(stroke.x + start..<stroke.x + start + 4, stroke.rows))
    }
    return Double(kept.count) / Double(GoldenSheet.Stroke.length / 4)
  }
}
