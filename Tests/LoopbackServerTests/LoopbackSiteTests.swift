import LoopbackServer
import Synchronization
import Testing

/// A clock that a test sets.
final class SetClock: Sendable {
  private let time = Mutex(0.0)
  var now: Double { time.withLock { $0 } }
  func advance(by seconds: Double) { time.withLock { $0 += seconds } }
}

/// The rules of entry, without a network.
@Suite("Who is let in")
struct LoopbackSiteTests {
  private static let port: UInt16 = 4711
  private let clock = SetClock()
  private let ticket: EntryTicket
  private let site: LoopbackSite

  init() {
    let clock = clock
    ticket = EntryTicket(life: 60, now: { clock.now })
    site = LoopbackSite(
      ticket: ticket, pages: ["/": LoopbackResponse(status: 200, text: "the page")], now: { clock.now },
      answer: { LoopbackResponse(status: 200, text: "secret of \($0.path)") })
  }

  private func ask(
    _ path: String, method: String = "GET", headers: [String: String] = [:], body: String = ""
  ) -> LoopbackResponse {
    let headers = ["host": "127.0.0.1:\(Self.port)"].merging(headers) { $1 }
    return site.respond(
      to: LoopbackRequest(method: method, path: path, headers: headers, body: Array(body.utf8)),
      port: Self.port)
  }

  private let own = ["origin": "http://127.0.0.1:\(port)"]

  private func redeem(_ token: String) -> LoopbackResponse {
    ask("/session", method: "POST", headers: own, body: token)
  }

  private func text(_ response: LoopbackResponse) -> String { String(decoding: response.body, as: UTF8.self) }

  @Test("a token lets in once, and what it gives lets in from then on")
  func once() {
    #expect(ask("/api/scans").status == 401)
    let first = redeem(ticket.token)
    #expect(first.status == 200)
    let secret = text(first)
    #expect(secret.count == 64 && secret != ticket.token)
    #expect(redeem(ticket.token).status == 403)
    #expect(text(redeem(ticket.token)) == "used")
    #expect(text(ask("/api/scans", headers: ["x-flatbed-key": secret])) == "secret of /api/scans")
    for wrong in ["", ticket.token, String(secret.dropLast()), secret + "0"] {
      #expect(ask("/api/scans", headers: ["x-flatbed-key": wrong]).status == 401, "\(wrong)")
    }
  }

  @Test("a token that isn't used in time is worth nothing, and a wrong one uses nothing up")
  func expired() {
    #expect(text(redeem("0")) == "unknown")
    clock.advance(by: 59)
    #expect(!ticket.isLost)
    clock.advance(by: 2)
    #expect(ticket.isLost)
    #expect(text(redeem(ticket.token)) == "expired")
    #expect(!ticket.wasUsed)
  }

  @Test("the secret goes on after the token's time")
  func secretStays() {
    let secret = text(redeem(ticket.token))
    clock.advance(by: 10_000)
    #expect(site.secondsUnused > 9_999)
    #expect(ask("/api/scans", headers: ["x-flatbed-key": secret]).status == 200)
    #expect(site.secondsUnused == 0)
    // Somebody who isn't let in keeps nothing alive.
    clock.advance(by: 100)
    _ = ask("/")
    _ = ask("/api/scans")
    #expect(site.secondsUnused == 100)
  }

  @Test(
    "a request for another host is refused, whatever it shows: a foreign name may point to this machine",
    arguments: [
      "evil.example:4711", "127.0.0.1", "127.0.0.1:4712", "localhost", "", "127.0.0.1:4711.evil.example",
    ])
  func wrongHost(host: String) {
    let secret = text(redeem(ticket.token))
    #expect(ask("/", headers: ["host": host]).status == 421)
    #expect(ask("/api/scans", headers: ["host": host, "x-flatbed-key": secret]).status == 421)
    let same = ["host": host, "origin": "http://\(host)", "x-flatbed-key": secret]
    #expect(ask("/api/edit", method: "POST", headers: same).status == 421)
  }

  @Test("the machine's other names for itself are taken", arguments: ["[::1]:4711", "localhost:4711"])
  func otherNames(host: String) { #expect(ask("/", headers: ["host": host]).status == 200) }

  @Test(
    "a request from a page of another site is refused, with the secret too",
    arguments: [
      "http://127.0.0.1:4712", "https://127.0.0.1:4711", "http://localhost:4711", "null",
      "http://evil.example",
    ])
  func wrongOrigin(origin: String) {
    let secret = text(redeem(ticket.token))
    #expect(ask("/", headers: ["origin": origin]).status == 403)
    #expect(ask("/api/scans", headers: ["origin": origin, "x-flatbed-key": secret]).status == 403)
  }

  @Test("a change says where it comes from, or isn't made; other methods are none")
  func methods() {
    let secret = text(redeem(ticket.token))
    #expect(ask("/api/edit", method: "POST", headers: ["x-flatbed-key": secret]).status == 403)
    let shown = own.merging(["x-flatbed-key": secret]) { $1 }
    #expect(ask("/api/edit", method: "POST", headers: shown).status == 200)
    for method in ["OPTIONS", "PUT", "DELETE", "HEAD", "TRACE"] {
      let answer = ask("/api/scans", method: method, headers: shown)
      #expect(answer.status == 405, "\(method)")
    }
  }

  @Test(
    "every answer, refusals too, forbids keeping, framing, guessing and foreign content, and allows no other site"
  )
  func headers() {
    for answer in [ask("/"), ask("/nothing"), ask("/", headers: ["host": "x"]), redeem("0")] {
      #expect(answer.headers["Cache-Control"] == "no-store")
      #expect(answer.headers["X-Frame-Options"] == "DENY")
      #expect(answer.headers["X-Content-Type-Options"] == "nosniff")
      #expect(answer.headers["Cross-Origin-Resource-Policy"] == "same-origin")
      #expect(
        answer.headers["Content-Security-Policy"]?.hasPrefix("default-src 'none'; script-src 'self';") == true
      )
      #expect(!answer.headers.keys.contains { $0.lowercased().hasPrefix("access-control") })
    }
  }
}
