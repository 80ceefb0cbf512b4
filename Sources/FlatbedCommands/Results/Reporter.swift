import CommandLineKit
import FoundationEssentials
import Synchronization

/// How a command tells what happened: results on standard output, the rest on standard error, as text or as JSON.
///
/// It also keeps the gravest thing that failed, which the command ends with.
final class Reporter: Sendable {
  let console: Console
  let isJSON: Bool
  private let failures = Mutex<[Failure]>([])

  init(_ context: CommandContext) {
    console = context.console
    isJSON = context.arguments[Global.json]
  }

  /// Tells a failure, and goes on.
  func fail(_ failure: Failure) {
    failures.withLock { $0.append(failure) }
    show(failure, on: console, asJSON: isJSON)
  }

  /// Something worth knowing, in text mode only: scripts find it in the results.
  func note(_ text: String) {
    if !isJSON { console.note(text) }
  }

  /// A result as text; nothing in JSON mode.
  func print(_ text: String) {
    if !isJSON { console.print(text) }
  }

  /// A result as JSON; nothing in text mode.
  func emit(_ value: some Encodable) {
    if isJSON { console.print(jsonText(value)) }
  }

  /// What the command ends with: success, or the failures' own status when nothing was done in spite of them.
  func status(anythingDone: Bool) -> ExitStatus {
    failures.withLock { failures in
      guard let first = failures.first else { return .success }
      let own = failures.map(\.status).max { $0.gravity < $1.gravity } ?? first.status
      // Output, library and printer faults concern the whole run, whatever was done before.
      return anythingDone && own.isAboutInput ? .someFailed : own
    }
  }
}

extension ExitStatus {
  fileprivate var isAboutInput: Bool { self == .badInput }

  /// Which status wins when several things failed.
  fileprivate var gravity: Int {
    switch self {
    case .badInput: 1
    case .noPage: 2
    case .printer: 3
    case .output: 4
    case .library: 5
    case .locked, .wrongPassphrase: 6
    case .interrupted: 7
    default: 8
    }
  }
}

/// Shows a failure on standard error.
func show(_ failure: Failure, on console: Console, asJSON: Bool) {
  if asJSON {
    console.printError(jsonText(["error": failure]))
  } else {
    console.printFailure(failure.message, hints: failure.hints)
  }
}

/// A value as JSON, laid out to be read, with its keys in alphabetical order so that the same result is the same text.
func jsonText(_ value: some Encodable) -> String {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
  do {
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  } catch {
    // Our own values are plain text and finite numbers, all of which JSON can hold.
    preconditionFailure("a result can't be written as JSON: \(error)")
  }
}
