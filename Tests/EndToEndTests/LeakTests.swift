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
    try place.write("photo.png", try Pictures.photo())
    try place.write("pass", Array("\(Self.words)\n".utf8))
    let made = try place.program.shell(
      """
      chmod 600 pass; flatbed library init --passphrase-file pass --recovery-file recovery &&
      flatbed scan --whole --mode original --title "$1" --passphrase-file pass photo.png && flatbed export "$1" -o out --passphrase-file pass
      flatbed lock
      """, [Self.title])
    #expect(made.status == 0, "\(made.errors)")
    // The key by the second reader's way, and the pixels by our decoder's.
    let key = try place.program.shell(
      """
      /usr/bin/python3 -c "
      import sys; sys.path.insert(0, '$1'); sys.dont_write_bytecode = True
      from read import *
      library = Library('library', recovery=recovery_key(open('recovery').read()))
      sys.stdout.write(list(library.keys.values())[0].hex())"
      """, [Samples.package.appendingPathComponent("Tests/Vectors").path])
    #expect(key.text.count == 64, "\(key.errors)")
    let bytes = stride(from: 0, to: 64, by: 2).compactMap {
      UInt8(key.text.dropFirst($0).prefix(2), radix: 16)
    }
    let raster = try decoded(try place.read("photo.png"))
    for (name, secret) in [
      ("window-photo", try place.read("photo.png")),
      ("window-export", try place.read("out/\(Self.title).png")),
      ("window-rows", raster.samples), ("exact-title", Array(Self.title.utf8)),
      ("exact-name", Array("photo.png".utf8)),
      ("exact-passphrase", Array(Self.words.utf8)), ("exact-key", bytes),
      ("exact-key-text", Array(key.text.utf8)),
      ("exact-png", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A]), ("exact-header", Array("IHDR".utf8)),
    ] {
      try place.write("secrets/" + name, secret)
    }
  }

  /// Runs a line of the shell under strace, and gives what is found.
  private func look(
    _ script: String, allowed: [String] = [], sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> BuiltProgram.Outcome {
    let finder = Samples.package.appendingPathComponent("Tests/Leaks/find.py").path
    let traced = try place.program.shell(
      "strace -f -qq -yy -xx -s 100000000 -e trace=$(/usr/bin/python3 $2 --calls) -o trace bash -c \"$1\" >/dev/null 2>&1",
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
      allowed: ["\(place.folder.path)/there"])
    #expect(found.status == 0, "\(found.text)")
    // Without that being allowed, the same look sees it.
    let seen = try look("flatbed export '\(Self.title)' -o elsewhere --passphrase-file pass")
    #expect(
      seen.status == 1 && seen.text.contains("content in \(place.folder.path)/elsewhere"), "\(seen.text)")
  }

  @Test(
    "a program that leaks is found out",
    arguments: [
      ("cp photo.png leak", "unseen"), ("head -c 4096 photo.png > leak", "content in"),
      ("printf '%s' '\(title)' > leak", "exact-title"),
      ("cat secrets/exact-key | cat > leak", "exact-key"),
      ("tail -c 20000 secrets/window-rows > leak", "content in"),
      ("exec 3<> /dev/tcp/192.0.2.1/9", "a connection to a network"),
    ])
  func leaking(leak: String, found: String) throws {
    let seen = try look(
      "flatbed list --passphrase-file pass >/dev/null; (timeout 1 bash -c \(quotedForShell(leak))) 2>/dev/null; true"
    )
    #expect(seen.status == 1 && seen.text.contains(found), "\(leak): \(seen.text)")
  }

  private func quotedForShell(_ text: String) -> String { "'" + text.replacing("'", with: "'\\''") + "'" }
}
