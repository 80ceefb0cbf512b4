private import Synchronization

/// What is served to one browser of this user, and to nobody else: pages that anybody may see, and answers behind a secret.
///
/// A pure function from request to response, apart from the ticket, so that every rule is tested without a network.
package final class LoopbackSite: Sendable {
  /// The header in which the page shows its secret.
  package static let secretHeader = "x-flatbed-key"
  /// Where the page exchanges its token for the secret.
  package static let sessionPath = "/session"

  package let ticket: EntryTicket
  private let pages: [String: LoopbackResponse]
  private let answer: @Sendable (LoopbackRequest) -> LoopbackResponse
  private let now: @Sendable () -> Double
  private let lastAdmitted: Mutex<Double>

  /// - Parameters:
  ///   - pages: what is served without a secret, by path; it must tell nothing.
  ///   - now: seconds on a clock that never goes back.
  ///   - answer: the answer to a request that showed the secret; called from any thread.
  package init(
    ticket: EntryTicket, pages: [String: LoopbackResponse], now: @escaping @Sendable () -> Double,
    answer: @escaping @Sendable (LoopbackRequest) -> LoopbackResponse
  ) {
    self.ticket = ticket
    self.pages = pages
    self.answer = answer
    self.now = now
    lastAdmitted = Mutex(now())
  }

  /// Seconds since a request last showed the secret, or since the beginning.
  package var secondsUnused: Double { now() - lastAdmitted.withLock { $0 } }

  /// The answer to a request that came to a port, with the headers that keep it from others.
  package func respond(to request: LoopbackRequest, port: UInt16) -> LoopbackResponse {
    var response = unprotected(request, port: port)
    response.headers.merge(Self.protection) { own, _ in own }
    return response
  }

  /// Nothing is kept, framed, guessed at, or fetched from anywhere else; no other site is told or given anything.
  private static let protection = [
    "Cache-Control": "no-store",
    "Content-Security-Policy":
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; "
      + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
  ]

  private func unprotected(_ request: LoopbackRequest, port: UInt16) -> LoopbackResponse {
    // A name that somebody else lets point to this machine (DNS rebinding) comes with that name as its host.
    let hosts = ["127.0.0.1:\(port)", "[::1]:\(port)", "localhost:\(port)"]
    guard let host = request.headers["host"], hosts.contains(host) else {
      return LoopbackResponse(status: 421, text: "wrong host")
    }
    if let origin = request.headers["origin"], origin != "http://\(host)" {
      return LoopbackResponse(status: 403, text: "wrong origin")
    }
    switch request.method {
    case "GET":
      if let page = pages[request.path] { return page }
    case "POST":
      // Browsers always say where a POST comes from.
      guard request.headers["origin"] != nil else {
        return LoopbackResponse(status: 403, text: "no origin")
      }
      if request.path == Self.sessionPath { return session(request) }
    default: return LoopbackResponse(status: 405, text: "only GET and POST")
    }
    guard ticket.admits(request.headers[Self.secretHeader]) else {
      return LoopbackResponse(status: 401, text: "no entry")
    }
    lastAdmitted.withLock { $0 = now() }
    return answer(request)
  }

  private func session(_ request: LoopbackRequest) -> LoopbackResponse {
    switch ticket.redeem(String(decoding: request.body, as: UTF8.self)) {
    case .admitted(let secret):
      lastAdmitted.withLock { $0 = now() }
      return LoopbackResponse(status: 200, text: secret)
    case .unknown: return LoopbackResponse(status: 403, text: "unknown")
    case .used: return LoopbackResponse(status: 403, text: "used")
    case .expired: return LoopbackResponse(status: 403, text: "expired")
    }
  }
}
