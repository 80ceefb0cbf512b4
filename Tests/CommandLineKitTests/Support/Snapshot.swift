import Foundation
import Testing

/// Compares a text with the recorded file of this name in `Snapshots` beside the test.
///
/// With `RECORD_SNAPSHOTS=1` in the environment the file is written anew, and the test fails so that no run that records can pass.
func expectSnapshot(
  _ text: String, _ name: String, filePath: String = #filePath,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let folder = URL(fileURLWithPath: filePath).deletingLastPathComponent().appendingPathComponent(
    "Snapshots", isDirectory: true)
  let file = folder.appendingPathComponent(name)
  let actual = text.hasSuffix("\n") ? text : text + "\n"
  if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == "1" {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(actual.utf8).write(to: file)
    Issue.record(
      "recorded \(name); look at it, and run again without RECORD_SNAPSHOTS", sourceLocation: sourceLocation)
    return
  }
  guard let data = FileManager.default.contents(atPath: file.path) else {
    Issue.record("there is no \(name); record it with RECORD_SNAPSHOTS=1", sourceLocation: sourceLocation)
    return
  }
  let expected = String(decoding: data, as: UTF8.self)
  guard expected != actual else { return }
  let pairs = zip(lines(expected), lines(actual))
  let number = pairs.prefix { $0 == $1 }.count
  let difference = Array(pairs).dropFirst(number).first
  Issue.record(
    """
    \(name) differs in line \(number + 1):
    recorded: \(difference?.0 ?? "(ends)")
    now:      \(difference?.1 ?? "(ends)")
    """, sourceLocation: sourceLocation)
}

private func lines(_ text: String) -> [Substring] {
  text.split(separator: "\n", omittingEmptySubsequences: false)
}
