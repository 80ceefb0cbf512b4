import CommandLineKit
import LibraryKeys
import ScanLibrary

/// `flatbed library init`.
struct LibraryInitCommand: Command {
  static let description = CommandDescription(
    name: "init",
    abstract: "Make a new library.",
    discussion: """
      It is encrypted with a passphrase, which is asked for twice, or taken from --passphrase-file, FLATBED_PASSPHRASE_FILE or \
      FLATBED_PASSPHRASE_COMMAND. A recovery key is shown once, as a second way in; where there is no terminal, none is made unless \
      --recovery-file is given. Whoever loses both loses the library: nobody can help.

      With --protection owner-only it isn't encrypted, and only permissions guard it.
      """,
    examples: [
      Example("flatbed library init", "encrypted; asks for a passphrase"),
      Example("flatbed library init --protection owner-only", "on an encrypted disk, say"),
    ],
    parameters: [ProtectionChoice.option, RecoveryKeyOutput.file],
    synonyms: ["create", "new"])

  private let protection: ProtectionChoice?
  private let recoveryFile: String?

  init(_ arguments: ParsedArguments) throws(UsageError) {
    protection = arguments[ProtectionChoice.option]
    recoveryFile = arguments[RecoveryKeyOutput.file]
    if protection == .ownerOnly, recoveryFile != nil {
      throw UsageError("--recovery-file doesn't go together with --protection owner-only")
    }
  }

  func run(in context: CommandContext) async throws -> ExitStatus {
    let path = try LibraryAccess.path(context)
    do throws(LibraryError) {
      _ = try Library.door(at: path)
      throw .unfit("there is a library already")
    } catch {
      switch error {
      case .noLibrary, .notALibrary(_, holdsOtherFiles: false): break
      case .unfit:
        throw Failure(.libraryUnusable, subject: path, "there is a library already (\(printable(path)))")
      default: throw Failure(library: error)
      }
    }
    let library = try LibraryAccess.create(
      at: path, context, protection: protection, recoveryFile: recoveryFile)
    Reporter(context).emit(KeyAnswer(library: library))
    return .success
  }
}

/// `flatbed library passphrase`.
struct LibraryPassphraseCommand: Command {
  static let description = CommandDescription(
    name: "passphrase",
    abstract: "Change the library's passphrase.",
    discussion: """
      It takes a moment: files stay as they are, since their key does. So an old copy of library.json, with the old passphrase, \
      still opens the library. If both may have got about, use 'flatbed library rekey' after it.
      """,
    examples: [Example("flatbed library passphrase", "asks for the old one, and twice for the new one")],
    parameters: [PassphraseSource.newFile],
    synonyms: ["password"])

  init(_ arguments: ParsedArguments) throws(UsageError) {}

  func run(in context: CommandContext) async throws -> ExitStatus {
    let (door, slots) = try protectedDoor(context)
    let key = try LibraryAccess.withPassphrase(door, context, isForKeys: true) {
      passphrase throws(KeyError) in
      try slots.open(passphrase, library: door.id.text)
    }
    return try setPassphrase(of: door, key: key, context)
  }
}

/// `flatbed library recover`.
struct LibraryRecoverCommand: Command {
  static let file = Option(
    "recovery-file", .file, help: "A file that only you can read, with the recovery key in its first line.")

  static let description = CommandDescription(
    name: "recover",
    abstract: "Set a new passphrase with the recovery key.",
    examples: [Example("flatbed library recover", "asks for the recovery key, and twice for a passphrase")],
    parameters: [file, PassphraseSource.newFile],
    synonyms: ["reset"])

  private let file: String?

  init(_ arguments: ParsedArguments) throws(UsageError) { file = arguments[Self.file] }

  func run(in context: CommandContext) async throws -> ExitStatus {
    let (door, slots) = try protectedDoor(context)
    ProcessHardening.begin()
    let key: LibraryKey
    do {
      key = try slots.open(try recoveryKey(door, context), library: door.id.text)
    } catch let error as KeyError {
      throw Failure(key: error)
    }
    return try setPassphrase(of: door, key: key, context)
  }

