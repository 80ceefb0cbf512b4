import Foundation
import TestSupport
import Testing

/// What a program printed and how it ended.
struct Outcome: Sendable, Equatable {
  var output: String
  var errors: String
  var status: Int32

  var lines: [String] { output.split(separator: "\n").map(String.init) }
}

/// Runs a program found on `PATH`; one that isn't there fails the test.
func run(_ words: [String], environment: [String: String] = [:], input: Data = Data()) throws -> Outcome {
  let folder = try TemporaryFolder()
  let files = try ["in", "out", "err"].map { name in
    try #require(
      FileManager.default.createFile(atPath: folder.path(name), contents: name == "in" ? input : nil))
    return URL(fileURLWithPath: folder.path(name))
  }
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = words
  process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
  process.standardInput = try FileHandle(forReadingFrom: files[0])
  process.standardOutput = try FileHandle(forWritingTo: files[1])
  process.standardError = try FileHandle(forWritingTo: files[2])
  try process.run()
  process.waitUntilExit()
  // 127 is what `env` ends with when it doesn't find the program.
  try #require(process.terminationStatus != 127, "\(words[0]) isn't installed; these tests need it")
  return Outcome(
    output: String(decoding: try Data(contentsOf: files[1]), as: UTF8.self),
    errors: String(decoding: try Data(contentsOf: files[2]), as: UTF8.self), status: process.terminationStatus
  )
}

/// A folder with a completion script, a program `baker` that prints candidates, and some files to complete.
struct CompletionFolder {
  let folder: TemporaryFolder
  let script: String

  init(script text: String, name: String) throws {
    folder = try TemporaryFolder()
    script = folder.path(name)
    try text.write(toFile: script, atomically: true, encoding: .utf8)
    // It prints its arguments as a candidate too, so that tests see what it was called with.
    let program = """
      #!/bin/sh
      echo "complaint" >&2
      case "$*" in
      *"shelf list --completion") printf '12\\trye, today\\n13\\twheat: old\\n' ;;
      *) exit 3 ;;
      esac
      case "$*" in *"--shelf "*|*"--shelf="*) printf '14\\t%s\\n' "$*" ;; esac
      """
    try program.write(toFile: folder.path("baker"), atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path("baker"))
    try FileManager.default.createDirectory(atPath: folder.path("trays"), withIntermediateDirectories: false)
    try "".write(toFile: folder.path("rye.txt"), atomically: true, encoding: .utf8)
  }

  var path: String { folder.path }

  /// The environment in which `baker` is found.
  var environment: [String: String] {
    [
      "PATH": folder.path + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"),
      "HOME": folder.path,
    ]
  }
}
