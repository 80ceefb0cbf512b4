import CommandLineKit
import Enhancement
import PageReview
import ScanLibrary
import ScanPipeline

/// `flatbed scan`: photos into the library.
struct ScanCommand: Command {
  static let photos = Argument(
    repeating: "PHOTO", .path("PHOTO|FOLDER", completion: .file),
    help: "A photo, or a folder of them; '-' is the standard input.")
  static let separate = Flag("separate", short: "s", help: "A scan a photo.")
  static let recursive = Flag(
    "recursive", short: "r", help: "Sub-folders too; each becomes a scan of its own.")
  static let title = Option(
    "title", short: "t", Title.type, help: "The scan's title, instead of the folder's or photo's name.")
  static let again = Flag("again", help: "Scan photos that are in the library already, too.")
  static let review = Flag(
    "review", help: "Look at the pages in the browser first, and store them when you say so.")
  static let strict = Flag("strict", help: "A photo in which no page is found is an error, and isn't stored.")

  static let description = CommandDescription(
    name: "scan",
    abstract: "Turn photos into scans in the library.",
    discussion: """
      A folder becomes one scan, a page a photo, in the natural order of names (2 before 10), and so do photos given together. In each photo the \
      page is found, and flattened. The photo itself is kept unchanged: modes, turns and corners can be changed later. Where no page is \
      found, the whole photo is the page.

      Photos that the library has already are passed over, so that a long run with --separate or --recursive can be stopped and run again. \
      To add photos to a scan, use 'flatbed pages append'.

      With --review nothing is stored until you press Done or close the tab in the browser; Ctrl-C stores nothing.

      A library that isn't there is made, and a passphrase for it asked for, as 'flatbed library init' does.

      JPEG, PNG, TIFF (also with several pages) and HEIC are read, whatever the files are called.
      """,
    examples: [
      Example("flatbed scan Photos/", "a folder of photos becomes one scan"),
      Example("flatbed scan --separate receipts/*.jpg", "a scan a photo"),
      Example("flatbed scan --review receipts/", "look first, set corners right, then store"),
      Example("flatbed scan --recursive ~/Pictures/Papers", "a scan a folder"),
      Example("flatbed scan a.jpg b.jpg --title 'Rental contract' --mode bw", "two pages, with a title"),
      Example(
        "flatbed scan whiteboard.jpg --corners 210,180 3890,240 3810,2760 190,2700",
        "with corners given by hand"),
    ],
    parameters: [
      photos, separate, recursive, title, Look.newMode, Look.amount, Paper.paper, review, ReviewRun.noOpen,
      ReviewRun.idle, strict, again,
      Outline.corners, Outline.whole, ProtectionChoice.option, Detecting.all, Reading.all,
    ],
    section: "Into the library",
    synonyms: ["add", "import"])

  private let arguments: ParsedArguments
  private let page: PageOptions

  init(_ arguments: ParsedArguments) throws(UsageError) {
    self.arguments = arguments
    page = try PageOptions(arguments)
  }

  func run(in context: CommandContext) async throws -> ExitStatus {
    let reporter = Reporter(context)
    let mode = try Look.newMode(context)
    let plan = try plan(context, reporter)
    for fault in plan.faults { reporter.fail(Failure(path: fault.path, error: fault.error)) }
    if plan.jobs.isEmpty { return finish(nil, plan, reporter) }
    if case .corners = page.choice, plan.photoCount > 1 {
      throw UsageError(
        "--corners are those of one photo, and there are \(plan.photoCount)", commandPath: ["scan"])
    }
    let library = try LibraryAccess.openOrCreate(context, protection: arguments[ProtectionChoice.option])
    let options = ScanOptions(
      reading: Reading.options(arguments, photoCount: plan.photoCount), page: page,
      mode: mode.rawValue, amount: arguments[Look.amount],
      again: arguments[Self.again], isStrict: arguments[Self.strict])
    if arguments[Self.review] { return try await reviewFirst(plan, library, options, context, reporter) }
    let progress = ScanProgress(reporter, photoCount: plan.photoCount)
    do {
      try await scan(
        plan.jobs, into: library, options: options, limits: .ofThisMachine(), report: progress.take)
    } catch let error as LibraryError {
      progress.finish()
      throw Failure(library: error)
    }
    progress.finish()
    return finish(progress, plan, reporter)
  }

