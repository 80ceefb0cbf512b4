import Foundation
import Glibc
import TestSupport
import Testing

/// Protected libraries, through the built program.
@Suite("A protected library, from the command line")
struct ProtectionTests {
  static let words = "violet anchors 12"
  let place: Workplace

  init() throws {
    // A runtime folder of the test's own: nobody else's keeper is asked, and the test's goes with it.
    let runtime = try TemporaryFolder()
    place = try Workplace(environment: ["XDG_RUNTIME_DIR": runtime.path], withLibrary: false)
    self.runtime = runtime
    try file("pass", Self.words)
  }

  private let runtime: TemporaryFolder

  /// A file that only its owner can read.
  @discardableResult
  private func file(_ name: String, _ line: String) throws -> String {
    let path = try place.write(name, Array("\(line)\n".utf8))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    return path
  }

  /// A library with a scan in it, made once: each passphrase costs a second.
  private static let template = Result { try makeTemplate() }

  private static func makeTemplate() throws -> (folder: TemporaryFolder, scan: String) {
    let folder = try TemporaryFolder()
    let program = BuiltProgram(environment: ["FLATBED_LIBRARY": folder.path("library")])
    try Data("\(words)\n".utf8).write(to: folder.url.appendingPathComponent("pass"))
    try Data(try Pictures.png(1)).write(to: folder.url.appendingPathComponent("1.png"))
    let made = try program.shell(
      "cd $1; chmod 600 pass; flatbed library init --passphrase-file pass --recovery-file recovery"
        + " && flatbed scan --whole --mode original --title Diagnosis --passphrase-file pass 1.png",
      [folder.path])
    #expect(made.status == 0, "\(made.errors)")
    return (folder: folder, scan: String(made.text.prefix { $0 != " " }))
  }

  /// A copy of it, locked; gives the start of its scan's id.
  ///
  /// - Parameter isAlone: whether it is no copy. Copies are one library to the kernel's keyrings, so that other tests' `lock` is for all of them.
  private func library(isAlone: Bool = false) throws -> String {
    let (template, scan) = try isAlone ? Self.makeTemplate() : Self.template.get()
    for name in ["library", "recovery"] {
      try FileManager.default.copyItem(atPath: template.path(name), toPath: place.path(name))
    }
    return scan
  }

  private func unlock(_ time: String = "1h") throws {
    try place.succeed("unlock", "--passphrase-file", place.path("pass"), "--for", time)
  }

