private import CSystemMicroHTTPD
private import Glibc

/// Serves a site on a random port of 127.0.0.1 and ::1 until it is stopped, or goes.
///
/// The HTTP is libmicrohttpd's; each connection has a thread, so that a slow answer keeps no other waiting.
package final class LoopbackServer: Sendable {
  package let port: UInt16
  package let site: LoopbackSite
  private let daemons: Daemons

  /// The most bytes a request's body may have: what a page sends is small.
  package static let greatestBody = 64 << 10

  /// Begins to serve.
  ///
  /// - Throws: why no port could be taken, or the library didn't start.
  package init(_ site: LoopbackSite) throws(LoopbackError) {
    self.site = site
    var listener = try LoopbackListener()
    port = listener.port
    daemons = Daemons(desk: RequestDesk(site: site, port: listener.port))
    for socket in listener.release() {
      guard daemons.start(on: socket) else {
        close(socket)
        daemons.stop()
        throw .notStarted
      }
    }
  }

  deinit { daemons.stop() }

  /// The address of a page, with the token that lets in once; the token is in the part that browsers don't send.
  package var address: String { "http://127.0.0.1:\(port)/#\(site.ticket.token)" }

  /// Ends serving: answers that are being made are made and sent.
  package func stop() { daemons.stop() }
}
