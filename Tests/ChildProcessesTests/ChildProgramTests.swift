import ChildProcesses
import Foundation
import Glibc
import TestSupport
import Testing

@Suite("Programs that are started")
struct ChildProgramTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// What a line of the shell prints when it is started with an environment, and how it ended.
  private func run(
    _ script: String, environment: [String: String] = [:], isDetached: Bool = false
  ) throws -> (lines: [String], status: Int32) {
    let output = unsafe open(folder.path("output"), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    try #require(output >= 0)
    defer { close(output) }
    let process = try ChildProgram("/bin/sh", ["sh", "-c", script], environment: environment)
      .start([ChildProgram.Stream(output, as: STDOUT_FILENO)], isDetached: isDetached)
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
    let text = try String(contentsOfFile: folder.path("output"), encoding: .utf8)
    return (text.split(separator: "\n").map(String.init), status >> 8 & 0xFF)
  }

  @Test("its environment is the one it was given, without what tells where passphrases are")
  func environment() throws {
    let seen = try run(
      "/usr/bin/env",
      environment: [
        "WORDS": "one two", "FLATBED_LIBRARY": "/there", "FLATBED_PASSPHRASE_FILE": "/secret",
        "FLATBED_PASSPHRASE_COMMAND": "pass show it", "FLATBED_PASSPHRASE": "never",
      ])
    let own = seen.lines.filter { !$0.hasPrefix("PWD=") && !$0.hasPrefix("_=") && !$0.hasPrefix("SHLVL=") }
    #expect(own.sorted() == ["FLATBED_LIBRARY=/there", "WORDS=one two"])
  }

  @Test("of the files open here it has the standard three and no other, whatever they are marked as")
  func files() throws {
    // Not closed on exec, as one that whoever started us left behind.
    let left = unsafe open("/dev/null", O_RDONLY)
    defer { close(left) }
    try #require(left > 2)
    // 'test' is built into the shell, so that nothing else is open.
    let seen = try run("for n in 0 1 2 \(left); do [ -e /proc/self/fd/$n ] && echo $n; done; true")
    #expect(seen.lines == ["0", "1", "2"])
  }

  @Test("no signal is blocked or ignored in it, although we ignore one")
  func signals() throws {
    let before = signal(SIGUSR2, SIG_IGN)
    defer { _ = signal(SIGUSR2, before) }
    let seen = try run("exec grep -E '^Sig(Blk|Ign):' /proc/self/status")
    #expect(seen.lines.count == 2)
    // The C library keeps 32 and 33 for its threads, and ignores them in a new program.
    let own: UInt64 = 0x1_8000_0000
    for line in seen.lines {
      let mask = try #require(UInt64(line.split(separator: "\t")[1], radix: 16))
      #expect(mask & ~own == 0, "\(line)")
    }
  }

  @Test("it is in our session, or in one of its own")
  func session() throws {
    // The sixth field of stat, after a name in brackets that may hold anything but is 'cat' here.
    let script = "exec cat /proc/self/stat"
    let session = { (line: String) in line.split(separator: " ")[5] }
    let ours = try #require(try run(script).lines.first)
    #expect(session(ours) == "\(getsid(0))")
    let own = try #require(try run(script, isDetached: true).lines.first)
    #expect(session(own) == own.prefix { $0 != " " })
  }

  @Test("a program that can't be started is told of by the system's number")
  func missing() throws {
    #expect(throws: ChildProgram.StartError.self) {
      try ChildProgram("/nowhere/program", ["program"], environment: [:]).start([])
    }
    do {
      _ = try ChildProgram(folder.url.path, ["program"], environment: [:]).start([])
      Issue.record("a folder was started")
    } catch {
      #expect(error.code == EACCES)
    }
  }

  @Test("a name is looked for in the folders of PATH, in their order")
  func path() throws {
    for name in ["first", "second"] {
      try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: true)
    }
    let program = folder.path("second/tool")
    try Data("#!/bin/sh\n".utf8).write(to: URL(fileURLWithPath: program))
    try Data().write(to: URL(fileURLWithPath: folder.path("first/tool")))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
    let environment = ["PATH": "\(folder.path("none")):\(folder.path("first")):\(folder.path("second"))"]
    #expect(ChildProgram.path(of: "tool", in: environment) == program)
    #expect(ChildProgram.path(of: "no-such-tool", in: environment) == nil)
    #expect(ChildProgram.path(of: "sh", in: [:]) != nil)
  }
}
