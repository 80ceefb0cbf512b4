import CommandLineKit
import ScanLibrary
import ScanPipeline

/// `flatbed pages`: which pages a scan has, and in which order.
struct PagesCommand: CommandGroup {
  static let description = CommandDescription(
    name: "pages",
    abstract: "Move, remove or append pages of a scan.",
    subcommands: [MovePagesCommand.self, RemovePagesCommand.self, AppendPagesCommand.self],
    section: "The library",
    synonyms: ["page"])
}

/// `flatbed pages move`.
struct MovePagesCommand: Command {
  static let place = Option(
    required: "to", .integer(1...1_000_000, "PLACE"), help: "Where the first of them is to be afterwards.")

  static let description = CommandDescription(
    name: "move",
    abstract: "Put pages at another place in their scan.",
    examples: [
      Example("flatbed pages move 3f2a 5 --to 1", "page 5 becomes the first"),
      Example("flatbed pages move 3f2a 2,4-6 --to 7", "pages 2, 4, 5 and 6 become 7, 8, 9 and 10"),
    ],
    parameters: [ScanReference.one, PageSelection.argument, place])

  private let reference: String
  private let selection: PageSelection
  private let place: Int

  init(_ arguments: ParsedArguments) throws(UsageError) {
    reference = arguments[ScanReference.one]
    selection = arguments[PageSelection.argument]
    place = arguments[Self.place]
  }

  func run(in context: CommandContext) async throws -> ExitStatus {
    try changePages(reference, selection, in: context) { change, pages, _ throws(LibraryError) in
      try change.movePages(pages.map(\.number), to: place - 1)
    }
  }
}

/// `flatbed pages remove`.
struct RemovePagesCommand: Command {
  static let description = CommandDescription(
    name: "remove",
    abstract: "Remove pages from a scan.",
    discussion:
      "Photos from which no page is left go too. The last page can't be removed; delete the scan instead.",
    examples: [Example("flatbed pages remove 3f2a 2,5-7", "four pages less")],
    parameters: [ScanReference.one, PageSelection.argument, DeleteCommand.yes],
    synonyms: ["delete", "rm"])

  private let reference: String
  private let selection: PageSelection
  private let isSure: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    reference = arguments[ScanReference.one]
    selection = arguments[PageSelection.argument]
    isSure = arguments[DeleteCommand.yes]
  }

  func run(in context: CommandContext) async throws -> ExitStatus {
    let library = try LibraryAccess.open(context)
    let scan = try inLibrary { () throws(LibraryError) in try library.find(reference) }
    let count = try selection.pages(of: scan).count
    guard count < scan.pages.count else {
      throw Failure(
        .scanPages, subject: scan.id.text, "these are all pages of \(titleText(scan))",
        hints: ["'flatbed delete \(scan.id.short)' deletes the scan"])
    }
    let question = "Remove \(counted(count, "page")) of \(titleText(scan)), with photos that only they need?"
    guard try isSure || confirmed(question, in: context) else { return .success }
    return try changePages(scan.id.text, selection, in: context) { change, pages, _ throws(LibraryError) in
      try change.removePages(Set(pages.map(\.number)))
    }
  }
}

/// `flatbed pages append`.
struct AppendPagesCommand: Command {
  static let place = Option(
    "at", .integer(1...1_000_000, "PLACE"),
    help: "Where the first new page is to be; otherwise they come last.")

  static let description = CommandDescription(
    name: "append",
    abstract: "Scan more photos into a scan.",
    examples: [Example("flatbed pages append 3f2a backside.jpg", "one more page")],
    parameters: [
      ScanReference.one, ScanCommand.photos, place, Outline.corners, Outline.whole, Paper.paper,
      ScanCommand.again,
      ScanCommand.strict, Detecting.all, Reading.all,
    ])

  private let reference: String
  private let paths: [String]
  private let place: Int?
  private let page: PageOptions
  private let arguments: ParsedArguments

  init(_ arguments: ParsedArguments) throws(UsageError) {
    reference = arguments[ScanReference.one]
    paths = arguments[ScanCommand.photos]
    place = arguments[Self.place]
    page = try PageOptions(arguments)
    self.arguments = arguments
  }

  func run(in context: CommandContext) async throws -> ExitStatus {
    let library = try LibraryAccess.open(context)
    let scan = try inLibrary { () throws(LibraryError) in try library.find(reference) }
    if let place, place > scan.pages.count + 1 {
      throw Failure(
        .scanPages, subject: scan.id.text,
        "\(titleText(scan)) has \(counted(scan.pages.count, "page")), so a new one can't be number \(place)")
    }
    let reporter = Reporter(context)
    let plan = PhotoPlan(paths: paths, options: GroupingOptions(excludedFolder: library.path))
    for fault in plan.faults { reporter.fail(Failure(path: fault.path, error: fault.error)) }
    let photos = plan.jobs.flatMap(\.photos)
    if case .corners = page.choice, photos.count > 1 {
      throw UsageError(
        "--corners are those of one photo, and there are \(photos.count)",
        commandPath: context.arguments.commandPath)
    }
    let options = ScanOptions(
      reading: Reading.options(arguments, photoCount: photos.count), page: page, mode: scan.mode,
      amount: scan.amount,
      again: arguments[ScanCommand.again], isStrict: arguments[ScanCommand.strict])
    let progress = ScanProgress(reporter, photoCount: photos.count)
    let changed: ScanRecord?
    do {
      changed = try await append(
        photos, to: scan.id, at: place.map { $0 - 1 }, in: library, options: options,
        limits: .ofThisMachine(), report: progress.take)
    } catch {
      progress.finish()
      throw (error as? LibraryError).map(Failure.init(library:)) ?? error
    }
    progress.finish()
    // Without a new page the answer is the scan as it was.
    reporter.emit(ScanJSON(scan: changed ?? scan))
    return reporter.status(anythingDone: progress.storedPhotos + progress.duplicates > 0)
  }
}