  private func recoveryKey(_ door: LibraryDoor, _ context: CommandContext) throws -> RecoveryKey {
    if let file {
      // The file's rules are those of a passphrase's.
      let line = try Passphrase(file: file)
      var text = unsafe line.bytes.read { memory in (0..<line.bytes.count).map { unsafe memory[$0] } }
      defer { wipe(&text) }
      return try RecoveryKey(reading: text)
    }
    guard context.console.canAsk, !context.arguments[Global.json] else {
      throw Failure(
        .libraryLocked, subject: door.path, "the recovery key is needed, and there is nobody to ask",
        hints: ["give it with --recovery-file"])
    }
    guard case .bytes(var answer) = context.console.askSecretBytes("Recovery key: ") else {
      throw CancellationError()
    }
    defer { wipe(&answer) }
    return try RecoveryKey(reading: answer)
  }
}

/// `flatbed library recovery-key`.
struct LibraryRecoveryKeyCommand: Command {
  static let description = CommandDescription(
    name: "recovery-key",
    abstract: "Make a new recovery key, in the place of the one there was.",
    examples: [Example("flatbed library recovery-key", "shows it once, and checks what you wrote down")],
    parameters: [RecoveryKeyOutput.file])

  private let file: String?

  init(_ arguments: ParsedArguments) throws(UsageError) { file = arguments[RecoveryKeyOutput.file] }

  func run(in context: CommandContext) async throws -> ExitStatus {
    let (door, slots) = try protectedDoor(context)
    let key = try LibraryAccess.withPassphrase(door, context, isForKeys: true) {
      passphrase throws(KeyError) in
      try slots.open(passphrase, library: door.id.text)
    }
    let library = try LibraryAccess.open(door, key: key, context)
    guard let recovery = try RecoveryKeyOutput(context, file: file).makeAndShow() else {
      throw Failure(
        .needsPassphrase, subject: door.path, "there is no terminal to show the recovery key on",
        hints: ["write it to a file with --recovery-file"])
    }
    try inLibrary { () throws(LibraryError) in
      try library.changeSlots { slots throws(KeyError) in
        slots.filter { $0.kind != .recovery }
          + [try KeySlot(recovery: recovery, for: key, library: door.id.text)]
      }
    }
    let reporter = Reporter(context)
    reporter.note(
      "the library has a new recovery key; the old one is good for old copies of library.json only")
    reporter.emit(KeyAnswer(library: try LibraryAccess.open(door, key: key, context)))
    return .success
  }
}

/// What commands that change keys answer.
struct KeyAnswer: Encodable {
  let path: String
  let protection: String
  let recoveryKey: Bool

  init(library: Library) {
    path = library.path
    protection = library.protection.name
    recoveryKey = library.protection.hasRecoveryKey
  }
}

/// The library from outside, which must be a protected one.
func protectedDoor(_ context: CommandContext) throws(Failure) -> (door: LibraryDoor, slots: [KeySlot]) {
  let path = try LibraryAccess.path(context)
  let door = try inLibrary { () throws(LibraryError) in try Library.door(at: path) }
  guard case .passphrase(let slots) = door.protection else {
    throw Failure(
      .libraryUnusable, subject: path, "the library (\(printable(path))) has no passphrase",
      hints: ["'flatbed library protect' gives it one"])
  }
  return (door, slots)
}

/// Gives a library another passphrase.
private func setPassphrase(
  of door: LibraryDoor, key: LibraryKey, _ context: CommandContext
) throws -> ExitStatus {
  let library = try LibraryAccess.open(door, key: key, context)
  guard let passphrase = try PassphraseSource(context).new(from: .changed) else {
    throw Failure(
      .needsPassphrase, subject: door.path, "a new passphrase is needed, and there is nobody to ask",
      hints: ["give it with --new-passphrase-file"])
  }
  try inLibrary { () throws(LibraryError) in
    try library.changeSlots { slots throws(KeyError) in
      [try KeySlot(passphrase: passphrase, for: key, library: door.id.text)]
        + slots.filter { $0.kind == .recovery }
    }
  }
  let reporter = Reporter(context)
  reporter.note(
    "the passphrase is changed; an old copy of library.json still opens with the old one ('flatbed library rekey' helps)"
  )
  reporter.emit(KeyAnswer(library: try LibraryAccess.open(door, key: key, context)))
  return .success
}