  /// Scans into a library for the moment, has it looked at, and stores what is there then.
  private func reviewFirst(
    _ plan: PhotoPlan, _ library: Library, _ options: ScanOptions, _ context: CommandContext,
    _ reporter: Reporter
  ) async throws -> ExitStatus {
    let scratch = try inLibrary { () throws(LibraryError) in
      try ScratchLibrary(environment: context.environment)
    }
    let progress = ScanProgress(reporter, photoCount: plan.photoCount, isDraft: true)
    do {
      try await scan(
        plan.jobs, into: scratch.library, passingOver: library, options: options, limits: .ofThisMachine(),
        report: progress.take)
    } catch let error as LibraryError {
      progress.finish()
      throw Failure(library: error)
    }
    progress.finish()
    guard !progress.scans.isEmpty else { return finish(progress, plan, reporter) }
    let ids = progress.scans.map(\.id)
    let desk = ReviewDesk(
      library: scratch.library, scans: ids,
      store: { () throws(LibraryError) in try scratch.store(ids, in: library) })
    let end = try await ReviewRun(context, reporter).run(desk)
    if end == .interrupted, scratch.stored.isEmpty {
      throw Failure(.interrupted, "stopped by a signal; nothing was stored")
    }
    do {
      defer { progress.take(stored: scratch.stored) }
      // Done has stored them. Whoever closes the tab wants to keep them, too.
      if end != .interrupted {
        try inLibrary { () throws(LibraryError) in try scratch.store(ids, in: library) }
      }
    }
    return finish(progress, plan, reporter)
  }

  private func plan(_ context: CommandContext, _ reporter: Reporter) throws -> PhotoPlan {
    let excluded = try LibraryAccess.path(context)
    var plan = PhotoPlan(
      paths: arguments[Self.photos],
      options: GroupingOptions(
        separate: arguments[Self.separate], recursive: arguments[Self.recursive], excludedFolder: excluded))
    if let title = arguments[Self.title] { plan.setTitle(title) }
    return plan
  }

  /// Sums up, and decides on the exit status.
  private func finish(_ progress: ScanProgress?, _ plan: PhotoPlan, _ reporter: Reporter) -> ExitStatus {
    var facts: [String] = []
    if let progress {
      if progress.storedPhotos > 0 { facts.append("\(counted(progress.storedPhotos, "photo")) scanned") }
      if progress.withoutPage > 0 { facts.append("\(progress.withoutPage) without a page, kept whole") }
      if progress.duplicates > 0 { facts.append("\(progress.duplicates) in the library already") }
      if progress.failed > 0 { facts.append("\(progress.failed) failed") }
    }
    if plan.passedOverFiles > 0 { facts.append("\(counted(plan.passedOverFiles, "other file")) passed over") }
    if plan.passedOverFolders > 0 {
      facts.append("\(counted(plan.passedOverFolders, "sub-folder")) passed over (--recursive scans them)")
    }
    if !facts.isEmpty { reporter.note(facts.joined(separator: ", ")) }
    if let progress, progress.duplicates > 0, progress.storedPhotos > 0, !arguments[Self.separate] {
      reporter.note("to put new photos into a scan that is there, use 'flatbed pages append'")
    }
    reporter.emit(Answer(progress, plan))
    return reporter.status(anythingDone: (progress?.storedPhotos ?? 0) + (progress?.duplicates ?? 0) > 0)
  }

  private struct Answer: Encodable {
    let scans: [ScanJSON]
    let photos: [ScanProgress.PhotoJSON]
    let passedOverFiles: Int
    let passedOverFolders: Int

    init(_ progress: ScanProgress?, _ plan: PhotoPlan) {
      scans = progress?.scans.map(ScanJSON.init) ?? []
      photos = progress?.photos ?? []
      passedOverFiles = plan.passedOverFiles
      passedOverFolders = plan.passedOverFolders
    }
  }
}
