import Enhancement
import Raster
import Testing

/// Pages of all sorts, one after the other, with nothing but the mode given: nobody tunes a batch page by page.
@Suite struct MixedBatchTests {
  enum Sheet: String, CaseIterable, Sendable {
    case letter, dimLetter, brownBook, thermalReceipt, pinkForm, shadowedNote, whiteboard,
      nearlyEmpty

    /// Paper's and ink's reflectance.
    var colours: (paper: [Double], ink: [Double]) {
      switch self {
      case .letter, .dimLetter, .nearlyEmpty: ([255, 255, 255], [30, 30, 35])
      case .brownBook: ([175, 140, 100], [50, 35, 25])
      case .thermalReceipt: ([250, 250, 245], [170, 165, 175])
      case .pinkForm: ([250, 215, 220], [60, 40, 60])
      case .shadowedNote: ([252, 250, 240], [40, 50, 130])
      case .whiteboard: ([245, 248, 250], [30, 60, 160])
      }
    }

    func light(_ x: Double, _ y: Double) -> Double {
      switch self {
      case .letter, .brownBook, .pinkForm: 225 - 40 * x
      case .dimLetter: 90 - 25 * y
      case .thermalReceipt, .nearlyEmpty: DrawnPage.twoToOne(x, y)
      case .shadowedNote: (225 - 20 * y) * (1 - 0.4 * min(1, max(0, (x - 0.55) * 600 / 8)))
      case .whiteboard: 240 - 120 * ((x - 0.5) * (x - 0.5) + (y - 0.5) * (y - 0.5))
      }
    }
  }

  @Test(
    "defaults alone make every sort of page white with dark print", arguments: Sheet.allCases,
    [EnhancementMode.enhanced, .bw])
  func defaults(sheet: Sheet, mode: EnhancementMode) {
    var page = DrawnPage(paper: sheet.colours.paper)
    page.fillWithText(sheet == .nearlyEmpty ? 380..<410 : 60..<420, sheet.colours.ink)
    let noise = sheet == .dimLetter ? 2.0 : 3
    let result = enhance(page.photographed(noise: noise) { sheet.light($0, $1) }, mode: mode)
    #expect(result.pureShare(60..<540, 450..<760) > 0.98)
    // Bars of letters, two pixels wide: one left and one right.
    let top = sheet == .nearlyEmpty ? 380 : 204
    for x in [68, 460] {
      let tone = result.mean(x..<x + 2, top + 1..<top + 7, channel: result.format.channels / 3)
      #expect(tone < (sheet == .thermalReceipt ? 200 : 130), "print at \(x) is \(tone)")
    }
  }
}
