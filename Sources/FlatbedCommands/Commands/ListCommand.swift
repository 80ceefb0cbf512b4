import CommandLineKit
import ScanLibrary

/// `flatbed list`: what is in the library.
struct ListCommand: Command {
  static let completions = Flag(
    "completions", help: "Print what the shell can complete a scan by.", hidden: true)

  static let description = CommandDescription(
    name: "list",
    abstract: "List the scans in the library.",
    discussion: "Oldest first. The id's first letters are enough to name a scan.",
    examples: [
      Example("flatbed list", "all scans, with their ids, dates, pages and titles"),
      Example("flatbed list --json", "the same for scripts, with every page"),
    ],
    parameters: [completions],
    section: "The library",
    synonyms: ["ls"])

  private let forCompletion: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) { forCompletion = arguments[Self.completions] }

  func run(in context: CommandContext) async throws -> ExitStatus {
    let reporter = Reporter(context)
    let library = try LibraryAccess.open(context, asks: !forCompletion, isListed: true)
    if reporter.isJSON && !forCompletion { return try listAsJSON(library, reporter) }
    let listing = try inLibrary { () throws(LibraryError) in try library.summaries() }
    if forCompletion {
      context.console.printLines(listing.scans.map { "\($0.id.short)\t\(printable($0.title))" })
      return .success
    }
    let counts = listing.scans.map { counted($0.pageCount, "page") }
    let width = counts.map(\.count).max() ?? 0
    context.console.printLines(
      zip(listing.scans, counts).map { scan, count in
        let padding = String(repeating: " ", count: width - count.count)
        return "\(scan.id.short)  \(localText(scan.createdAt))  \(padding)\(count)  \(printable(scan.title))"
      })
    return finish(reporter, isEmpty: listing.scans.isEmpty, listing.damaged)
  }

  private func listAsJSON(_ library: Library, _ reporter: Reporter) throws -> ExitStatus {
    let listing = try inLibrary { () throws(LibraryError) in try library.scans() }
    reporter.emit(listing.scans.map(ScanJSON.init))
    return finish(reporter, isEmpty: listing.scans.isEmpty, listing.damaged)
  }

  private func finish(_ reporter: Reporter, isEmpty: Bool, _ damaged: [DamagedScan]) -> ExitStatus {
    for damaged in damaged { reporter.fail(Failure(library: damaged.error)) }
    if isEmpty && damaged.isEmpty {
      reporter.note("the library is empty; 'flatbed scan PHOTO' adds to it")
    }
    return reporter.status(anythingDone: true)
  }
}
