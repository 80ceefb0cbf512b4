private import SystemErrors

/// Why a key could not be made, found, kept or used.
package enum KeyError: Error, Sendable, Hashable {
  /// No slot of the library opens with the passphrase.
  case wrongPassphrase
  /// No slot of the library opens with the recovery key.
  case wrongRecoveryKey
  /// What was typed can't be a recovery key.
  case badRecoveryKey(reason: String)
  /// A passphrase that can't be taken.
  case unfitPassphrase(reason: String)
  /// A slot asks for more, or for less, than a program may do.
  case unfitCost(memory: Int, passes: Int)
  /// The key is not the library's, or the sealed state was changed.
  case foreignState
  /// There is not enough memory, which Argon2id needs a lot of.
  case outOfMemory
  /// The file that a passphrase was to come from can't be used.
  case passphraseFile(path: String, reason: String)
  /// The command that a passphrase was to come from failed.
  case passphraseCommand(reason: String)
  /// There is nowhere to keep the key of an unlocked library.
  case noPlace
  /// The system refused a call, with its `errno`.
  case system(call: String, code: Int32)
}

extension KeyError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .wrongPassphrase: "the passphrase is wrong"
    case .wrongRecoveryKey: "this is not the library's recovery key"
    case .badRecoveryKey(let reason): "this is no recovery key: \(reason)"
    case .unfitPassphrase(let reason): "the passphrase \(reason)"
    case .unfitCost(let memory, let passes):
      "library.json asks for \(memory) bytes and \(passes) passes of Argon2id, which is outside of what is allowed"
    case .foreignState: "the key is not the library's, or library.json was changed"
    case .outOfMemory: "there is not enough memory for the key"
    case .passphraseFile(_, let reason): reason
    case .passphraseCommand(let reason): "the passphrase command \(reason)"
    case .noPlace: "there is neither a session keyring nor a XDG_RUNTIME_DIR to keep the key in"
    case .system(let call, let code): "\(call): \(systemErrorText(code))"
    }
  }
}
