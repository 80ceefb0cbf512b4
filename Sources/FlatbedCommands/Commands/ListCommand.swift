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
    let library = try LibraryAccess.open(context, asks: !forCompletion)
    let listing = try inLibrary { () throws(LibraryError) in try library.scans() }
    if forCompletion {
      for scan in listing.scans { context.console.print("\(scan.id.short)\t\(titleText(scan))") }
      return .success
    }
    let counts = listing.scans.map { counted($0.pages.count, "page") }
    let width = counts.map(\.count).max() ?? 0
    for (scan, count) in zip(listing.scans, counts) {
      let padding = String(repeating: " ", count: width - count.count)
      reporter.print("\(scan.id.short)  \(localText(scan.createdAt))  \(padding)\(count)  \(titleText(scan))")
    }
    reporter.emit(listing.scans.map(ScanJSON.init))
    for damaged in listing.damaged { reporter.fail(Failure(library: damaged.error)) }
    if listing.scans.isEmpty && listing.damaged.isEmpty {
      reporter.note("the library is empty; 'flatbed scan PHOTO' adds to it")
    }
    return reporter.status(anythingDone: true)
  }
}
