import Foundation
import LoopbackServer
import TestSupport
import Testing

/// The server on its port, asked by curl.
@Suite("The server on the loopback address")
struct LoopbackServerTests {
  private let server: LoopbackServer
  private var base: String { "http://127.0.0.1:\(server.port)" }

  init() throws {
    let ticket = EntryTicket(life: 60, now: { 0 })
    let site = LoopbackSite(
      ticket: ticket, pages: ["/": LoopbackResponse(status: 200, text: "the page")], now: { 0 },
      answer: { request in
        LoopbackResponse(
          contentType: "application/octet-stream",
          body: Array("\(request.path) \(request.query.sorted { $0.key < $1.key }) ".utf8) + request.body)
      })
    server = try LoopbackServer(site)
  }

  /// Status and body of an answer.
  private func curl(_ arguments: String...) throws -> (status: Int, body: [UInt8]) {
    let folder = try TemporaryFolder()
    let body = folder.path("body")
    let outcome = try BuiltProgram().shell(
      "curl -s -m 20 -o '\(body)' -w '%{http_code}' \"$@\" || true", arguments)
    let content = FileManager.default.contents(atPath: body) ?? Data()
    return (Int(outcome.text) ?? -1, [UInt8](content))
  }

  private func secret() throws -> String {
    let answer = try curl("-H", "Origin: \(base)", "-d", server.site.ticket.token, base + "/session")
    #expect(answer.status == 200)
    return String(decoding: answer.body, as: UTF8.self)
  }

  @Test("it answers on 127.0.0.1 and on ::1, and on no other address of this machine")
  func addresses() throws {
    #expect(try curl(base + "/").body == Array("the page".utf8))
    let listening = try BuiltProgram().shell(
      "cat /proc/net/tcp /proc/net/tcp6 | awk -v port=:$(printf %04X $1) '$4 == \"0A\" && index($2, port) { print $2 }'",
      ["\(server.port)"])
    let port = String(server.port, radix: 16, uppercase: true)
    let loopback = ["0100007F:" + port, "00000000000000000000000001000000:" + port]
    #expect(!listening.lines.isEmpty)
    for line in listening.lines { #expect(loopback.contains { line.hasSuffix($0) }, "\(line)") }
    if listening.lines.count == 2 {
      #expect(try curl("http://[::1]:\(server.port)/").body == Array("the page".utf8))
    }
  }

  @Test("host and origin are looked at, the secret lets in, and queries and bodies arrive as they were sent")
  func entry() throws {
    #expect(try curl("-H", "Host: evil.example:\(server.port)", base + "/").status == 421)
    #expect(try curl(base + "/api/scans").status == 401)
    let secret = try secret()
    #expect(
      try curl("-H", "Origin: \(base)", "-d", server.site.ticket.token, base + "/session").status == 403)
    let key = "X-Flatbed-Key: \(secret)"
    let answer = try curl(
      "-H", key, "-H", "Origin: \(base)", "--data-binary", "b=1 ü", base + "/api/x?side=%31&name=a%20b")
    #expect(answer.status == 200)
    #expect(
      String(decoding: answer.body, as: UTF8.self)
        == #"/api/x [(key: "name", value: "a b"), (key: "side", value: "1")] b=1 ü"#)
    #expect(try curl("-X", "OPTIONS", "-H", key, base + "/api/x").status == 405)
  }

  @Test("a body, headers or an address that are too large are refused, and the server goes on")
  func limits() throws {
    let secret = try secret()
    let key = "X-Flatbed-Key: \(secret)"
    let folder = try TemporaryFolder()
    for (size, status) in [
      (LoopbackServer.greatestBody, 200), (LoopbackServer.greatestBody + 1, 413), (30_000_000, 413),
    ] {
      try Data(count: size).write(to: folder.url.appendingPathComponent("body"))
      let answer = try curl(
        "-H", key, "-H", "Origin: \(base)", "-H", "Expect:", "--data-binary", "@" + folder.path("body"),
        base + "/api/x")
      #expect(answer.status == status, "\(size)")
    }
    let long = String(repeating: "x", count: 100_000)
    #expect(try curl("-H", key, "-H", "X-Long: \(long)", base + "/api/x").status / 100 != 2)
    #expect(try curl("-H", key, base + "/api/x?long=\(long)").status / 100 != 2)
    #expect(try curl("-H", key, base + "/api/x").status == 200)
  }

  @Test("a slow answer keeps no other waiting, and connections without a word keep nobody out")
  func several() throws {
    let outcome = try BuiltProgram().shell(
      """
      for i in 1 2 3 4 5 6 7 8; do exec {connection}<>/dev/tcp/127.0.0.1/$1; done
      for i in $(seq 20); do curl -s -m 20 http://127.0.0.1:$1/ & done; wait
      """, ["\(server.port)"])
    #expect(outcome.text == String(repeating: "the page", count: 20))
  }

  @Test("once stopped, nobody answers any more")
  func stopped() throws {
    server.stop()
    #expect(try curl(base + "/").status <= 0)
  }

  @Test(
    "the browser's file leads to the address, only its owner can read it, and it goes when it is of no use")
  func redirect() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path)
    var file: RedirectFile? = try RedirectFile(
      to: server.address, environment: ["XDG_RUNTIME_DIR": folder.path])
    let path = try #require(file).path
    #expect(path.hasPrefix(folder.path + "/"))
    #expect(!path.contains(server.site.ticket.token))
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(try String(contentsOfFile: path, encoding: .utf8).contains("url=\(server.address)"))
    file = nil
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test(
    "without a runtime folder of one's own the file is in a new folder that nobody else can enter",
    arguments: [nil, 0o755])
  func redirectElsewhere(permissions: Int?) throws {
    let folder = try TemporaryFolder()
    var environment = ["TMPDIR": folder.path]
    if let permissions {
      try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: folder.path)
      environment["XDG_RUNTIME_DIR"] = folder.path
    }
    var file: RedirectFile? = try RedirectFile(to: server.address, environment: environment)
    let path = try #require(file).path
    let own = URL(fileURLWithPath: path).deletingLastPathComponent()
    #expect(own.path != folder.path)
    #expect(try FileManager.default.attributesOfItem(atPath: own.path)[.posixPermissions] as? Int == 0o700)
    #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
    file = nil
    #expect(!FileManager.default.fileExists(atPath: own.path))
  }
}
