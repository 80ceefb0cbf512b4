import CommandLineKit
import LibraryKeys
import ScanLibrary

/// `flatbed library rekey`.
struct LibraryRekeyCommand: Command {
  static let description = CommandDescription(
    name: "rekey",
    abstract: "Give the library a new key, and encrypt every file anew.",
    discussion: """
      For when an old passphrase and an old copy of library.json may have got about. What was copied before stays open to them. \
      It may be stopped and run again; the library can be used meanwhile. There is a new recovery key, too.
      """,
    examples: [Example("flatbed library rekey", "asks for the passphrase, which stays the same")],
    parameters: [RecoveryKeyOutput.file])

  private let recoveryFile: String?

  init(_ arguments: ParsedArguments) throws(UsageError) { recoveryFile = arguments[RecoveryKeyOutput.file] }

  func run(in context: CommandContext) async throws -> ExitStatus {
    let (door, slots) = try protectedDoor(context)
    let (key, passphrase) = try LibraryAccess.withPassphrase(door, context, isForKeys: true) {
      passphrase throws(KeyError) in
      (try slots.open(passphrase, library: door.id.text), passphrase)
    }
    let library = try LibraryAccess.open(door, key: key, context)
    // One that was stopped goes on.
    guard !library.isChangingKey else { return try finishSealing(library, context) }
    let new = try begin(library, passphrase, hadRecovery: door.protection.hasRecoveryKey, context)
    if KeyStore(environment: context.environment).drop(library: door.id.text) {
      Reporter(context).note("the library is locked now, since the key that was kept is not its key any more")
    }
    return try finishSealing(try LibraryAccess.open(door, key: new, context), context)
  }

  private func begin(
    _ library: Library, _ passphrase: Passphrase, hadRecovery: Bool, _ context: CommandContext
  ) throws -> LibraryKey {
    do {
      let recovery = try RecoveryKeyOutput(context, file: recoveryFile).makeAndShow()
      if hadRecovery, recovery == nil {
        throw Failure(
          .needsPassphrase, subject: library.path, "there is no terminal to show the new recovery key on",
          hints: ["write it to a file with --recovery-file"])
      }
      let keys = try NewKeys(id: library.id, passphrase: passphrase, recovery: recovery)
      try inLibrary { () throws(LibraryError) in try library.beginSealing(keys) }
      return keys.key
    } catch let error as KeyError {
      throw Failure(key: error)
    }
  }
}

/// `flatbed library protect`.
struct LibraryProtectCommand: Command {
  static let description = CommandDescription(
    name: "protect",
    abstract: "Encrypt a library that isn't.",
    discussion: """
      Every file is encrypted, read back and compared before it takes the place of the open one. It may be stopped and run again; the \
      library can be used meanwhile. A disk, and above all an SSD, may go on holding what was open: only a disk that was encrypted from the \
      start does not. So may backups.
      """,
    examples: [Example("flatbed library protect", "asks for a passphrase, twice")],
    parameters: [RecoveryKeyOutput.file],
    synonyms: ["encrypt"])

  private let recoveryFile: String?

  init(_ arguments: ParsedArguments) throws(UsageError) { recoveryFile = arguments[RecoveryKeyOutput.file] }

  func run(in context: CommandContext) async throws -> ExitStatus {
    let path = try LibraryAccess.path(context)
    let door = try inLibrary { () throws(LibraryError) in try Library.door(at: path) }
    let library = try LibraryAccess.open(door, context)
    guard case .ownerOnly = door.protection else {
      // One that was stopped goes on.
      guard library.isChangingKey else {
        throw Failure(
          .libraryUnusable, subject: path, "the library (\(printable(path))) is protected already")
      }
      return try finishSealing(library, context)
    }
    ProcessHardening.begin()
    guard let passphrase = try PassphraseSource(context).new(from: .current) else {
      throw Failure(
        .needsPassphrase, subject: path, "a passphrase is needed, and there is nobody to ask",
        hints: ["give one with --passphrase-file, FLATBED_PASSPHRASE_FILE or FLATBED_PASSPHRASE_COMMAND"])
    }
    let keys: NewKeys
    do {
      let recovery = try RecoveryKeyOutput(context, file: recoveryFile).makeAndShow()
      keys = try NewKeys(id: library.id, passphrase: passphrase, recovery: recovery)
    } catch let error as KeyError {
      throw Failure(key: error)
    }
    try inLibrary { () throws(LibraryError) in try library.beginSealing(keys) }
    let sealed = try inLibrary { () throws(LibraryError) in try Library.door(at: path) }
    let status = try finishSealing(try LibraryAccess.open(sealed, key: keys.key, context), context)
    warnOfLoss(context, hasRecovery: keys.slots.contains { $0.kind == .recovery })
    Reporter(context).note(
      "the disk, above all an SSD, and old backups may still hold the open files that were there before")
    return status
  }
}

/// Seals what isn't sealed with the library's key yet.
private func finishSealing(_ library: Library, _ context: CommandContext) throws -> ExitStatus {
  let reporter = Reporter(context)
  let bar = context.console.progress("Encrypting", total: 0, unit: "scans")
  defer { bar.finish() }
  var shown = 0
  let findings = try inLibrary { () throws(LibraryError) in
    try library.finishSealing { done, total in
      bar.setTotal(total)
      bar.advance(by: done - shown)
      shown = done
    }
  }
  bar.finish()
  for finding in findings { reporter.print("\(finding.gravity.rawValue): \(printable("\(finding)"))") }
  if findings.isEmpty {
    reporter.note("every file is encrypted with the library's key")
  } else {
    reporter.note(
      "\(counted(findings.count, "file")) can't be read and stay as they are; 'flatbed verify --repair', then run this again"
    )
  }
  reporter.emit(KeyAnswer(library: library))
  return findings.isEmpty ? .success : .library
}
