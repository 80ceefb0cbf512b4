import CommandLineKit
import LoopbackServer
import PageReview

/// Waits until a review is over.
struct ReviewWatch {
  enum End {
    case done
    /// The last tab was closed.
    case deserted
    case interrupted
    case idle
    /// The token ran out before anybody used it.
    case unopened
    case locked
  }

  let desk: ReviewDesk
  let site: LoopbackSite
  let redirect: RedirectFile?
  let idleSeconds: Double

  /// Seconds in which the page has to be opened: time for a slow browser to start, and for an address to be copied.
  static let ticketLife = 300.0
  /// Seconds without a tab, after which it wasn't a reload.
  private static let reload = 10.0
  private static let glance = Duration.milliseconds(100)

  func waitForEnd() async -> End {
    var desertedSince: Double?
    while true {
      do {
        try await Task.sleep(for: Self.glance)
      } catch {
        return .interrupted
      }
      if site.ticket.wasUsed { redirect?.remove() }
      if desk.isLocked { return .locked }
      if desk.isDone { return .done }
      if site.ticket.isLost { return .unopened }
      guard site.ticket.wasUsed else { continue }
      if site.secondsUnused > idleSeconds { return .idle }
      guard desk.isDeserted else {
        desertedSince = nil
        continue
      }
      let since = desertedSince ?? monotonicSeconds()
      desertedSince = since
      if monotonicSeconds() - since > Self.reload { return .deserted }
    }
  }
}
