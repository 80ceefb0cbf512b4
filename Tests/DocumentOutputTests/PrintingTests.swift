import DocumentOutput
import Foundation
import Raster
import TestSupport
import Testing

@Suite("Printing through CUPS to a virtual printer")
struct PrintingTests {
  private let printer: VirtualPrinter
  private let system: PrintSystem

  init() throws {
    printer = try VirtualPrinter.shared()
    system = PrintSystem(environment: printer.environment)
  }

  private func print(_ pages: [MarkedPage], _ options: PrintOptions) throws -> PrintJob {
    let queue = try system.queue(for: options)
    var document = PrintDocument(sheet: queue.sheet, color: options.color)
    for page in pages { try document.append(page.raster) }
    return try system.send(document, to: queue, options: options)
  }

  @Test("on a colour printer set to A4, colours arrive, each page on a sheet, nothing cut")
  func color() throws {
    let pages = [try MarkedPage(width: 1240, height: 1754), try MarkedPage(width: 1754, height: 1240)]
    let job = try print(
      pages, PrintOptions(destination: "colour", color: true, jobName: "Zeugnis 📄 für Zoë: 1/2"))
    #expect(job.id.hasPrefix("colour-") && job.destination == "colour" && job.pageCount == 2)
    let received = try printer.received(jobNamed: "Zeugnis 📄 für Zoë: 1/2")
    #expect(received.contentType == "image/pwg-raster" && received.colorMode == "color")
    #expect(received.sides == nil || received.sides == "one-sided")
    try #require(received.pages.count == 2)
    // This printer stacks sheets face up, so CUPS sends it the last page first.
    try pages[0].check(received.pages[1], on: (210, 297), turned: false, color: true)
    try pages[1].check(received.pages[0], on: (210, 297), turned: true, color: true)
  }

  @Test("on a colour printer too, a page is grey unless colour is asked for")
  func grayByDefault() throws {
    let page = try MarkedPage(width: 1240, height: 1754)
    _ = try print([page], PrintOptions(destination: "colour", jobName: "grey on colour"))
    let received = try printer.received(jobNamed: "grey on colour")
    #expect(received.colorMode == "monochrome")
    try #require(received.pages.count == 1)
    #expect(received.pages[0].raster.format == .gray)
    try page.check(received.pages[0], on: (210, 297), turned: false, color: false)
  }

  @Test("on a printer without colour set to Letter, pages come in order, copy by copy")
  func gray() throws {
    let pages = [try MarkedPage(width: 1240, height: 1754), try MarkedPage(width: 1754, height: 1240)]
    _ = try print(pages, PrintOptions(destination: "grey", copies: 2, jobName: "two copies"))
    let received = try printer.received(jobNamed: "two copies")
    let times = received.copies ?? 1
    #expect(received.pages.count * times == 4)
    for (index, page) in received.pages.enumerated() {
      let isTurned = index % 2 == 1
      try pages[index % 2].check(page, on: (215.9, 279.4), turned: isTurned, color: false)
    }
  }

  @Test(
    "a printer of PDF gets the media asked for, in grey or colour, for pages of every mode",
    arguments: [("A4", 210, 297), ("na_letter_8.5x11in", 215.9, 279.4), ("A5", 148, 210)],
    [(PixelFormat.rgb, true), (.rgb, false), (.gray, true), (.gray, false)])
  func media(media: (String, Double, Double), kind: (PixelFormat, Bool)) throws {
    let marked = try MarkedPage(width: 1754, height: 1240)
    let page = kind.0 == .gray ? marked.raster.grayscale() : marked.raster
    let name = "media \(media.0) \(kind)"
    let options = PrintOptions(destination: "pdf", media: media.0, color: kind.1, jobName: name)
    let queue = try system.queue(for: options)
    var document = PrintDocument(sheet: queue.sheet, color: options.color)
    try document.append(page)
    _ = try system.send(document, to: queue, options: options)
    let received = try printer.received(jobNamed: name)
    #expect(received.contentType == "application/pdf")
    try #require(received.pages.count == 1)
    let isColored = kind == (.rgb, true)
    #expect(MarkedPage.isGray(received.pages[0].raster) == !isColored)
    try marked.check(received.pages[0], on: (media.1, media.2), turned: true, color: isColored)
  }

