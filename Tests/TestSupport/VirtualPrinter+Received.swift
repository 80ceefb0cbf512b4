package import Foundation
private import Glibc
package import Raster

extension VirtualPrinter {
  /// A document as one of the printers received it.
  package struct Received: Sendable {
    package var contentType: String
    package var jobName: String
    /// How often the printer is to print it; copies can also be in the document already.
    package var copies: Int?
    /// IPP's print-color-mode.
    package var colorMode: String?
    package var sides: String?
    package var pages: [ReceivedPage]
  }

  package struct NothingReceived: Error, CustomStringConvertible {
    package let description: String
  }

  /// The document of a job, once a printer has it.
  ///
  /// - Parameter jobName: as the job was called; tests use names of their own.
  package func received(jobNamed jobName: String, within limit: Duration = .seconds(120)) throws -> Received {
    let clock = ContinuousClock()
    let deadline = clock.now + limit
    let received = folder.appendingPathComponent("received")
    repeat {
      for name in try FileManager.default.contentsOfDirectory(atPath: received.path)
      where name.hasPrefix("job-") {
        let job = received.appendingPathComponent(name)
        let ticket = try Data(contentsOf: job.appendingPathComponent("ticket"))
          .split(separator: 0, omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) }
        guard ticket.count >= 5, ticket[1] == jobName else { continue }
        func given(_ text: String) -> String? { text.isEmpty ? nil : text }
        return Received(
          contentType: ticket[0], jobName: ticket[1], copies: Int(ticket[2]), colorMode: given(ticket[3]),
          sides: given(ticket[4]), pages: try ReceivedPage.pages(of: job.appendingPathComponent("document")))
      }
      var pause = timespec(tv_sec: 0, tv_nsec: 20_000_000)
      unsafe nanosleep(&pause, nil)
    } while clock.now < deadline
    let log = (try? String(contentsOf: folder.appendingPathComponent("log/error_log"), encoding: .utf8)) ?? ""
    throw NothingReceived(description: "no job \(jobName) within \(limit); CUPS says: \(log.suffix(1000))")
  }
}

/// A sheet as it came to the printer.
package struct ReceivedPage: Sendable {
  package var raster: Raster
  package var dotsPerInch: Double

  /// Size of the sheet in millimetres.
  package var millimetres: (width: Double, height: Double) {
    (Double(raster.width) / dotsPerInch * 25.4, Double(raster.height) / dotsPerInch * 25.4)
  }

  /// The pages of a document in PWG raster or PDF.
  package static func pages(of document: URL) throws -> [ReceivedPage] {
    let bytes = [UInt8](try Data(contentsOf: document))
    if bytes.starts(with: Array("RaS2".utf8)) { return try PWGRaster.pages(bytes) }
    return try render(pdf: document)
  }

  /// The dots per inch at which PDF is looked at: a millimetre is about four.
  private static let renderedDotsPerInch = 100

  /// The pages of a PDF as poppler draws them.
  package static func render(pdf: URL) throws -> [ReceivedPage] {
    try poppler("pdftoppm", ["-r", String(renderedDotsPerInch)], pdf: pdf).map {
      ReceivedPage(raster: $0, dotsPerInch: Double(renderedDotsPerInch))
    }
  }

  /// The colour pictures in a PDF, pixel by pixel as they are stored.
  package static func pictures(in pdf: URL) throws -> [Raster] { try poppler("pdfimages", [], pdf: pdf) }

  /// The pages of a PDF as Ghostscript draws them, which is what CUPS has drawn for a printer that takes no PDF.
  package static func ghostscript(pdf: URL, dotsPerInch: Int) throws -> [Raster] {
    let options = ["-q", "-dBATCH", "-dNOPAUSE", "-dSAFER", "-sDEVICE=ppmraw", "-r\(dotsPerInch)"]
    return try pictures { folder in
      try run("gs", options + ["-o", folder.path("page-%03d.ppm"), pdf.path])
    }
  }

  /// What one of poppler's programs makes of a PDF, in the order of its files' names.
  private static func poppler(_ name: String, _ options: [String], pdf: URL) throws -> [Raster] {
    try pictures { folder in try run(name, options + [pdf.path, folder.path("page")]) }
  }

  private static func pictures(drawnBy draw: (TemporaryFolder) throws -> Void) throws -> [Raster] {
    let folder = try TemporaryFolder()
    try draw(folder)
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map {
      try pixmap([UInt8](Data(contentsOf: folder.url.appendingPathComponent($0))))
    }
  }

  private static func run(_ name: String, _ arguments: [String]) throws {
    let program = Process()
    program.executableURL = URL(fileURLWithPath: "/usr/bin/\(name)")
    program.arguments = arguments
    let errors = Pipe()
    program.standardError = errors
    try program.run()
    let complaints = errors.fileHandleForReading.readDataToEndOfFile()
    program.waitUntilExit()
    guard program.terminationStatus == 0, complaints.isEmpty else {
      throw UnreadablePages(description: "\(name): \(String(decoding: complaints, as: UTF8.self))")
    }
  }

  /// A binary PPM: three lines of text, perhaps with comments between them, then RGB.
  private static func pixmap(_ bytes: [UInt8]) throws -> Raster {
    var rest = bytes[...]
    var lines: [String] = []
    while lines.count < 3, let end = rest.firstIndex(of: 0x0A) {
      let line = String(decoding: rest[..<end], as: UTF8.self)
      if !line.hasPrefix("#") { lines.append(line) }
      rest = rest[(end + 1)...]
    }
    guard lines.count == 3, lines[0] == "P6" else { throw UnreadablePages(description: "not a PPM") }
    let sides = lines[1].split(separator: " ").compactMap { Int($0) }
    guard sides.count == 2, rest.count == sides[0] * sides[1] * 3 else {
      throw UnreadablePages(description: "a PPM of another size than it says")
    }
    return Raster(size: PixelSize(width: sides[0], height: sides[1]), format: .rgb, samples: Array(rest))
  }
}

/// Why what a printer received could not be looked at.
package struct UnreadablePages: Error, CustomStringConvertible {
  package let description: String
}
