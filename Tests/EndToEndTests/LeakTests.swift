import Foundation
import ImageCodecs
import Raster
import TestSupport
import Testing

/// Every byte that the program writes is looked at, and every socket that it opens.
@Suite("Nothing of a protected library gets into the open")
struct LeakTests {
  static let title = "Diagnosis of 12 March"
  static let words = "violet anchors 12"
  let place: Workplace
  private let runtime: TemporaryFolder

  init() throws {
    let runtime = try TemporaryFolder()
    self.runtime = runtime
    place = try Workplace(environment: ["XDG_RUNTIME_DIR": runtime.path], withLibrary: false)
    let template = try Self.template.get()
    for name in ["photo.png", "pass", "recovery", "library", "secrets"] {
      try FileManager.default.copyItem(atPath: template.path(name), toPath: place.path(name))
    }
  }

  /// A library with a scan in it, and what must not be in the open, made once: each passphrase costs a second.
  private static let template = Result {
    let place = try Workplace(withLibrary: false)
    try place.write("photo.png", try Pictures.photo())
    try place.write("pass", Array("\(words)\n".utf8))
    let made = try place.program.shell(
      """
      chmod 600 pass; flatbed library init --passphrase-file pass --recovery-file recovery &&
      flatbed scan --whole --mode original --title "$1" --passphrase-file pass photo.png && flatbed export "$1" -o out --passphrase-file pass
      """, [title])
    #expect(made.status == 0, "\(made.errors)")
    // The key by the second reader's way, and the pixels by our decoder's.
    let key = try place.program.shell(
      """
      /usr/bin/python3 -c "
      import sys; sys.path.insert(0, '$1'); sys.dont_write_bytecode = True
      from read import *
      library = Library('library', recovery=recovery_key(open('recovery').read()))
      key = list(library.keys.values())[0]
      print(key.hex(), derive(key, 'flatbed files').hex())"
      """, [Samples.package.appendingPathComponent("Tests/Vectors").path])
    let keys = key.text.split(whereSeparator: \.isWhitespace).map(String.init)
    try #require(keys.map(\.count) == [64, 64], "\(key.errors)")
    func bytes(_ digits: String) -> [UInt8] {
      stride(from: 0, to: 64, by: 2).compactMap { UInt8(digits.dropFirst($0).prefix(2), radix: 16) }
    }
    let raster = try decoded(try place.read("photo.png"))
    for (name, secret) in [
      ("window-photo", try place.read("photo.png")),
      ("window-export", try place.read("out/\(title).png")),
      ("window-rows", raster.samples), ("exact-title", Array(title.utf8)),
      ("exact-name", Array("photo.png".utf8)),
      ("exact-passphrase", Array(words.utf8)), ("exact-key", bytes(keys[0])),
      ("exact-key-text", Array(keys[0].utf8)), ("exact-key-files", bytes(keys[1])),
      ("exact-png", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A]), ("exact-header", Array("IHDR".utf8)),
    ] {
      try place.write("secrets/" + name, secret)
    }
    return place
  }

  /// Runs a line of the shell under strace, and gives what is found.
  private func look(
    _ script: String, allowed: [String] = [], environment: [String: String] = [:],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> BuiltProgram.Outcome {
    let finder = Samples.package.appendingPathComponent("Tests/Leaks/find.py").path
    var program = place.program
    program.environment.merge(environment) { $1 }
    let traced = try program.shell(
      "strace -f -v -qq -yy -xx -s 100000000 -e trace=$(/usr/bin/python3 $2 --calls) -o trace bash -c \"$1\" >/dev/null 2>&1",
      [script, finder])
    #expect(traced.status == 0, "\(traced.text)\(traced.errors)", sourceLocation: sourceLocation)
    return try place.program.shell("/usr/bin/python3 \(finder) trace secrets \"$@\"", allowed)
  }

  @Test("scanning writes nothing plain to any file, and opens no connection")
  func scan() throws {
    let found = try look(
      "flatbed scan --again --title '\(Self.title)' --passphrase-file pass photo.png && "
        + "flatbed adjust '\(Self.title)' --whole --passphrase-file pass 2>/dev/null || true")
    #expect(found.status == 0, "\(found.text)")
    // More than the photo and the page went through the look.
    let looked = Int(found.errors.prefix { $0 != " " }) ?? 0
    #expect(looked > 400_000, "\(found.errors)")
  }

  @Test("unlocking, changing, deleting, rekeying and verifying write nothing plain either")
  func others() throws {
    let found = try look(
      """
      flatbed unlock --passphrase-file pass && flatbed list && flatbed rotate "$(flatbed list | cut -c1-8)" left; flatbed mode "$(flatbed list | cut -c1-8)" bw
      id=$(flatbed list | cut -c1-8); flatbed delete $id --yes; flatbed trash restore $id; flatbed verify --repair
      flatbed lock; flatbed library rekey --passphrase-file pass --recovery-file recovery2
      """,
      // The new recovery key's file is asked for; the key goes to its keeper through a socket, and results to who asked.
      allowed: ["\(place.folder.path)/recovery2", "UNIX", "pipe:"])
    #expect(found.status == 0, "\(found.text)")
  }

  @Test("exporting writes the page to the file that was asked for, and nowhere else")
  func export() throws {
    let found = try look(
      "flatbed export '\(Self.title)' -o there --passphrase-file pass",
      allowed: ["\(place.folder.path)/there", "there/"])
    #expect(found.status == 0, "\(found.text)")
    // Without that being allowed, the same look sees it.
    let seen = try look("flatbed export '\(Self.title)' -o elsewhere --passphrase-file pass")
    #expect(
      seen.status == 1 && seen.text.contains("content in \(place.folder.path)/elsewhere"), "\(seen.text)")
  }

  @Test(
    "printing hands the page to lp, and lp to the print system's local socket; neither writes a file, and the job has no title"
  )
  func printing() throws {
    let printers = try VirtualPrinter.shared().environment.filter { $0.key.hasPrefix("CUPS_") }
    // What is sent to the printer is looked for, too: an lp that keeps it gives it away.
    let kept = try place.program.shell(
      """
      mkdir fake && printf '#!/bin/sh\ncat >printed\necho "request id is pdf-1 (0 file(s))"\n' >fake/lp && chmod 755 fake/lp &&
      CUPS_SERVER=$2 CUPS_SERVERROOT=$3 PATH="$PWD/fake:$PATH" flatbed print "$1" -d pdf --passphrase-file pass
      """, [Self.title, printers["CUPS_SERVER"] ?? "", printers["CUPS_SERVERROOT"] ?? ""])
    #expect(kept.status == 0, "\(kept.errors)")
    try place.write("secrets/window-printed", try place.read("printed"))
    let script = "flatbed print '\(Self.title)' -d pdf --passphrase-file pass"
    let found = try look(script, allowed: ["UNIX", "localhost"], environment: printers)
    #expect(found.status == 0, "\(found.text)")
    // Without that being allowed, the same look sees both ways, and that lpoptions asks the printer what it can do.
    let seen = try look(script, environment: printers)
    let ways = seen.lines.count { $0.hasPrefix("content in UNIX") }
    #expect(seen.status == 1 && ways == 2 && seen.text.contains("a network socket"), "\(seen.text)")
  }

  @Test(
    "a review, also one before anything is stored, is answered on loopback addresses alone, and writes nothing plain to any file"
  )
  func review() throws {
    // The first gives the scan its new title.
    let script = """
      export TMPDIR=$PWD/scratch && mkdir scratch
      flatbed scan --review --no-open --again --title '\(Self.title)' --passphrase-file pass photo.png photo.png >address1 &&
      flatbed review 'Two pages' --no-open --passphrase-file pass >address2
      """
    let path = place.folder.path
    let person = Task.detached {
      for name in ["address1", "address2"] {
        var address = ""
        try wait(for: name, within: .seconds(240)) {
          guard let bytes = FileManager.default.contents(atPath: path + "/" + name) else { return false }
          address = String(decoding: bytes, as: UTF8.self)
          return address.hasSuffix("\n")
        }
        _ = try ReviewSession.browse(
          "pages", address: address.trimmingCharacters(in: .whitespacesAndNewlines))
      }
    }
    let found = try look(script, allowed: ["loopback"])
    #expect(found.status == 0, "\(found.text)")
    let looked = Int(found.errors.prefix { $0 != " " }) ?? 0
    #expect(looked > 1_000_000, "\(found.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: place.path("scratch")) == [])
    // Without that being allowed, the same look sees the sockets, and what is sent to the browser.
    let seen = try place.program.shell(
      "/usr/bin/python3 \(Samples.package.appendingPathComponent("Tests/Leaks/find.py").path) trace secrets")
    #expect(seen.status == 1 && seen.text.contains("a network socket"), "\(seen.text)")
    #expect(seen.text.contains("content in TCP:[127.0.0.1:"), "\(seen.text)")
    withExtendedLifetime(person) {}
  }

  @Test(
    "a server that others can reach, or a socket without an address, is found out even where loopback is allowed",
    arguments: [
      (
        "socket.create_server(('127.0.0.1', 0)); socket.create_server(('::1', 0), family=socket.AF_INET6)", ""
      ),
      ("socket.create_server(('0.0.0.0', 0))", "a network socket for others"),
      ("socket.create_server(('::', 0), family=socket.AF_INET6)", "a network socket for others"),
      ("socket.socket()", "a network socket"),
      ("socket.socket(type=socket.SOCK_DGRAM)", "a network socket"),
      (
        "s = socket.create_server(('127.0.0.1', 0)); socket.create_connection(s.getsockname())",
        "a connection to a network"
      ),
    ])
  func serving(program: String, found: String) throws {
    let seen = try look("/usr/bin/python3 -c \"import socket; \(program)\"", allowed: ["loopback"])
    if found == "" {
      #expect(seen.status == 0, "\(seen.text)")
    } else {
      #expect(seen.status == 1 && seen.text.contains(found), "\(seen.text)")
    }
  }

  @Test(
    "a program that leaks is found out",
    arguments: [
      ("cp photo.png leak", "unseen"), ("head -c 4096 photo.png > leak", "content in"),
      ("printf '%s' '\(title)' > leak", "exact-title"),
      ("cat secrets/exact-key | cat > leak", "exact-key"),
      ("tail -c 20000 secrets/window-rows > leak", "content in"),
      ("exec 3<> /dev/tcp/192.0.2.1/9", "a network socket"),
      ("mkdir '\(title)'", "exact-title in the name of a file"),
      (": > '\(title).png'", "exact-title in the name"),
      ("/bin/true '\(title)'", "exact-title in what /bin/true is started with"),
      ("KEY='\(words)' /bin/true", "exact-passphrase in what /bin/true is started with"),
    ])
  func leaking(leak: String, found: String) throws {
    let seen = try look(
      "flatbed list --passphrase-file pass >/dev/null; (timeout 1 bash -c \(quotedForShell(leak))) 2>/dev/null; true"
    )
    #expect(seen.status == 1 && seen.text.contains(found), "\(leak): \(seen.text)")
  }

  @Test("the leaks that make torture puts into a build still find their places in the sources")
  func patch() throws {
    let tried = try place.program.shell(
      "patch -d \"$1\" -p1 --dry-run --batch <\"$1/Tests/Leaks/leaks.patch\"", [Samples.package.path])
    #expect(tried.status == 0, "\(tried.text)\(tried.errors)")
  }

  private func quotedForShell(_ text: String) -> String { "'" + text.replacing("'", with: "'\\''") + "'" }
}
