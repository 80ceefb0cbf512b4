import DocumentOutput
import Enhancement
import Foundation
import ImageCodecs
import Raster
import TestSupport
import Testing

@Suite("Pages of every mode come out")
struct EveryModeTests {
  private static let size = PixelSize(width: 827, height: 1169)
  /// How far the frame is from the page's edges, in pixels.
  private static let inset = 20

  /// A page on yellowish paper, darker towards one side, with a thin frame and rows of short strokes.
  private static func page() -> Raster {
    var samples: [UInt8] = []
    for y in 0..<size.height {
      for x in 0..<size.width {
        let edge = min(x, y, size.width - 1 - x, size.height - 1 - y)
        let isStroke = edge > 80 && y % 24 < 12 && x % 12 < 3
        let ink = (inset..<inset + 4).contains(edge) || isStroke ? 0.25 : 1
        let light = 1 - 0.25 * Double(x) / Double(size.width)
        for paper in [240.0, 232, 204] { samples.append(UInt8(paper * light * ink)) }
      }
    }
    return Raster(size: size, format: .rgb, samples: samples)
  }

  @Test("as a PNG with the page's very pixels and resolution", arguments: EnhancementMode.allCases)
  func exported(mode: EnhancementMode) throws {
    let folder = try TemporaryFolder()
    let page = enhance(Self.page(), mode: mode)
    var names = ExportNames()
    let name = try #require(names.names(title: "Page \(mode)", pages: [1], of: 1).first)
    try ExportFile.write(
      try encodePNG(page, resolution: Resolution(dotsPerInch: 100)), to: folder.path(name))
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.path(name))))
    let decoded = try ImageSource(bytes: bytes).decode()
    #expect(decoded.raster == page)
    #expect(page.format == (mode == .bw ? .gray : .rgb))
    let resolution = try #require(decoded.resolution)
    #expect(abs(resolution.horizontal - 100) < 0.1 && abs(resolution.vertical - 100) < 0.1)
  }

  @Test("on paper, whole and not blank", arguments: EnhancementMode.allCases, [false, true])
  func printed(mode: EnhancementMode, color: Bool) throws {
    let printer = try VirtualPrinter.shared()
    let system = PrintSystem(environment: printer.environment)
    let page = enhance(Self.page(), mode: mode)
    let options = PrintOptions(destination: "pdf", color: color, jobName: "mode \(mode) \(color)")
    let queue = try system.queue(for: options)
    var document = PrintDocument(sheet: queue.sheet, color: color)
    try document.append(page)
    _ = try system.send(document, to: queue, options: options)
    let received = try printer.received(jobNamed: options.jobName)
    try #require(received.pages.count == 1)
    let sheet = received.pages[0]
    #expect(abs(sheet.millimetres.width - 215.9) < 1 && abs(sheet.millimetres.height - 279.4) < 1)
    // The frame is all there, in its true proportions, and off the sheet's edges.
    let box = try #require(MarkedPage.inkBox(sheet.raster, darkerThan: 140))
    let frame = Double(Self.size.width - 2 * Self.inset) / Double(Self.size.height - 2 * Self.inset)
    #expect(abs(Double(box.right - box.left) / Double(box.bottom - box.top) / frame - 1) < 0.01)
    #expect(box.left > 0 && box.top > 0)
    #expect(box.right < sheet.raster.width && box.bottom < sheet.raster.height)
    #expect(color || MarkedPage.isGray(sheet.raster))
  }
}
