import DocumentOutput
import Foundation
import Raster
import TestSupport
import Testing

@Suite("The PDF that is sent")
struct PrintDocumentTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func file(_ document: consuming PrintDocument) throws -> URL {
    let file = folder.url.appendingPathComponent("document.pdf")
    try Data(document.finished().joined()).write(to: file)
    return file
  }

  private func rendered(_ document: consuming PrintDocument) throws -> [ReceivedPage] {
    try ReceivedPage.render(pdf: file(document))
  }

  @Test(
    "a page is whole, centred and as large as the sheet, turned when that suits it",
    arguments: [
      (Sheet.a4, 210.0, 297.0), (.letter, 215.9, 279.4), (Sheet(millimetresWide: 297, high: 210), 297, 210),
    ], [(310, 438), (438, 310), (150, 700), (700, 150), (300, 300)])
  func placement(sheet: (Sheet, Double, Double), size: (Int, Int)) throws {
    let page = try MarkedPage(width: size.0, height: size.1)
    var document = PrintDocument(sheet: sheet.0, color: true)
    try document.append(page.raster)
    let pages = try rendered(document)
    try #require(pages.count == 1)
    let suits = (size.0 > size.1) == (sheet.1 > sheet.2) || size.0 == size.1
    try page.check(pages[0], on: (sheet.1, sheet.2), turned: !suits, color: true)
  }

  @Test(
    "pages come in order, each with its own turn, grey unless colour is wanted", arguments: [false, true])
  func order(color: Bool) throws {
    let first = try MarkedPage(width: 310, height: 438)
    let second = try MarkedPage(width: 438, height: 310)
    var document = PrintDocument(sheet: .a4, color: color)
    for page in [first, second, first] { try document.append(page.raster) }
    #expect(document.pageCount == 3)
    let pages = try rendered(document)
    try #require(pages.count == 3)
    for (index, page) in pages.enumerated() {
      let isTurned = index == 1
      try (isTurned ? second : first).check(page, on: (210, 297), turned: isTurned, color: color)
      #expect(MarkedPage.isGray(page.raster) == !color)
    }
  }

  @Test("a grey page stays grey in a colour document")
  func gray() throws {
    let page = try MarkedPage(width: 310, height: 438)
    var document = PrintDocument(sheet: .a4, color: true)
    try document.append(page.raster.grayscale())
    let pages = try rendered(document)
    try page.check(try #require(pages.first), on: (210, 297), turned: false, color: false)
  }

  @Test("pixels that aren't square keep their shape")
  func fax() throws {
    let page = try MarkedPage(width: 816, height: 554, pixelAspect: 98.0 / 204)
    var document = PrintDocument(sheet: .a4, color: false)
    try document.append(page.raster, resolution: Resolution(horizontal: 204, vertical: 98))
    let pages = try rendered(document)
    try page.check(try #require(pages.first), on: (210, 297), turned: false, color: false)
  }

  @Test(
    "a resolution that makes no sense is passed over",
    arguments: [
      Resolution(horizontal: 0, vertical: 300), Resolution(horizontal: 300, vertical: 0),
      Resolution(horizontal: .nan, vertical: 1), Resolution(horizontal: -300, vertical: 300),
      Resolution(horizontal: 1, vertical: 30_000),
    ])
  func nonsense(resolution: Resolution) {
    let size = PixelSize(width: 310, height: 438)
    #expect(
      Placement(of: size, resolution: resolution, on: .a4) == Placement(of: size, resolution: nil, on: .a4))
  }

  @Test(
    "lines of one pixel survive a printer with fewer dots than the page has pixels", arguments: [false, true])
  func thinLines(isTurned: Bool) throws {
    let (width, height) = isTurned ? (842, 595) : (595, 842)
    var samples = [UInt8](repeating: 255, count: width * height)
    let lines = Array(stride(from: 40, to: width - 40, by: 13))
    for y in 0..<height { for x in lines { samples[y * width + x] = 0 } }
    var document = PrintDocument(sheet: .a4, color: false)
    try document.append(
      Raster(size: PixelSize(width: width, height: height), format: .gray, samples: samples))
    // The page has 72 pixels to the inch.
    let drawn = try #require(try ReceivedPage.ghostscript(pdf: file(document), dotsPerInch: 50).first)
    let page = isTurned ? drawn.turned(.clockwise) : drawn
    let row = (0..<page.width).map { page[x: $0, y: page.height / 2].first ?? 255 }
    for line in lines {
      let place = Int((Double(line) + 0.5) * 50 / 72)
      let darkest = row[max(0, place - 1)...min(row.count - 1, place + 1)].min() ?? 255
      #expect(darkest < 190, "the line at \(line) is gone")
    }
  }

  @Test("what is sent is the page's own pixels")
  func pixels() throws {
    var generator = SeededGenerator(seed: 4)
    let samples = (0..<200 * 300 * 3).map { _ in UInt8.random(in: 0...255, using: &generator) }
    let page = Raster(size: PixelSize(width: 200, height: 300), format: .rgb, samples: samples)
    var document = PrintDocument(sheet: .a4, color: true)
    try document.append(page)
    #expect(try ReceivedPage.pictures(in: file(document)) == [page])
  }
}

@Suite("Names of papers")
struct SheetNamesTests {
  @Test(
    "names tell sizes in points",
    arguments: [
      ("A4", 595.28, 841.89), ("a4", 595.28, 841.89), ("A4.Borderless", 595.28, 841.89), ("Letter", 612, 792),
      ("iso_a4_210x297mm", 595.28, 841.89), ("na_letter_8.5x11in", 612, 792), ("Ledger", 1224, 792),
      ("Custom.100x150mm", 283.46, 425.2), ("Custom.300x400", 300, 400), ("Custom.4x6in", 288, 432),
      ("w288h432", 288, 432), ("4x6", 288, 432), ("3.5x5.Borderless", 252, 360), ("B5", 515.91, 728.5),
    ])
  func sizes(name: String, width: Double, height: Double) throws {
    let sheet = try #require(Sheet(named: name))
    #expect(abs(sheet.width - width) < 0.01 && abs(sheet.height - height) < 0.01)
  }

  @Test(
    "other names tell nothing",
    arguments: [
      "", "A44", "Tray1", "x", "Custom.", "Custom.axb", "Custom.100mm", "Custom.1x1in.5", "4x", "x4", "4x6x8",
      "0x0", "-4x6", "1e9x1e9", "nanxnan", "infxinf", "w0h0", "wh", "iso_a4", "_", "iso_x_infxinfmm",
    ])
  func unknown(name: String) { #expect(Sheet(named: name) == nil) }
}
