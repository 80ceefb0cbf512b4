package import Foundation

/// The program as it was built beside the tests.
package struct BuiltProgram: Sendable {
  /// What a run left behind.
  package struct Outcome: Sendable {
    package let status: Int32
    package let output: Data
    package let errors: String

    package var text: String { String(decoding: output, as: UTF8.self) }
    package var lines: [String] { text.split(separator: "\n").map(String.init) }

    /// The output as JSON.
    package func json() throws -> Any { try JSONSerialization.jsonObject(with: output) }
  }

  /// Variables on top of a bare environment in which no library, printer or terminal of the user's is seen.
  package var environment: [String: String]
  package var workingFolder: URL?

  package init(environment: [String: String] = [:], workingFolder: URL? = nil) {
    self.environment = environment
    self.workingFolder = workingFolder
  }

  /// Where the program is: the test bundle is in the same folder.
  ///
  /// FLATBED_TEST_PROGRAM names another, for tests that have to fail with a program that is made wrong on purpose.
  package static var url: URL {
    if let other = ProcessInfo.processInfo.environment["FLATBED_TEST_PROGRAM"] {
      return URL(fileURLWithPath: other)
    }
    return URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
      .appendingPathComponent("flatbed")
  }

  /// Runs the program to its end.
  package func run(_ arguments: [String], input: Data = Data()) throws -> Outcome {
    let folder = try TemporaryFolder()
    let process = try start(arguments, input: input, capturingIn: folder)
    process.waitUntilExit()
    return try outcome(of: process, in: folder)
  }

  /// Runs a line of bash, in which `flatbed` is this program; `arguments` are `$1` and so on.
  package func shell(_ script: String, _ arguments: [String] = []) throws -> Outcome {
    let folder = try TemporaryFolder()
    let process = try start(
      ["-c", script, "bash"] + arguments, of: URL(fileURLWithPath: "/bin/bash"), capturingIn: folder)
    process.waitUntilExit()
    return try outcome(of: process, in: folder)
  }

  /// Starts the program; its output goes to files in `folder`, so that it never waits for a reader.
  package func start(
    _ arguments: [String], of executable: URL = Self.url, input: Data = Data(),
    capturingIn folder: TemporaryFolder
  ) throws -> Process {
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    let programs = Self.url.deletingLastPathComponent().path
    process.environment =
      ["PATH": "\(programs):/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8", "HOME": folder.path]
      .merging(environment) { $1 }
    process.currentDirectoryURL = workingFolder ?? folder.url
    for name in ["out", "err"] {
      try Data().write(to: folder.url.appendingPathComponent(name))
    }
    try input.write(to: folder.url.appendingPathComponent("in"))
    process.standardInput = try FileHandle(forReadingFrom: folder.url.appendingPathComponent("in"))
    process.standardOutput = try FileHandle(forWritingTo: folder.url.appendingPathComponent("out"))
    process.standardError = try FileHandle(forWritingTo: folder.url.appendingPathComponent("err"))
    try process.run()
    return process
  }

  /// What a process that `start` began, and that has ended, left behind.
  package func outcome(of process: Process, in folder: TemporaryFolder) throws -> Outcome {
    let status = process.terminationStatus
    return Outcome(
      status: process.terminationReason == .uncaughtSignal ? 128 + status : status,
      output: try Data(contentsOf: folder.url.appendingPathComponent("out")),
      errors: String(decoding: try Data(contentsOf: folder.url.appendingPathComponent("err")), as: UTF8.self))
  }
}

/// The project's own sample photos.
package enum Samples {
  /// The folder of the package.
  package static let package = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  package static let folder = package.appendingPathComponent("SampleScans")

  package static func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
}
