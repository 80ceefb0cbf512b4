import Foundation
import Raster
import TestSupport
import Testing

/// Scans on paper: what the program sends is looked at as the printer received it.
@Suite("Print")
struct PrintTests {
  let place: Workplace
  let printer: VirtualPrinter

  init() throws {
    printer = try VirtualPrinter.shared()
    // Only what leads to the virtual printers, or the program wouldn't be run as in other tests.
    place = try Workplace(environment: printer.environment.filter { $0.key.hasPrefix("CUPS_") })
  }

  /// A page in one colour with a border, and one of another shape and colour.
  private func scan(title: String) throws -> String {
    func page(_ width: Int, _ height: Int, _ color: [UInt8]) -> Raster {
      var samples: [UInt8] = []
      for y in 0..<height {
        for x in 0..<width {
          let isBorder = x < 8 || y < 8 || x >= width - 8 || y >= height - 8
          samples += isBorder ? [0, 0, 0] : color
        }
      }
      return Raster(size: PixelSize(width: width, height: height), format: .rgb, samples: samples)
    }
    let tiff = Pictures.tiff([page(420, 594, [220, 60, 60]), page(594, 420, [60, 90, 220])])
    return try place.scan(
      "--whole", "--mode", "original", "--title", title, place.write("\(UUID()).tif", tiff))
  }

  private func middle(_ page: ReceivedPage) -> [Int] {
    page.raster[x: page.raster.width / 2, y: page.raster.height / 2].map(Int.init)
  }

  @Test("a scan is printed a page a sheet, in grey, turned to suit the sheet, under its title")
  func gray() throws {
    let title = "Grau 📄 \(UUID())"
    let outcome = try place.succeed("print", try scan(title: title), "-d", "pdf", "--media", "A4")
    #expect(outcome.lines.count == 1 && outcome.text.hasPrefix("pdf-"))
    #expect(outcome.errors == "2 pages sent to pdf; 'lpstat' shows the queue\n")
    let received = try printer.received(jobNamed: title)
    #expect(received.colorMode == "monochrome")
    try #require(received.pages.count == 2)
    for page in received.pages {
      #expect(abs(page.millimetres.width - 210) < 1 && abs(page.millimetres.height - 297) < 1)
      let color = middle(page)
      #expect((color.max() ?? 255) - (color.min() ?? 0) <= 2)
      #expect(color[0] > 60 && color[0] < 160)
    }
  }

  @Test("--color prints colours, --pages some pages, --job-name another name, --copies several")
  func color() throws {
    let name = "job \(UUID())"
    let answer = try place.answer(
      "print", try scan(title: "not this"), "-d", "pdf", "--color", "--pages", "2", "--job-name", name,
      "--copies", "3")
    #expect(answer["printer"].string == "pdf" && answer["pages"].int == 1)
    #expect(answer["job"].string.hasPrefix("pdf-"))
    let received = try printer.received(jobNamed: name)
    #expect((received.copies ?? 1) * received.pages.count == 3)
    let color = middle(received.pages[0])
    #expect(color.count == 3 && color[2] > color[0] + 80, "\(color)")
  }

  @Test("every mode is printed", arguments: ["original", "enhanced", "bw"])
  func modes(mode: String) throws {
    let name = "\(mode) \(UUID())"
    // Paper with lines of ink.
    var samples: [UInt8] = []
    for y in 0..<594 {
      for x in 0..<420 {
        let isInk = y % 30 < 6 && x % 40 < 30 && (40..<380).contains(x) && (40..<554).contains(y)
        samples += isInk ? [50, 48, 56] : [228, 224, 216]
      }
    }
    let page = Raster(size: PixelSize(width: 420, height: 594), format: .rgb, samples: samples)
    let id = try place.scan("--whole", try place.write("page.tif", Pictures.tiff([page])))
    try place.succeed("print", id, "-d", "pdf", "--mode", mode, "--job-name", name)
    let received = try printer.received(jobNamed: name)
    try #require(received.pages.count == 1)
    // The ink is there, a tenth of the page, and not more.
    let printed = received.pages[0].raster.samples
    let share = Double(printed.count { $0 < 128 }) / Double(printed.count)
    #expect(share > 0.07 && share < 0.15, "\(share)")
  }

  @Test(
    "a printer that won't print is one sentence and status 7",
    arguments: [
      ("stopped", "the printer stopped is stopped: out of paper", "print.refused"),
      ("rejecting", "the printer rejecting takes no jobs: closed for today", "print.refused"),
      (
        "Offcie", "there is no printer called Offcie; there are colour, grey, pdf, rejecting, stopped",
        "print.refused"
      ),
    ])
  func refused(queue: String, sentence: String, code: String) throws {
    let id = try scan(title: "never printed")
    let outcome = try place.run("print", id, "-d", queue)
    #expect(outcome.status == 7 && outcome.text == "")
    #expect(outcome.errors.hasPrefix("flatbed: error: \(sentence)\n"), "\(outcome.errors)")
    let told = try failures(in: try place.run("print", id, "-d", queue, "--json").errors)
    #expect(told.map { $0["code"].string } == [code])
  }

  @Test("no default printer, a paper that isn't there, no CUPS and no lp are sentences with status 7")
  func noPrinting() throws {
    let id = try scan(title: "never printed")
    let noDefault = try place.run("print", id)
    #expect(noDefault.status == 7 && noDefault.errors.contains("no default printer is set"))
    let paper = try place.run("print", id, "-d", "grey", "--media", "A44")
    #expect(paper.status == 7 && paper.errors.contains("has no paper called A44"))
    var silent = place.program
    silent.environment["CUPS_SERVER"] = place.path("no-such-socket")
    var without = place.program
    without.environment["PATH"] = place.folder.path
    for program in [silent, without] {
      for words in [["print", id, "-d", "grey"], ["printers"]] {
        let outcome = try program.run(words)
        #expect(outcome.status == 7, "\(outcome.errors)")
        #expect(outcome.text == "")
        #expect(outcome.errors.split(separator: "\n").count { $0.hasPrefix("flatbed: error: ") } == 1)
        let told = try failures(in: program.run(words + ["--json"]).errors)
        #expect(told.map { $0["code"].string } == ["print.system"])
      }
    }
    #expect(try place.run("print", id, "-d", "grey", "--copies", "0").status == 2)
  }

  @Test("printers lists what is there and how it is")
  func printers() throws {
    let lines = try place.succeed("printers").lines
    #expect(lines.count == 5)
    #expect(lines.contains("stopped: stopped, out of paper"))
    #expect(lines.contains { $0.hasPrefix("rejecting: ") && $0.contains("takes no jobs, closed for today") })
    let rows = try place.answer("printers").array
    #expect(rows.map { $0["name"].string } == ["colour", "grey", "pdf", "rejecting", "stopped"])
    #expect(rows.allSatisfy { $0["isDefault"].bool == false })
  }
}