  private func expectLocked(_ words: String..., sourceLocation: SourceLocation = #_sourceLocation) throws {
    let outcome = try place.program.run(words)
    #expect(outcome.status == 8, "\(words): \(outcome.errors)", sourceLocation: sourceLocation)
    #expect(
      outcome.errors.hasPrefix("flatbed: error: the library is locked ("), sourceLocation: sourceLocation)
    #expect(outcome.text == "", sourceLocation: sourceLocation)
  }

  // MARK: Making one

  @Test("has what it frees overwritten: its own free and realloc stand before the system's")
  func ownAllocator() throws {
    let symbols = try place.program.shell("nm -D --defined-only \"$1\"", [BuiltProgram.url.path]).text
    for name in ["free", "realloc"] { #expect(symbols.contains(" T \(name)\n"), "\(name)") }
  }

  @Test("a new one without a passphrase or a terminal is refused with the choices, and nothing is made")
  func refusal() throws {
    let photo = try place.write("1.png", try Pictures.png(1))
    for words in [["scan", photo], ["library", "init"], ["library", "init", "--protection", "passphrase"]] {
      let outcome = try place.program.run(words)
      #expect(outcome.status == 2)
      for choice in [
        "--passphrase-file", "FLATBED_PASSPHRASE_FILE", "FLATBED_PASSPHRASE_COMMAND",
        "--protection owner-only",
      ] {
        #expect(outcome.errors.contains(choice), "\(outcome.errors)")
      }
      #expect(!FileManager.default.fileExists(atPath: place.library))
    }
    let open = try place.succeed("scan", "--protection", "owner-only", photo)
    #expect(open.errors.contains("readable by its owner only, not encrypted"))
    #expect(
      try place.succeed("library", "info").text.contains(
        "protection  readable by its owner only, not encrypted"))
    // What is there already is what it is.
    #expect(try place.run("scan", "--again", "--protection", "passphrase", photo).status == 6)
  }

  @Test("on a terminal the passphrase is asked for twice, and the recovery key is shown and checked back")
  func terminal() throws {
    // Answers one prompt after the other, the last one with what the terminal has shown.
    try place.write("answers.py", Array(Self.terminalScript.utf8))
    let program = BuiltProgram.url.path
    let outcome = try place.program.shell(
      "/usr/bin/python3 answers.py \(program) library init --library \(place.library)")
    #expect(outcome.status == 0, "\(outcome.text) \(outcome.errors)")
    #expect(outcome.text.contains("these are two different ones"))
    #expect(outcome.text.contains("made a protected library"))
    let shown = try #require(outcome.text.firstMatch(of: /([0-9A-Z]{4}-){8}[0-9A-Z]{4}/)).output.0
    try file("recovery", String(shown))
    #expect(try place.answer("library", "info")["recoveryKey"].bool == true)
    try place.succeed("list", "--passphrase-file", place.path("pass"))
    try file("new", "other anchors 13")
    try place.succeed(
      "library", "recover", "--recovery-file", place.path("recovery"), "--new-passphrase-file",
      place.path("new"))
    #expect(try place.run("list", "--passphrase-file", place.path("pass")).status == 9)
    try place.succeed("list", "--passphrase-file", place.path("new"))
  }

  private static let terminalScript = """
    import os, pty, re, sys
    child, terminal = pty.fork()
    if child == 0:
        os.execv(sys.argv[1], ["flatbed"] + sys.argv[2:])
    seen = b""
    def until(text):
        global seen
        part = b""
        while text not in part:
            try: more = os.read(terminal, 4096)
            except OSError: more = b""
            if not more: sys.exit("no '%s' in %r" % (text.decode(), seen))
            part += more; seen += more
        return part
    def type(text): os.write(terminal, text.encode() + b"\\r")
    until(b"New passphrase"); type("violet anchors 12")
    until(b"The same again: "); type("violet anchors 21")
    until(b"New passphrase"); type("violet anchors 12")
    until(b"The same again: "); type("violet anchors 12")
    key = re.search(rb"([0-9A-Z]{4}-){8}[0-9A-Z]{4}", until(b"type it here to check it: ")).group().decode()
    type("AAAA-" + key[5:])
    until(b"Again: "); type(key.lower().replace("-", " "))
    while True:
        try: more = os.read(terminal, 4096)
        except OSError: more = b""
        if not more: break
        seen += more
    print(seen.decode())
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    """

  @Test(
    "a passphrase comes from a file or a command, by option or by environment; a file that others read is refused"
  )
  func sources() throws {
    _ = try library()
    var program = place.program
    func status(_ variable: String?, _ value: String, _ words: String...) throws -> (Int32, String) {
      program.environment = place.program.environment
      if let variable { program.environment[variable] = value }
      let outcome = try program.run(["list"] + words)
      return (outcome.status, outcome.errors)
    }
    #expect(try status("FLATBED_PASSPHRASE_FILE", place.path("pass")).0 == 0)
    #expect(try status("FLATBED_PASSPHRASE_COMMAND", "echo '\(Self.words)'").0 == 0)
    #expect(try status("FLATBED_PASSPHRASE_COMMAND", "exit 1").0 == 2)
    #expect(try status("FLATBED_PASSPHRASE_FILE", "/nowhere", "--passphrase-file", place.path("pass")).0 == 0)
    #expect(try status(nil, "", "--passphrase-file", "/nowhere").0 == 2)
    try file("wrong", "violet anchors 13")
    let wrong = try status(nil, "", "--passphrase-file", place.path("wrong"))
    #expect(wrong == (9, "flatbed: error: the passphrase is wrong\n"))
    unsafe _ = chmod(place.path("pass"), 0o640)
    let exposed = try status("FLATBED_PASSPHRASE_FILE", place.path("pass"))
    #expect(exposed.0 == 2 && exposed.1.contains("others than its owner may read it"), "\(exposed)")
  }

  // MARK: Locked and unlocked

  @Test(
    "unlocked, commands work without asking; locked, each that needs the content fails with its own status")
  func unlocked() throws {
    let scan = try library()
    let new = try place.write("2.png", try Pictures.png(2))
    for words in [
      ["list"], ["show", scan], ["export", scan, "-o", "-"], ["print", scan], ["rename", scan, "x"],
      ["mode", scan, "bw"],
      ["rotate", scan, "left"], ["adjust", scan, "--whole"], ["pages", "append", scan, new],
      ["delete", scan, "--yes"],
      ["trash", "list"], ["verify"], ["scan", new], ["library", "backup"], ["library", "passphrase"],
      ["library", "rekey"],
      ["unlock"],
    ] {
      let outcome = try place.program.run(words)
      #expect(outcome.status == 8, "\(words): \(outcome.errors)")
      #expect(outcome.text == "", "\(words)")
    }
    let told = try failures(in: try place.run("list", "--json").errors)
    #expect(told.map { $0["code"].string } == ["library.locked"])
    // What is seen from outside is told, and completion says nothing.
    #expect(try place.answer("library", "info")["scans"].int == 1)
    #expect(try place.succeed("library", "info").text.contains("locked"))
    #expect(try place.run("list", "--completions").text == "")

    try unlock()
    #expect(try place.titles() == ["Diagnosis"])
    #expect(try decoded(Array(try place.succeed("export", scan, "-o", "-").output)) == Pictures.raster(1))
    try place.succeed("scan", "--whole", "--title", "Two", new)
    try place.succeed("rotate", "Two", "left")
    try place.succeed("delete", "Two", "--yes")
    try place.expectSound()
    // Keys are changed only with the passphrase.
    for command in ["passphrase", "rekey", "recovery-key"] {
      let outcome = try place.run("library", command)
      #expect(
        outcome.status == 8 && outcome.errors.contains("also while the library is unlocked"),
        "\(outcome.errors)")
    }
    let info = try place.answer("library", "info")
    #expect(
      info["locked"].bool == false && info["protection"].string == "passphrase" && info["pages"].int == 1)

    try place.succeed("lock")
    try expectLocked("list")
    #expect(try place.succeed("lock").errors == "it was locked already\n")
  }

  @Test("a library that is damaged as a whole is no reason to lock it")
  func damagedWhileUnlocked() throws {
    _ = try library()
    try unlock()
    try FileManager.default.moveItem(atPath: place.path("library/scans"), toPath: place.path("scans"))
    let outcome = try place.run("list")
    #expect(
      outcome.status == 6 && outcome.errors.contains("its folder \"scans\" is missing"), "\(outcome.errors)")
    try FileManager.default.moveItem(atPath: place.path("scans"), toPath: place.path("library/scans"))
    #expect(try place.titles() == ["Diagnosis"])
  }

  @Test("it locks by itself when the time is over, and when the runtime folder goes as at log-out")
  func expiry() throws {
    _ = try library()
    try unlock("1s")
    try wait(for: "the time to be over") { try place.run("list").status == 8 }
    try unlock()
    try place.succeed("list")
    try FileManager.default.removeItem(atPath: runtime.path("flatbed"))
    try expectLocked("list")
    try wait(for: "the keeper's end") { try keepers() == "" }
  }

  /// The numbers of the processes that keep a key for this test.
  private func keepers() throws -> String {
    try place.program.shell("pgrep -f 'keep-ke[y] \(runtime.path)'").text
  }

  @Test("a wrong passphrase unlocks nothing and leaves no key behind")
  func failedUnlock() throws {
    _ = try library()
    try file("wrong", "violet anchors 13")
    #expect(try place.run("unlock", "--passphrase-file", place.path("wrong")).status == 9)
    try expectLocked("list")
    #expect(try keepers() == "")
    #expect(!FileManager.default.fileExists(atPath: runtime.path("flatbed")))
  }

  @Test(
    "the keeper's socket is its owner's alone, its memory can't be read or dumped, and it answers only its user"
  )
  func keeper() throws {
    _ = try library()
    try unlock()
    let names = try FileManager.default.contentsOfDirectory(atPath: runtime.path("flatbed"))
    let socket = runtime.path("flatbed/" + (try #require(names.first)))
    #expect(names.count == 1)
    for (path, mode) in [(runtime.path("flatbed"), 0o700), (socket, 0o600)] {
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect(attributes[.posixPermissions] as? Int == mode)
    }
    let process = try keepers().split(separator: "\n").map(String.init)
    try #require(process.count == 1)
    let status = try String(contentsOfFile: "/proc/\(process[0])/status", encoding: .utf8)
    #expect(status.firstMatch(of: /VmLck:\s+[1-9]/) != nil, "no memory is locked")
    let limits = try String(contentsOfFile: "/proc/\(process[0])/limits", encoding: .utf8)
    #expect(limits.firstMatch(of: /Max core file size\s+0\s+0/) != nil)
    // Neither the key nor the passphrase is in what everybody can see of it.
    let visible = try Data(contentsOf: URL(fileURLWithPath: "/proc/\(process[0])/cmdline"))
    #expect(String(decoding: visible, as: UTF8.self).hasPrefix("flatbed\0keep-key\0\(socket)\0"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: "/proc/\(process[0])/environ")).isEmpty)
    if geteuid() == 0 {
      // Someone else gets nothing, even if the folders let him through.
      let outcome = try place.program.shell(
        """
        chmod 711 \(runtime.path) && chmod 711 \(runtime.path)/flatbed && chmod 666 \(socket)
        setpriv --reuid=65534 --clear-groups /usr/bin/python3 -c '
        import socket
        s = socket.socket(socket.AF_UNIX); s.connect("\(socket)")
        try: s.send(b"g"); print(len(s.recv(64)))
        except (BrokenPipeError, ConnectionResetError): print(0)'
        """)
      #expect(outcome.text == "0\n", "\(outcome.text) \(outcome.errors)")
    }
    try place.succeed("list")
  }

  @Test(
    "a session keyring is used where there is one, without a process; lock revokes the key in every session")
  func keyring() throws {
    let scan = try library(isAlone: true)
    let script = """
      flatbed unlock -q --passphrase-file pass --for 1h && flatbed list && pgrep -f 'keep-ke[y] \(runtime.path)'
      cat /proc/keys | grep -c "user *flatbed:" ; keyctl session - flatbed lock ; flatbed list; echo status $?
      """
    let outcome = try place.program.shell("keyctl session - bash -c \"$1\"", [script])
    #expect(outcome.lines.first?.hasPrefix(scan) == true, "\(outcome.text)\(outcome.errors)")
    #expect(outcome.lines.count == 3 && outcome.lines.last == "status 8", "\(outcome.text)\(outcome.errors)")
    let timed = try place.program.shell(
      "keyctl session - bash -c \"$1\"",
      ["flatbed unlock -q --passphrase-file pass --for 1s && sleep 1.5; flatbed list; echo status $?"])
    #expect(timed.lines.last == "status 8", "\(timed.text)\(timed.errors)")
  }

  // MARK: Changing keys

  @Test("passphrase, recover, recovery-key and rekey open to the new, and no more to the old")
  func changes() throws {
    _ = try library()
    let header = try place.read("library/library.json")
    try file("new", "other anchors 13")
    let oldWay = ["--passphrase-file", place.path("pass")]
    let newWay = ["--passphrase-file", place.path("new")]
    func status(_ words: [String]) throws -> Int32 { try place.program.run(words).status }
    #expect(try status(["library", "passphrase", "--new-passphrase-file", place.path("new")] + oldWay) == 0)
    #expect(try status(["list"] + oldWay) == 9)
    #expect(try status(["verify"] + newWay) == 0)
    let recover = ["library", "recover", "--recovery-file", place.path("recovery"), "--new-passphrase-file"]
    #expect(try status(recover + [place.path("pass")]) == 0)
    #expect(try status(["list"] + newWay) == 9)
    #expect(
      try status(["library", "recovery-key", "--recovery-file", place.path("recovery2")] + oldWay) == 0)
    #expect(try status(recover + [place.path("new")]) == 9)
    let unlocked = try place.program.run(["unlock"] + oldWay)
    #expect(unlocked.status == 0)
    #expect(try status(["library", "rekey"] + oldWay) == 2)
    #expect(try status(["library", "rekey", "--recovery-file", place.path("recovery3")] + oldWay) == 0)
    // The key that was kept is none any more.
    try expectLocked("list")
    #expect(try status(["verify"] + oldWay) == 0)
    // The header from before opens with its passphrase, and nothing that was sealed since.
    try place.write("library/library.json", header)
    try place.write("library/library.json.copy", header)
    let stale = try place.program.run(["verify"] + oldWay)
    #expect(
      stale.status == 6 && stale.text.contains("is sealed with a key that is not the library's"),
      "\(stale.text)")
  }

  @Test("protect makes a protected library of an open one")
  func protect() throws {
    try place.succeed("library", "init", "--protection", "owner-only")
    let scan = try place.scan(
      "--whole", "--title", "Diagnosis", try place.write("1.png", try Pictures.png(1)))
    #expect(try place.run("library", "protect").status == 2)
    let done = try place.succeed("library", "protect", "--passphrase-file", place.path("pass"))
    #expect(done.errors.contains("SSD"))
    try expectLocked("list")
    #expect(try place.succeed("list", "--passphrase-file", place.path("pass")).text.hasPrefix(scan))
    #expect(try place.succeed("verify", "--passphrase-file", place.path("pass")).text == "")
    #expect(try place.run("library", "protect", "--passphrase-file", place.path("pass")).status == 6)
    for name in try place.libraryFiles().keys where name.hasPrefix("scans/") {
      #expect(try place.read("library/" + name).starts(with: Array("FLATBED".utf8)), "\(name)")
    }
  }

  @Test("a copy of the folder is a whole and still protected library; a copy of a converted one too")
  func copied() throws {
    _ = try library()
    #expect(try place.program.shell("cp -a library copy").status == 0)
    #expect(try place.run("list", "--library", place.path("copy")).status == 8)
    let words = ["verify", "--library", place.path("copy"), "--passphrase-file", place.path("pass")]
    #expect(try place.program.run(words).status == 0)
  }

  // MARK: Speed

  @Test("a command starts in well under 50 ms beyond what it does, and unlocking takes about a second")
  func speed() throws {
    _ = try library()
    let clock = ContinuousClock()
    let unlocking = try clock.measure { try unlock() }
    #expect(unlocking < .seconds(15))
    var best = Duration.seconds(100)
    for _ in 0..<10 { best = min(best, try clock.measure { try place.succeed("list") }) }
    // The machine may be busy: a second's work for the passphrase would show all the same.
    #expect(best < .milliseconds(250), "\(best)")
  }
}
