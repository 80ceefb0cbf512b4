import CommandLineKit
import LoopbackServer
import PageReview
import ScanLibrary

/// Serves the review's page, has it opened, and waits until it is over.
struct ReviewRun {
  static let noOpen = Flag("no-open", help: "Print the page's address instead of opening it.")
  static let idle = Option(
    "idle", .integer(1...1440, "MINUTES"), help: "End when the page has asked for nothing for so long.",
    default: 30)

  let context: CommandContext
  let reporter: Reporter
  private let opens: Bool
  private let idleSeconds: Double

  /// The command declares `noOpen` and `idle`.
  init(_ context: CommandContext, _ reporter: Reporter) {
    self.context = context
    self.reporter = reporter
    opens = !context.arguments[Self.noOpen]
    idleSeconds = Double(context.arguments[Self.idle]) * 60
  }

  /// Whether the address was the answer on the standard output.
  var toldAddress: Bool { !opens }

  /// - Throws: why it couldn't be served, or that nobody came.
  func run(_ desk: ReviewDesk) async throws -> ReviewWatch.End {
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
    let file = try show(server.address)
    let end = await ReviewWatch(desk: desk, site: site, redirect: file, idleSeconds: idleSeconds).waitForEnd()
    if end == .unopened {
      throw Failure(
        .reviewUnservable, "nobody opened the page in time",
        hints: ["--no-open prints the address, to be opened by hand"])
    }
    return end
  }

  /// Opens the page, or tells its address.
  private func show(_ address: String) throws -> RedirectFile? {
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
}
