import CommandLineKit
import LibraryKeys
import LoopbackServer
import PageReview
import ScanLibrary

/// `flatbed review`: corners by hand, in the browser.
struct ReviewCommand: Command {
  static let noOpen = Flag("no-open", help: "Print the page's address instead of opening it.")
  static let idle = Option(
    "idle", .integer(1...1440, "MINUTES"), help: "End when the page has asked for nothing for so long.",
    default: 30)

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
    parameters: [ScanReference.any, noOpen, idle],
    section: "The library",
    synonyms: ["edit", "gui", "browser"])

  private let references: [String]
  private let opens: Bool
  private let idleSeconds: Double

  init(_ arguments: ParsedArguments) throws(UsageError) {
    references = arguments[ScanReference.any]
    opens = !arguments[Self.noOpen]
    idleSeconds = Double(arguments[Self.idle]) * 60
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
    let site = LoopbackSite(
      ticket: EntryTicket(life: ReviewWatch.ticketLife, now: { monotonicSeconds() }), pages: reviewPage,
      now: { monotonicSeconds() }, answer: { desk.respond(to: $0) })
    let server: LoopbackServer
    do {
      server = try LoopbackServer(site)
    } catch {
      throw Failure(.reviewUnservable, "can't serve the page: \(error)")
    }
    defer { server.stop() }
    let file = try show(server.address, context, reporter)
    let end = await ReviewWatch(desk: desk, site: site, redirect: file, idleSeconds: idleSeconds).waitForEnd()
    server.stop()
    return try tell(end, scans, library, reporter)
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

  /// Opens the page, or tells its address.
  private func show(
    _ address: String, _ context: CommandContext, _ reporter: Reporter
  ) throws -> RedirectFile? {
    guard opens else {
      if reporter.isJSON { reporter.emit(["address": address]) } else { context.console.print(address) }
      return nil
    }
    do {
      let file = try RedirectFile(to: address, environment: context.environment)
      guard openInBrowser(file.path, environment: context.environment) else {
        context.console.warn("no browser could be started by xdg-open; open this address in one")
        context.console.print(address)
        return file
      }
      reporter.note("the review is open in your browser; it ends with Done there, or with Ctrl-C here")
      return file
    } catch {
      throw Failure(.reviewUnservable, "can't hand the page's address to the browser: \(error)")
    }
  }

  private func tell(
    _ end: ReviewWatch.End, _ scans: [ScanID], _ library: Library, _ reporter: Reporter
  ) throws -> ExitStatus {
    switch end {
    case .done, .deserted, .interrupted: break
    case .idle: reporter.note("the review was idle, and has ended; what was changed is saved")
    case .unopened:
      throw Failure(
        .reviewUnservable, "nobody opened the page in time",
        hints: ["'flatbed review --no-open' prints the address, to be opened by hand"])
    case .locked: throw Failure(library: .locked(path: library.path))
    }
    var now: [ScanRecord] = []
    for id in scans {
      do {
        now.append(try library.scan(id))
      } catch .noSuchScan {
        // Deleted meanwhile.
      } catch {
        throw Failure(library: error)
      }
    }
    // With the address as JSON there was one answer already.
    if opens { reporter.emit(now.map(ScanJSON.init)) }
    for scan in now { reporter.print(scanLine(scan)) }
    return .success
  }
}
