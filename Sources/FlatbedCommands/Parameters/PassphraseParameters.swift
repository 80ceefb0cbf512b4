import CommandLineKit
import Glibc
import LibraryKeys

/// How a new library is to be protected.
enum ProtectionChoice: String, CaseIterable, Sendable {
  case passphrase
  case ownerOnly = "owner-only"

  static let option = Option(
    "protection",
    .choice(of: ProtectionChoice.self, "HOW") { choice in
      switch choice {
      case .passphrase: "encrypted"
      case .ownerOnly: "readable by you only, not encrypted"
      }
    }, help: "How a library that is made now is to be protected; without it, by a passphrase.")
}

/// Where passphrases come from: a file, a command, or the terminal.
struct PassphraseSource {
  static let newFile = Option(
    "new-passphrase-file", .file,
    help: "A file that only you can read, with the new passphrase in its first line.")

  /// Which passphrase a new one is told by.
  enum Kind {
    /// The same ways as the library's own: it has none yet.
    case current
    /// Ways of its own, since the old one is needed too.
    case changed
  }

  private let context: CommandContext

  init(_ context: CommandContext) { self.context = context }

  private func variable(_ name: String) -> String? {
    context.environment[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  private var file: String? {
    context.arguments[Global.passphraseFile] ?? variable("FLATBED_PASSPHRASE_FILE")
  }
  private var command: String? { variable("FLATBED_PASSPHRASE_COMMAND") }

  private var canAsk: Bool { context.console.canAsk && !context.arguments[Global.json] }

  /// Whether the passphrase would be asked for.
  var isTerminal: Bool { file == nil && command == nil && canAsk }

  /// The library's passphrase, or `nil` when there is nothing to take it from.
  func current() throws(KeyError) -> Passphrase? {
    if let given = try given() { return given }
    guard canAsk else { return nil }
    return try ask("Passphrase of the library: ")
  }

  private func given() throws(KeyError) -> Passphrase? {
    if let file { return try Passphrase(file: file) }
    if let command { return try Passphrase(command: command, environment: context.environment) }
    return nil
  }

  /// A new passphrase, typed twice on a terminal, or `nil` when there is nothing to take it from.
  func new(from kind: Kind) throws -> Passphrase? {
    do {
      switch kind {
      case .current: if let given = try given() { return given }
      case .changed: if let file = context.arguments[Self.newFile] { return try Passphrase(file: file) }
      }
      guard canAsk else { return nil }
      while true {
        do throws(KeyError) {
          let first = try ask("New passphrase (several words are good): ")
          if first.equals(try ask("The same again: ")) { return first }
          context.console.printError("\(context.programName): these are two different ones; once more")
        } catch .unfitPassphrase(let reason) {
          context.console.printError("\(context.programName): the passphrase \(reason); once more")
        }
      }
    } catch {
      if case .system(_, ECANCELED) = error { throw CancellationError() }
      throw Failure(key: error)
    }
  }

  private func ask(_ prompt: String) throws(KeyError) -> Passphrase {
    switch context.console.askSecretBytes(prompt) {
    case .bytes(var bytes): return try Passphrase(taking: &bytes)
    // Ctrl-C, and the end of the input.
    case .none, .cancelled: throw .system(call: "asking", code: ECANCELED)
    }
  }
}

/// Where a recovery key goes: to the terminal, and is checked back, or to a file of the owner's.
struct RecoveryKeyOutput {
  static let file = Option(
    "recovery-file", .file, help: "Write the recovery key to this new file instead of the terminal.")

  private let context: CommandContext
  private let file: String?

  init(_ context: CommandContext, file: String?) {
    self.context = context
    self.file = file
  }

  /// A recovery key that its owner has, or `nil` when there is nowhere to show it.
  func makeAndShow() throws -> RecoveryKey? {
    let key = try RecoveryKey.random()
    var text = try key.text()
    defer { wipe(&text) }
    if let file {
      try write(text + [0x0A], to: file)
      return key
    }
    guard context.console.canAsk, !context.arguments[Global.json] else { return nil }
    let shown = String(decoding: text, as: UTF8.self)
    var prompt = """
      This is the recovery key. It opens the library when the passphrase is lost, and is shown only now:

          \(shown)

      Write it down, keep it where nobody finds it with the machine, and type it here to check it:\u{20}
      """
    while true {
      guard case .bytes(var answer) = context.console.askSecretBytes(prompt) else {
        throw CancellationError()
      }
      defer { wipe(&answer) }
      do throws(KeyError) {
        if try RecoveryKey(reading: answer).equals(key) { return key }
        prompt = "That is another one. Again: "
      } catch {
        prompt = "\(error). Again: "
      }
    }
  }

  private func write(_ text: [UInt8], to path: String) throws(Failure) {
    let file = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw Failure(path: path, code: errno) }
    defer { close(file) }
    guard unsafe Glibc.write(file, text, text.count) == text.count, fsync(file) == 0 else {
      throw Failure(path: path, code: errno)
    }
  }
}
