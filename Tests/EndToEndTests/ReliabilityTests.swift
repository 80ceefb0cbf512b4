import Foundation
import Glibc
import ScanLibrary
import Raster
import TestSupport
import Testing

/// Whatever is stopped, killed, full or read-only: a scan is in the library whole or not at all.
@Suite("Nothing is lost, and nothing is half done")
struct ReliabilityTests {
  let place: Workplace

  init() throws { place = try Workplace() }

  /// Photos that take the program a moment each; the paths, in order.
  private func photos(_ count: Int) throws -> [String] {
    let photo = try Pictures.photo()
    // A byte behind the end of a PNG makes another file of the same picture.
    return try (1...count).map { number in
      try place.write("in/\(number).png", photo + [UInt8(number & 0xFF), UInt8(number >> 8)])
    }
  }

  private func committed() -> Int {
    (try? FileManager.default.contentsOfDirectory(atPath: place.library + "/scans").count) ?? 0
  }

  // MARK: Signals

  @Test(
    "a signal in a long run ends it with 128 + n; finished scans stay, and nothing else",
    arguments: [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 129)] as [(Int32, Int32)])
  func interrupted(number: Int32, status: Int32) throws {
    _ = try photos(9)
    // The run can't end by itself: its last photo comes by a pipe into which nobody has written yet.
    let last = place.path("last.png")
    #expect(unsafe mkfifo(last, 0o600) == 0)
    let output = try TemporaryFolder()
    try place.removeLibrary()
    let process = try place.program.start(
      ["scan", "--protection", "owner-only", "--separate", place.path("in"), last, place.path("in/9.png")],
      capturingIn: output)
    try wait(for: "the start") {
      FileManager.default.fileExists(atPath: place.library) || !process.isRunning
    }
    kill(process.processIdentifier, number)
    process.waitUntilExit()
    let outcome = try place.program.outcome(of: process, in: output)
    #expect(outcome.status == status, "\(outcome.errors)")
    #expect(outcome.errors.hasSuffix("flatbed: error: stopped by a signal; what was finished is kept\n"))
    #expect(try place.staged() == [])
    try place.expectSound()
  }

  @Test("scans that were told of before Ctrl-C are in the library, and running again does the rest")
  func continued() throws {
    _ = try photos(12)
    let last = place.path("in/13.png")
    let output = try TemporaryFolder()
    try place.write("in/13.png", Array(try Pictures.photo(13)))
    let process = try place.program.start(["scan", "--separate", place.path("in")], capturingIn: output)
    try wait(for: "two scans") { committed() >= 2 || !process.isRunning }
    kill(process.processIdentifier, SIGINT)
    process.waitUntilExit()
    let outcome = try place.program.outcome(of: process, in: output)
    // On a very slow day the signal comes too late to stop anything.
    #expect(outcome.status == 130 || outcome.lines.count == 13, "\(outcome.errors)")
    let told = outcome.lines.map { String($0.prefix { $0 != " " }) }
    #expect(told.count >= 2 && told.count == committed())
    #expect(try place.staged() == [])
    try place.expectSound()
    try place.succeed("scan", "--separate", place.path("in"))
    #expect(try place.titles() == (1...13).map(String.init))
    #expect(FileManager.default.fileExists(atPath: last))
    try place.expectSound()
  }

  @Test(
    "a signal that the starter has it ignore, as nohup does, ends nothing", arguments: ["HUP", "INT", "TERM"])
  func ignored(signal: String) throws {
    try place.write("photo.png", try Pictures.photo())
    // The program has opened the pipe once there is somebody to write to, and then it hears signals.
    let outcome = try place.program.shell(
      """
      trap '' $1; mkfifo pipe; flatbed scan pipe & exec 3> pipe
      kill -$1 $!; cat photo.png >&3; exec 3>&-; wait $!
      """, [signal])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.lines.count == 1)
  }

  @Test("an export that is stopped or killed leaves whole pictures, or none", arguments: [SIGINT, SIGKILL])
  func stoppedExport(number: Int32) throws {
    let photo = try Pictures.photo()
    for copy in 1...30 { try place.write("in/\(copy).png", photo + [UInt8(copy)]) }
    try place.succeed("scan", "--whole", place.path("in"))
    let output = try TemporaryFolder()
    let process = try place.program.start(["export", "in", "-o", place.path("out")], capturingIn: output)
    try wait(for: "two pages") { ((try? place.names(in: "out").count) ?? 0) >= 2 || !process.isRunning }
    kill(process.processIdentifier, number)
    process.waitUntilExit()
    let outcome = try place.program.outcome(of: process, in: output)
    let names = try place.names(in: "out")
    // On a very slow day the signal comes too late to stop anything.
    #expect(outcome.status == 128 + number || names.count == 30, "\(outcome.errors)")
    let whole = try decoded(photo).size
    for name in names {
      #expect(name.hasSuffix(".png") && !name.hasPrefix("."))
      #expect(try decoded(try place.read("out/" + name)).size == whole)
    }
    try place.expectSound()
  }

  @Test("a folder scan that is stopped leaves nothing of itself")
  func stoppedFolder() throws {
    _ = try photos(12)
    let output = try TemporaryFolder()
    let process = try place.program.start(["scan", place.path("in")], capturingIn: output)
    try wait(for: "the first page") { (try? place.staged().isEmpty) == false || !process.isRunning }
    kill(process.processIdentifier, SIGINT)
    process.waitUntilExit()
    let outcome = try place.program.outcome(of: process, in: output)
    #expect(outcome.status == 130 || outcome.lines.count == 1, "\(outcome.errors)")
    #expect(committed() == outcome.lines.count)
    #expect(try place.staged() == [])
    try place.expectSound()
  }

  @Test("killed at any moment the library is sound, and the next writer sweeps what was left")
  func killed() throws {
    _ = try photos(6)
    var generator = SeededGenerator(seed: 11)
    var sawRemains = false
    for round in 1...12 {
      let output = try TemporaryFolder()
      let words = ["scan", "--again"] + (round % 2 == 0 ? ["--separate"] : []) + [place.path("in")]
      let before = committed()
      let process = try place.program.start(words, capturingIn: output)
      // The moment is one of progress, not of time: some files written, or some scans done.
      let files = Int.random(in: 0...14, using: &generator)
      try wait(for: "some files") {
        let staged = try? FileManager.default.subpathsOfDirectory(atPath: place.library + "/staging").count
        return (staged ?? 0) + 3 * (committed() - before) >= files || !process.isRunning
      }
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      if try !place.staged().isEmpty { sawRemains = true }
      // Remains of a crash are strays at most: no scan is damaged.
      let verified = try place.answer("verify")
      #expect(verified["findings"].array.allSatisfy { $0["gravity"].string == "stray" })
    }
    #expect(sawRemains, "no kill came while something was being written")
    let scans = try place.answer("list").array
    #expect(scans.allSatisfy { $0["pageCount"].int == 6 || $0["pageCount"].int == 1 })
    try place.succeed("scan", "--again", "--whole", place.path("in/1.png"))
    #expect(try place.staged() == [])
    try place.expectSound()
  }

  // MARK: Several programs

  @Test("two programs that scan at once both get all of their scans in, under ids of their own")
  func together() throws {
    var processes: [(Process, TemporaryFolder)] = []
    for side in 0..<3 {
      for number in 1...6 {
        try place.write("\(side)/\(side)-\(number).png", try Pictures.png(100 * side + number))
      }
    }
    for side in 0..<3 {
      let output = try TemporaryFolder()
      processes.append(
        (
          try place.program.start(
            ["scan", "--whole", "--separate", place.path("\(side)")], capturingIn: output), output
        ))
    }
    var ids: [String] = []
    for (process, output) in processes {
      process.waitUntilExit()
      let outcome = try place.program.outcome(of: process, in: output)
      #expect(outcome.status == 0, "\(outcome.errors)")
      ids += outcome.lines.map { String($0.prefix { $0 != " " }) }
    }
    #expect(ids.count == 18 && Set(ids).count == 18)
    #expect(try Set(place.titles()) == Set((0..<3).flatMap { side in (1...6).map { "\(side)-\($0)" } }))
    try place.expectSound()
  }

  @Test("a copy of the library's folder is a whole library, whatever its permissions have become")
  func copied() throws {
    let scan = try place.scan("--whole", try place.write("1.png", try Pictures.png(1)))
    let outcome = try place.program.shell("cp -r library copy && chmod -R go+rX copy")
    #expect(outcome.status == 0)
    let copy = ["--library", place.path("copy")]
    let verified = try place.program.run(["verify"] + copy)
    #expect(verified.status == 0)
    #expect(
      !verified.lines.isEmpty && verified.lines.allSatisfy { $0.hasPrefix("exposed: ") }, "\(verified.text)")
    let exported = try place.program.run(["export", scan, "--mode", "original", "-o", "-"] + copy)
    #expect(try decoded(Array(exported.output)) == Pictures.raster(1))
  }

  @Test("changes of one scan by several programs at once all count")
  func changesAtOnce() throws {
    let scan = try place.scan("--whole", try place.write("1.png", try Pictures.png(1)))
    var processes: [(Process, TemporaryFolder)] = []
    for _ in 0..<7 {
      let output = try TemporaryFolder()
      processes.append((try place.program.start(["rotate", scan, "right"], capturingIn: output), output))
    }
    for (process, output) in processes {
      process.waitUntilExit()
      let outcome = try place.program.outcome(of: process, in: output)
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
    #expect(try place.answer("show", scan)["pages"][0]["turn"].int == 7 % 4)
    try place.expectSound()
  }

  // MARK: Places that can't be written

  @Test("a full disk is a sentence, leaves the library as it was, and it still verifies")
  func fullDisk() throws {
    let disk = place.path("disk")
    try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: false)
    // A real one where the system lets us mount it; elsewhere a limit on the size of files does the same to the program.
    let isReal = unsafe mount("tmpfs", disk, "tmpfs", 0, "size=2m") == 0
    defer { if isReal { unsafe umount2(disk, Int32(MNT_DETACH)) } }
    let flatbed = isReal ? "flatbed" : "ulimit -f 64; flatbed"
    let reason =
      isReal ? "no space left on device" : "the file is larger than the file system or a limit allows"
    let paths = try photos(12)
    let first = try place.write("first.png", try Pictures.png(1))
    #expect(
      try place.program.shell("flatbed scan --library disk/library --protection owner-only --whole \(first)")
        .status == 0)
    let outcome = try place.program.shell(
      "\(flatbed) scan --library disk/library --whole --separate \"$@\"", paths)
    #expect(outcome.status == 6)
    #expect(outcome.errors.contains("flatbed: error: can't use the library (disk/library"))
    #expect(outcome.errors.contains("): \(reason)\n"), "\(outcome.errors)")
    let verified = try place.run("verify", "--library", disk + "/library")
    #expect(verified.status == 0 && verified.text == "", "\(verified.text)")
    let scans = try place.answer("--library", disk + "/library", "list").array
    #expect(scans.count == 1 + outcome.lines.count)
    #expect(try FileManager.default.contentsOfDirectory(atPath: disk + "/library/staging") == [])
    // The export that doesn't fit leaves nothing either.
    let exported = try place.program.shell(
      "\(isReal ? "head -c 2m /dev/zero > disk/filler; flatbed" : "ulimit -f 1; flatbed") "
        + "export --library disk/library --all -o disk/out")
    #expect(exported.status == 5, "\(exported.errors)")
    #expect(
      exported.errors.contains(isReal ? ": \(reason)\n" : ": file too large\n"), "\(exported.errors)")
    let left = (try? FileManager.default.contentsOfDirectory(atPath: disk + "/out")) ?? []
    #expect(left == exported.lines.map { String($0.dropFirst("disk/out/".count)) })
    if isReal { #expect(left.isEmpty) }
  }

  @Test("a library that may only be read is listed, verified and exported from, and refuses the rest")
  func readOnly() throws {
    let scan = try place.scan("--whole", try place.write("1.png", try Pictures.png(1)))
    let new = try place.write("2.png", try Pictures.png(2))
    let before = try place.libraryFiles()
    let lock = "find library -type d -exec chmod 500 {} + ; find library -type f -exec chmod 400 {} +; "
    defer { _ = try? place.program.shell("chmod -R u+rwX library") }
    for words in ["list", "show \(scan)", "verify", "library info", "export \(scan) -o out"] {
      let outcome = try place.program.shell(lock + withoutPrivileges + "flatbed \(words)")
      #expect(outcome.status == 0, "\(words): \(outcome.errors)")
    }
    for words in [
      "scan --whole \(new)", "rename \(scan) x", "rotate \(scan) left", "mode \(scan) bw",
      "adjust \(scan) --whole", "pages append \(scan) \(new)", "delete \(scan) --yes",
      "library backup --exclude",
    ] {
      let outcome = try place.program.shell(lock + withoutPrivileges + "flatbed \(words)")
      #expect(outcome.status == 6, "\(words): \(outcome.errors)")
      #expect(outcome.errors.contains("permission denied"), "\(words): \(outcome.errors)")
      #expect(outcome.text == "")
    }
    #expect(try place.libraryFiles() == before)
  }

  @Test("a photo, a folder and a target without permission are sentences with their own statuses")
  func permissions() throws {
    let scan = try place.scan("--whole", try place.write("1.png", try Pictures.png(1)))
    let photo = try place.write("closed/2.png", try Pictures.png(2))
    let photoOutcome = try place.program.shell(
      "chmod 000 closed/2.png; " + withoutPrivileges + "flatbed scan closed/2.png")
    #expect(photoOutcome.status == 3)
    #expect(photoOutcome.errors.contains("can't read closed/2.png: permission denied"))
    let folder = try place.program.shell("chmod 000 closed; " + withoutPrivileges + "flatbed scan closed")
    #expect(folder.status == 3)
    #expect(folder.errors.contains("can't read closed: permission denied"))
    let target = try place.program.shell(
      "mkdir -p out; chmod 500 out; " + withoutPrivileges + "flatbed export \(scan) -o out")
    #expect(target.status == 5)
    #expect(target.errors.contains("can't write out/1.png: permission denied"), "\(target.errors)")
    #expect(try place.names(in: "out") == [])
    let made = try place.program.shell(withoutPrivileges + "flatbed export \(scan) -o out/deeper")
    #expect(made.status == 5)
    _ = try place.program.shell("chmod 700 closed out; chmod 600 closed/2.png")
    #expect(FileManager.default.fileExists(atPath: photo))
  }
}