  @Test("printers are listed with what they are doing")
  func list() throws {
    let printers = try system.printers()
    #expect(printers.map(\.name) == ["colour", "grey", "pdf", "rejecting", "stopped"])
    #expect(printers.allSatisfy { !$0.isDefault })
    let stopped = try #require(printers.last)
    #expect(stopped.state == .stopped && stopped.isAccepting && stopped.message == "out of paper")
    let rejecting = printers[3]
    #expect(rejecting.state == .idle && !rejecting.isAccepting && rejecting.message == "closed for today")
  }

  @Test("the default printer is used, and known as such")
  func standard() throws {
    var environment = printer.environment
    environment["LPDEST"] = "grey"
    let system = PrintSystem(environment: environment)
    #expect(try system.printers().filter(\.isDefault).map(\.name) == ["grey"])
    #expect(try system.queue(for: PrintOptions()) == PrintQueue(destination: "grey", sheet: .letter))
  }

  @Test(
    "a printer that would not print is told before anything is sent",
    arguments: [
      (PrintOptions(destination: "stopped"), "the printer stopped is stopped: out of paper"),
      (PrintOptions(destination: "rejecting"), "the printer rejecting takes no jobs: closed for today"),
      (
        PrintOptions(destination: "Offcie"),
        "there is no printer called Offcie; there are colour, grey, pdf, rejecting, stopped"
      ),
      (
        PrintOptions(destination: ""),
        "there is no printer called \"\"; there are colour, grey, pdf, rejecting, stopped"
      ),
      (
        PrintOptions(destination: "-h"),
        "there is no printer called -h; there are colour, grey, pdf, rejecting, stopped"
      ),
      (PrintOptions(), "no default printer is set; there are colour, grey, pdf, rejecting, stopped"),
      (PrintOptions(destination: "grey", copies: 0), "0 copies can't be printed, only 1 to 9999"),
      (
        PrintOptions(destination: "grey", media: "A44"),
        "the printer grey has no paper called A44; there are A4, Env10, EnvDL, Legal, Letter"
      ),
      (
        PrintOptions(destination: "grey", media: "A4 number-up=4"),
        "the printer grey has no paper called A4 number-up=4; there are A4, Env10, EnvDL, Legal, Letter"
      ),
    ])
  func refusals(options: PrintOptions, sentence: String) throws {
    let error = #expect(throws: PrintError.self) { try system.queue(for: options) }
    #expect(error?.description == sentence)
  }

  @Test(
    "trays and kinds of paper count as media, and several may be given",
    arguments: ["Manual", "A4,Labels", "iso_a4_210x297mm"])
  func otherMedia(media: String) throws {
    let queue = try system.queue(for: PrintOptions(destination: "grey", media: media))
    #expect(queue.sheet == (media == "Manual" ? .letter : .a4))
  }

  @Test("a document without pages is not sent")
  func empty() throws {
    let options = PrintOptions(destination: "grey")
    let queue = try system.queue(for: options)
    #expect(throws: PrintError.noPages) {
      try system.send(PrintDocument(sheet: queue.sheet, color: false), to: queue, options: options)
    }
  }

  @Test("without a scheduler, that is what is said")
  func noScheduler() {
    var environment = printer.environment
    environment["CUPS_SERVER"] = "/tmp/no-such-socket"
    let system = PrintSystem(environment: environment)
    #expect(throws: PrintError.notRunning) { try system.printers() }
    #expect(throws: PrintError.notRunning) { try system.queue(for: PrintOptions(destination: "grey")) }
  }
}
