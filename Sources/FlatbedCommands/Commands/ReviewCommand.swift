import CommandLineKit
import LibraryKeys
import PageReview
import ScanLibrary

/// `flatbed review`: corners by hand, in the browser.
struct ReviewCommand: Command {
  static let description = CommandDescription(
    name: "review",
    abstract: "Look at pages in the browser, and set right what was not found.",
    discussion: """
      A page in your browser shows photo and flat page side by side. Drag the corners, or move them by the arrow keys; turn, order and \
      remove pages, choose modes and paper. Each change is saved at once, as 'flatbed adjust', 'rotate', 'mode', 'rename' and 'pages' do, and can be undone \
      while the review is open.

      Without SCAN, it shows the scans with pages that were not found or are unsure, newest first.

      The page is served on this machine only, at a random port, to the one browser that opens it. It ends when you press Done, close the \
      tab, or press Ctrl-C here.
      """,
    examples: [
      Example("flatbed review", "what the detector is unsure of"),
      Example("flatbed review 3f2a", "all pages of a scan"),
      Example("flatbed review --no-open", "print the address, to open it in another browser"),
    ],
    parameters: [ScanReference.any, ReviewRun.noOpen, ReviewRun.idle],
    section: "The library",
    synonyms: ["edit", "gui", "browser"])

  private let references: [String]

  init(_ arguments: ParsedArguments) throws(UsageError) {
    references = arguments[ScanReference.any]
  }

  func run(in context: CommandContext) async throws -> ExitStatus {
    let library = try LibraryAccess.open(context)
    let reporter = Reporter(context)
    let scans = try scans(in: library)
    if scans.isEmpty {
      reporter.note("no page needs a look; name a scan to see it all the same")
      reporter.emit([ScanJSON]())
      return .success
    }
    let desk = ReviewDesk(
      library: library, scans: scans,
      isUnlocked: Self.lockWatch(of: library, environment: context.environment))
    let run = ReviewRun(context, reporter)
    let end = try await run.run(desk)
    switch end {
    case .locked: throw Failure(library: .locked(path: library.path))
    case .idle: reporter.note("the review was idle, and has ended; what was changed is saved")
    case .done, .deserted, .interrupted, .unopened: break
    }
    let now = try Self.left(of: scans, in: library)
    // With the address as JSON there was one answer already.
    if !run.toldAddress { reporter.emit(now.map(ScanJSON.init)) }
    for scan in now { reporter.print(scanLine(scan)) }
    return .success
  }

  /// Those that were named, or those with a page that needs a look, newest first.
  private func scans(in library: Library) throws -> [ScanID] {
    if !references.isEmpty { return try ScanReference.find(references, in: library).map(\.id) }
    let listing = try inLibrary { () throws(LibraryError) in try library.scans() }
    return listing.scans.filter { $0.pages.contains(where: needsLook) }.reversed().map(\.id)
  }

  /// Tells whether the key of a library that `unlock` opened is still there: after `flatbed lock` nothing more is shown.
  private static func lockWatch(
    of library: Library, environment: [String: String]
  ) -> @Sendable () -> Bool {
    guard library.key != nil else { return { true } }
    let store = KeyStore(environment: environment)
    let id = library.id.text
    // With a passphrase for this command alone there is nothing that could be locked.
    guard store.find(library: id) != nil else { return { true } }
    return { store.find(library: id) != nil }
  }

  /// The scans as they are now, without those that were deleted meanwhile.
  private static func left(of scans: [ScanID], in library: Library) throws(Failure) -> [ScanRecord] {
    var now: [ScanRecord] = []
    for id in scans {
      do throws(LibraryError) {
        now.append(try library.scan(id))
      } catch .noSuchScan {
        continue
      } catch {
        throw Failure(library: error)
      }
    }
    return now
  }
}
