import CommandLineKit
import DocumentOutput
import Enhancement
import ScanLibrary
import ScanPipeline

/// `flatbed print`: a scan on paper, through CUPS.
struct PrintCommand: Command {
  static let destination = Option(
    "destination", short: "d", .string("PRINTER").completed(by: ["printers", "--completions"]),
    help: "The printer; without it the default one.")
  static let copies = Option(
    "copies", short: "n", .integer(1...PrintOptions.mostCopies), help: "How many copies.", default: 1)
  static let media = Option(
    "media", .string("PAPER"), help: "The paper, as CUPS calls it, such as A4 or Letter.")
  static let color = Flag("color", help: "In colour: for certificates and photos.")
  static let jobName = Option(
    "job-name", .string("NAME"),
    help: "What the queue shows; without it, the scan's title, or of a protected library 'Flatbed scan'.")

  static let description = CommandDescription(
    name: "print",
    abstract: "Print a scan.",
    discussion: """
      One page a sheet, as large as fits, turned to suit the sheet, in grey unless --color is given. CUPS keeps jobs in its spool, and \
      shows their names to everybody who may see the queue.
      """,
    examples: [
      Example("flatbed print 3f2a", "on the default printer, in grey"),
      Example("flatbed print 3f2a -d Office --color --media A4", "a certificate in colour"),
      Example("flatbed print 3f2a --pages 1 --mode bw -n 2", "the first page twice"),
    ],
    parameters: [
      ScanReference.one, destination, color, copies, media, PageSelection.option, Look.mode, Look.amount,
      jobName,
    ],
    section: "Out of the library",
    synonyms: ["lp"])

  private let reference: String
  private let selection: PageSelection?
  private let override: LookOverride
  private let options: PrintOptions
  private let jobName: String?

  init(_ arguments: ParsedArguments) throws(UsageError) {
    reference = arguments[ScanReference.one]
    selection = arguments[PageSelection.option]
    override = LookOverride(mode: arguments[Look.mode], amount: arguments[Look.amount])
    options = PrintOptions(
      destination: arguments[Self.destination], copies: arguments[Self.copies], media: arguments[Self.media],
      color: arguments[Self.color])
    jobName = arguments[Self.jobName]
  }

  func run(in context: CommandContext) async throws -> ExitStatus {
    let library = try LibraryAccess.open(context)
    let scan = try inLibrary { () throws(LibraryError) in try library.find(reference) }
    let pages = try selection.pages(of: scan)
    var options = options
    // A title would be seen by everybody who looks at the queue or at the processes.
    options.jobName = jobName ?? (library.protection == .ownerOnly ? scan.title : "Flatbed scan")
    let system = PrintSystem(environment: context.environment)
    let job: PrintJob
    do {
      // All that could be wrong with the printer shows before any page is made.
      let queue = try system.queue(for: options)
      var document = PrintDocument(sheet: queue.sheet, color: options.color)
      let bar = context.console.progress("Preparing", total: pages.count, unit: "pages")
      defer { bar.finish() }
      for (place, page) in pages {
        try Task.checkCancellation()
        try append(page, at: place, of: scan, in: library, to: &document)
        bar.advance()
      }
      bar.finish()
      job = try system.send(document, to: queue, options: options)
    } catch let error as PrintError {
      throw Failure(printing: error)
    }
    let reporter = Reporter(context)
    reporter.print(job.id)
    reporter.note(
      "\(counted(job.pageCount, "page")) sent to \(printable(job.destination)); 'lpstat' shows the queue")
    reporter.emit(Answer(job: job.id, printer: job.destination, pages: job.pageCount))
    return .success
  }

  private func append(
    _ page: PageRecord, at place: Int, of scan: ScanRecord, in library: Library,
    to document: inout PrintDocument
  ) throws {
    let look: RenderedPage
    do {
      look = try renderPage(page, of: scan, in: library, override: override)
    } catch {
      throw Failure(scan: scan, page: place, rendering: error)
    }
    try document.append(look.raster, resolution: look.resolution)
  }

  private struct Answer: Encodable {
    let job: String
    let printer: String
    let pages: Int
  }
}
