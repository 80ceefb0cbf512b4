import Foundation
import Glibc
import LibraryKeys
import TestSupport
import Testing

@Suite("A passphrase")
struct PassphraseTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func file(_ content: String, mode: Int = 0o600) throws -> String {
    let path = folder.path("passphrase")
    try Data(content.utf8).write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    return path
  }

  @Test(
    "in a file is its first line",
    arguments: ["correct horse", "correct horse\n", "correct horse\r\n", "correct horse\nand more\n"])
  func line(_ content: String) throws {
    let read = try Passphrase(file: try file(content))
    #expect(read.equals(try passphrase("correct horse")))
  }

  @Test("in a file that others can read is refused", arguments: [0o640, 0o604, 0o644, 0o620, 0o601])
  func exposed(_ mode: Int) throws {
    let path = try file("correct horse", mode: mode)
    let error = #expect(throws: KeyError.self) { try Passphrase(file: path) }
    #expect(error?.description.contains("others than its owner") == true)
  }

  @Test("from something that isn't a passphrase is refused with a reason")
  func unfit() throws {
    #expect(throws: KeyError.passphraseFile(path: "/nowhere", reason: "no such file or folder")) {
      try Passphrase(file: "/nowhere")
    }
    #expect(throws: KeyError.passphraseFile(path: "/dev/zero", reason: "it is not a regular file")) {
      try Passphrase(file: "/dev/zero")
    }
    #expect(throws: KeyError.passphraseFile(path: folder.path, reason: "it is not a regular file")) {
      try Passphrase(file: folder.path)
    }
    for (content, reason) in [
      ("", "is empty"), ("\nsecond", "is empty"), ("seven77", "is too short: 8 letters are the least"),
      (String(repeating: "x", count: 2000), "is too long"),
    ] {
      #expect(throws: KeyError.unfitPassphrase(reason: reason)) { try Passphrase(file: try file(content)) }
    }
    var broken: [UInt8] = Array("correct ".utf8) + [0xFF]
    #expect(throws: KeyError.unfitPassphrase(reason: "is not UTF-8")) { try Passphrase(taking: &broken) }
    #expect(broken.isEmpty)
  }

  @Test("of a command is what it prints first; it doesn't see where passphrases come from")
  func command() throws {
    let environment = [
      "PATH": "/usr/bin:/bin", "WORDS": "correct horse", "FLATBED_PASSPHRASE_FILE": "/secret",
      "FLATBED_PASSPHRASE_COMMAND": "x",
    ]
    let read = try Passphrase(
      command: "echo \"$WORDS$FLATBED_PASSPHRASE_FILE$FLATBED_PASSPHRASE_COMMAND\"; yes | head -n 9999",
      environment: environment)
    #expect(read.equals(try passphrase("correct horse")))
    for (command, reason) in [
      ("exit 3", "ended with status 3"), ("echo correct horse; exit 1", "ended with status 1"),
      ("kill -9 $$", "was ended by a signal"), ("true", "printed nothing"),
      ("no-such-program", "ended with status 127"),
    ] {
      #expect(throws: KeyError.passphraseCommand(reason: reason), "\(command)") {
        try Passphrase(command: command + " 2>/dev/null", environment: environment)
      }
    }
  }
}
