import Foundation
import TestSupport
import Testing

/// `flatbed review` while it runs, and a browser that uses its page.
final class ReviewSession {
  /// What the browser's script answers, and the screenshots it made.
  struct Failed: Error, CustomStringConvertible {
    let description: String
  }

  private let folder: TemporaryFolder
  private let process: Process
  private let program: BuiltProgram
  /// With the token.
  let address: String

  /// Starts the review and waits for its address.
  convenience init(_ place: Workplace, _ arguments: String...) throws {
    try self.init(place, command: ["review", "--no-open"] + arguments)
  }

  /// Starts a command that opens the page, and waits for its address.
  init(_ place: Workplace, command: [String], environment: [String: String] = [:]) throws {
    folder = try TemporaryFolder()
    var program = place.program
    program.environment.merge(environment) { $1 }
    self.program = program
    let process = try program.start(command, capturingIn: folder)
    self.process = process
    let out = folder.url.appendingPathComponent("out")
    var text = ""
    try wait(for: "the review's address") {
      text = String(decoding: try Data(contentsOf: out), as: UTF8.self)
      return text.contains("\n") || !process.isRunning
    }
    address = String(text.prefix { $0 != "\n" })
    guard address.hasPrefix("http") else {
      process.waitUntilExit()
      throw Failed(description: try program.outcome(of: process, in: folder).errors)
    }
  }

  deinit { if process.isRunning { process.terminate() } }

  var port: String { String(address.dropFirst("http://127.0.0.1:".count).prefix { $0 != "/" }) }

  /// Sends it a signal.
  func signal(_ number: Int32) { kill(process.processIdentifier, number) }

  /// Waits for its end.
  func end() throws -> BuiltProgram.Outcome {
    try wait(for: "the review's end") { !self.process.isRunning }
    process.waitUntilExit()
    return try program.outcome(of: process, in: folder)
  }

  /// Has the browser do something; its screenshots become attachments of the test.
  func browse(
    _ scenario: String, _ orders: [String: Any] = [:], sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> JSONValue {
    try Self.browse(scenario, address: address, orders, sourceLocation: sourceLocation)
  }

  static func browse(
    _ scenario: String, address: String, _ orders: [String: Any] = [:],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> JSONValue {
    let folder = try TemporaryFolder()
    let script = Samples.package.appendingPathComponent("Tests/Browser/review.py").path
    let all = orders.merging(["address": address, "pictures": folder.path]) { own, _ in own }
    try JSONSerialization.data(withJSONObject: all).write(to: folder.url.appendingPathComponent("orders"))
    let outcome = try BuiltProgram(workingFolder: folder.url).shell(
      "exec timeout 300 /usr/bin/python3 \"$1\" \"$2\" orders", [script, scenario])
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    where name.hasSuffix(".png") {
      let picture = [UInt8](try Data(contentsOf: folder.url.appendingPathComponent(name)))
      Attachment.record(picture, named: name, sourceLocation: sourceLocation)
    }
    guard outcome.status == 0 else { throw Failed(description: outcome.errors) }
    Attachment.record([UInt8](outcome.output), named: "\(scenario).json", sourceLocation: sourceLocation)
    return try JSONValue(outcome.output)
  }
}
