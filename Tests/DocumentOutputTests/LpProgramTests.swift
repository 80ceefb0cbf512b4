import DocumentOutput
import Foundation
import Raster
import TestSupport
import Testing

@Suite("Programs of the print system that behave oddly")
struct LpProgramTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A print system whose programs are shell scripts; those not given are missing.
  private func system(_ scripts: [String: String], silence: Duration = .seconds(30)) throws -> PrintSystem {
    for (name, script) in scripts {
      // Written by another process: were it open here, a child that some other test starts meanwhile would have it open
      // too for a moment, and what is open for writing can't be run.
      let writer = Process()
      writer.executableURL = URL(fileURLWithPath: "/bin/sh")
      writer.arguments = [
        "-c", #"printf '#!/bin/sh\n%s\n' "$2" >"$1" && chmod 755 "$1""#, "sh", folder.path(name), script,
      ]
      try writer.run()
      writer.waitUntilExit()
      try #require(writer.terminationStatus == 0)
    }
    return PrintSystem(
      environment: ["PATH": folder.path, "FOLDER": folder.path],
      limits: PrintTimeLimits(question: silence, silence: silence))
  }

  private static let queue = PrintQueue(destination: "Office", sheet: .a4)

  /// A document of about 3 MB, many times what a socket holds.
  private func document() throws -> PrintDocument {
    var generator = SeededGenerator(seed: 1)
    let samples = (0..<1000 * 1000 * 3).map { _ in UInt8.random(in: 0...255, using: &generator) }
    var document = PrintDocument(sheet: .a4, color: true)
    try document.append(
      Raster(size: PixelSize(width: 1000, height: 1000), format: .rgb, samples: samples))
    return document
  }

  private func send(_ script: String, silence: Duration = .seconds(30), name: String = "Title") throws
    -> PrintJob
  {
    try system(["lp": "PATH=/usr/bin:/bin\n" + script], silence: silence)
      .send(try document(), to: Self.queue, options: PrintOptions(copies: 3, media: "A4", jobName: name))
  }

  @Test("lp gets the whole document by its standard input, and the title as one word")
  func whole() throws {
    let job = try send(
      """
      cat >"$FOLDER/document"
      for word; do printf '%s\\n' "$word"; done >"$FOLDER/words"
      echo "request id is Office-12 (0 file(s))"
      """, name: "-o 'A'; $(reboot)\n/Größe 📄")
    #expect(job.id == "Office-12" && job.destination == "Office" && job.pageCount == 1)
    let sent = try Data(contentsOf: URL(fileURLWithPath: folder.path("document")))
    #expect(sent == Data(try document().finished().joined()))
    let words = try String(contentsOfFile: folder.path("words"), encoding: .utf8).split(separator: "\n")
    let title = try #require(words.firstIndex(of: "-t"))
    #expect(words[title + 1] == "-o 'A'; $(reboot) /Größe 📄")
    let destination = try #require(words.firstIndex(of: "-d"))
    #expect(words[destination + 1] == "Office")
    let copies = try #require(words.firstIndex(of: "-n"))
    #expect(words[copies + 1] == "3")
    #expect(words.contains("media=A4") && words.contains("print-scaling=fit"))
    #expect(!words.contains { $0.contains("landscape") })
  }

  @Test(
    "what lp complains of is told",
    arguments: [
      (
        "cat >/dev/null; echo 'lp: Error - The printer or class does not exist.' >&2; exit 1",
        "lp says: The printer or class does not exist"
      ),
      ("exec 0<&-; echo 'lp: Too tired.' >&2; exit 1", "lp says: Too tired"),
      ("exit 3", "lp failed and did not say why"),
      ("cat >/dev/null", "lp failed and did not say why"),
      ("kill -SEGV $$", "lp says: ended by signal 11"),
    ])
  func complaints(script: String, sentence: String) throws {
    let error = #expect(throws: PrintError.self) { try send(script) }
    #expect(error?.description == sentence)
  }

  @Test("an lp that reads nothing, says nothing and stays is ended")
  func hanging() throws {
    let clock = ContinuousClock()
    let start = clock.now
    #expect(throws: PrintError.timedOut(program: "lp", seconds: 1)) {
      try send("echo $$ >\"$FOLDER/pid\"; exec sleep 600", silence: .seconds(1))
    }
    #expect(clock.now - start < .seconds(20))
    let pid = try String(contentsOfFile: folder.path("pid"), encoding: .utf8)
      .trimmingCharacters(in: .whitespacesAndNewlines)
    #expect(!FileManager.default.fileExists(atPath: "/proc/\(pid)"))
  }

  @Test("an lp that took everything but never answers is ended")
  func unanswering() throws {
    #expect(throws: PrintError.timedOut(program: "lp", seconds: 1)) {
      try send("cat >/dev/null; exec sleep 600", silence: .seconds(1))
    }
  }

  @Test("an lp that reads slowly, but reads, is waited for")
  func slow() throws {
    let job = try send(
      "while [ \"$(head -c 200000 | wc -c)\" -gt 0 ]; do sleep 0.1; done; echo 'request id is Office-1 (0 file(s))'",
      silence: .seconds(5))
    #expect(job.id == "Office-1")
  }

  @Test("megabytes of complaints before the first byte is read block nobody")
  func talkative() throws {
    let job = try send(
      "head -c 5000000 /dev/zero >&2; cat >/dev/null; echo 'request id is Office-1 (0 file(s))'")
    #expect(job.id == "Office-1")
  }

  @Test("something that lp leaves behind with its output open is not waited for")
  func orphan() throws {
    let clock = ContinuousClock()
    let start = clock.now
    let job = try send(
      "cat >/dev/null; sleep 30 & echo $! >\"$FOLDER/pid\"; echo 'request id is Office-2 (0 file(s))'")
    #expect(job.id == "Office-2")
    #expect(clock.now - start < .seconds(25))
    let pid = try String(contentsOfFile: folder.path("pid"), encoding: .utf8)
    _ = Int32(pid.trimmingCharacters(in: .whitespacesAndNewlines)).map { kill($0, SIGKILL) }
  }

  @Test("without the programs, the one that is missing is named, and its package")
  func missing() throws {
    let system = try system([:])
    let error = #expect(throws: PrintError.programMissing("lpstat")) { try system.printers() }
    #expect(
      error?.description
        == "the program lpstat is not installed; it belongs to CUPS (Debian's package cups-client)")
    #expect(throws: PrintError.programMissing("lp")) {
      try system.send(try document(), to: Self.queue, options: PrintOptions())
    }
  }

  @Test("an lpstat that does not answer ends with an error")
  func silentLpstat() throws {
    let system = try system(["lpstat": "exec /bin/sleep 600"], silence: .seconds(1))
    let error = #expect(throws: PrintError.timedOut(program: "lpstat", seconds: 1)) { try system.printers() }
    #expect(
      error?.description == "the print system (CUPS) does not answer: lpstat was ended after 1 seconds")
  }

  @Test("a print system without printers lists none, and can't print")
  func noPrinters() throws {
    let script = """
      case $1 in
      -r) echo 'scheduler is running' ;;
      -d) echo 'no system default destination' ;;
      -e) ;;
      *) echo 'lpstat: No destinations added.' >&2; exit 1 ;;
      esac
      """
    let system = try system(["lpstat": script])
    #expect(try system.printers().isEmpty)
    #expect(throws: PrintError.noPrinter) { try system.queue(for: PrintOptions()) }
  }

  @Test("a network printer that only announces itself can be printed on, as A4 when nothing tells its paper")
  func announced() throws {
    let script = """
      case $1 in
      -r) echo 'scheduler is running' ;;
      -d) echo 'system default destination: Hall/draft' ;;
      -e) echo 'Hall' ;;
      *) echo 'lpstat: No destinations added.' >&2; exit 1 ;;
      esac
      """
    let system = try system([
      "lpstat": script, "lpoptions": "echo 'lpoptions: Unable to get PPD' >&2; exit 1",
    ])
    #expect(
      try system.printers() == [Printer(name: "Hall", isDefault: true, state: .unknown, isAccepting: true)])
    #expect(try system.queue(for: PrintOptions()) == PrintQueue(destination: "Hall/draft", sheet: .a4))
    #expect(
      try system.queue(for: PrintOptions(media: "Letter,Tray2"))
        == PrintQueue(destination: "Hall/draft", sheet: .letter))
  }

  @Test(
    "a job's name is one line, never empty, and not longer than IPP allows",
    arguments: [
      ("", "Scan"), (" \n ", "Scan"), ("a\nb\u{1B}[0m", "a b [0m"),
      (String(repeating: "é", count: 200), String(repeating: "é", count: 127)),
    ])
  func jobNames(title: String, name: String) throws {
    _ = try send(
      """
      cat >/dev/null
      while [ "$1" != -t ]; do shift; done
      printf '%s' "$2" >"$FOLDER/title"
      echo 'request id is Office-1 (0 file(s))'
      """, name: title)
    #expect(try String(contentsOfFile: folder.path("title"), encoding: .utf8) == name)
  }
}
