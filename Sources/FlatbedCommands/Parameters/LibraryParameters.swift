import CommandLineKit
import Glibc
import LibraryKeys
import ScanLibrary

/// The library that a command works on.
enum LibraryAccess {
  static func path(_ context: CommandContext) throws(Failure) -> String {
    if let path = context.arguments[Global.library] { return path }
    do {
      return try defaultLibraryPath(environment: context.environment)
    } catch {
      throw Failure(library: error)
    }
  }

  /// Says so when another program makes this one wait.
  private static func patience(_ context: CommandContext) -> LockPatience {
    let console = context.console
    return LockPatience { holder in
      console.note("waiting for \(holder.map(printable) ?? "another program") to finish with the library …")
    }
  }

  /// The library, which must be there, with its key if it needs one.
  ///
  /// - Parameters:
  ///   - asks: whether the passphrase may be asked for; completion must not.
  ///   - isListed: whether the first thing that is done with it is listing its scans.
  static func open(
    _ context: CommandContext, asks: Bool = true, isListed: Bool = false
  ) throws -> Library {
    let path = try path(context)
    let door = try inLibrary { () throws(LibraryError) in try Library.door(at: path) }
    return try open(door, context, asks: asks, isListed: isListed)
  }

  static func open(
    _ door: LibraryDoor, _ context: CommandContext, asks: Bool = true, isListed: Bool = false
  ) throws -> Library {
    guard case .passphrase(let slots) = door.protection else {
      return try inLibrary { () throws(LibraryError) in
        try Library.open(at: door.path, isListed: isListed, patience: patience(context))
      }
    }
    ProcessHardening.begin()
    let store = KeyStore(environment: context.environment)
    if let key = store.find(library: door.id.text) {
      do throws(LibraryError) {
        return try Library.open(at: door.path, key: key, patience: patience(context))
      } catch .wrongKey {
        // A key from before the library was rekeyed helps nobody.
        store.drop(library: door.id.text)
      } catch {
        throw Failure(library: error)
      }
    }
    guard asks else { throw Failure(library: .locked(path: door.path)) }
    let key = try withPassphrase(door, context) { passphrase throws(KeyError) in
      try slots.open(passphrase, library: door.id.text)
    }
    return try open(door, key: key, context)
  }

  static func open(_ door: LibraryDoor, key: LibraryKey?, _ context: CommandContext) throws(Failure)
    -> Library
  {
    try inLibrary { () throws(LibraryError) in
      try Library.open(at: door.path, key: key, patience: patience(context))
    }
  }

  /// The passphrase of a library, proved by `use`; on a terminal there are three tries.
  ///
  /// - Parameter isForKeys: whether it is needed for a change of keys, for which being unlocked isn't enough.
  static func withPassphrase<Value>(
    _ door: LibraryDoor, _ context: CommandContext, isForKeys: Bool = false,
    _ use: (Passphrase) throws(KeyError) -> Value
  ) throws -> Value {
    ProcessHardening.begin()
    var tries = 1
    while true {
      do throws(KeyError) {
        guard let passphrase = try PassphraseSource(context).current() else {
          throw KeyError.noPlace
        }
        return try use(passphrase)
      } catch {
        switch error {
        case .noPlace where isForKeys:
          throw Failure(
            .libraryLocked, subject: door.path,
            "the passphrase is needed, also while the library is unlocked, and there is nobody to ask",
            hints: ["scripts give --passphrase-file or FLATBED_PASSPHRASE_COMMAND"])
        case .noPlace: throw Failure(library: .locked(path: door.path))
        // What is typed shorter than any passphrase is a wrong one.
        case .wrongPassphrase, .unfitPassphrase:
          guard PassphraseSource(context).isTerminal, tries < 3 else { throw Failure(key: .wrongPassphrase) }
          context.console.printError("\(context.programName): \(KeyError.wrongPassphrase)")
          tries += 1
        case .system(_, ECANCELED): throw CancellationError()
        default: throw Failure(key: error)
        }
      }
    }
  }

  /// The library, which is made if it isn't there.
  static func openOrCreate(_ context: CommandContext, protection: ProtectionChoice?) throws -> Library {
    let path = try path(context)
    let door: LibraryDoor
    do throws(LibraryError) {
      door = try Library.door(at: path)
    } catch {
      switch error {
      case .noLibrary, .notALibrary(_, holdsOtherFiles: false):
        return try create(at: path, context, protection: protection, recoveryFile: nil)
      default: throw Failure(library: error)
      }
    }
    if let protection, protection.rawValue != door.protection.name {
      throw Failure(
        .libraryUnusable, subject: path,
        "the library (\(printable(path))) is there already, and its protection is \(door.protection.name)")
    }
    return try open(door, context)
  }

  /// Makes a library.
  static func create(
    at path: String, _ context: CommandContext, protection: ProtectionChoice?, recoveryFile: String?
  ) throws -> Library {
    let patience = patience(context)
    if protection == .ownerOnly {
      let library = try inLibrary { () throws(LibraryError) in
        try Library.openOrCreate(at: path, making: .ownerOnly, patience: patience)
      }
      context.console.note(
        "made a library in \(printable(path)): readable by its owner only, not encrypted")
      return library
    }
    ProcessHardening.begin()
    let source = PassphraseSource(context)
    guard let passphrase = try source.new(from: .current) else {
      throw Failure(
        .needsPassphrase, subject: path,
        "the new library (\(printable(path))) needs a passphrase, and there is nobody to ask",
        hints: [
          "give one with --passphrase-file, FLATBED_PASSPHRASE_FILE or FLATBED_PASSPHRASE_COMMAND",
          "or say --protection owner-only for a library that isn't encrypted",
        ])
    }
    let library: Library
    do {
      let recovery = try RecoveryKeyOutput(context, file: recoveryFile).makeAndShow()
      let keys = try NewKeys(passphrase: passphrase, recovery: recovery)
      library = try inLibrary { () throws(LibraryError) in
        try Library.openOrCreate(at: path, making: .passphrase(keys), patience: patience)
      }
      context.console.note("made a protected library in \(printable(path))")
      warnOfLoss(context, hasRecovery: recovery != nil)
    } catch let error as KeyError {
      throw Failure(key: error)
    }
    return library
  }
}

/// Says what is lost with a passphrase, and that there is no second way in when none was asked for.
func warnOfLoss(_ context: CommandContext, hasRecovery: Bool) {
  if hasRecovery {
    context.console.note(
      "whoever loses both the passphrase and the recovery key loses all that is in the library: nobody can help"
    )
  } else {
    context.console.note("whoever loses the passphrase loses all that is in the library: nobody can help")
    context.console.note(
      "no recovery key was made, since there is no terminal to show it on; 'flatbed library recovery-key --recovery-file FILE' "
        + "makes one")
  }
}

/// Does something with the library, and gives its errors their sentences.
func inLibrary<Value>(_ body: () throws(LibraryError) -> Value) throws(Failure) -> Value {
  do {
    return try body()
  } catch {
    throw Failure(library: error)
  }
}

/// Which scans a command is about.
enum ScanReference {
  static let type = ValueType<String>.string("SCAN").completed(by: ["list", "--completions"])
  static let one = Argument("SCAN", type, help: "The start of a scan's id, or its title.")
  static let several = Argument(
    repeating: "SCAN", type, help: "Scans, each by the start of its id or by its title.")
  static let any = Argument(
    repeating: "SCAN", atLeast: 0, type, help: "Scans, each by the start of its id or by its title.")

  /// The scans that are meant, each once.
  static func find(_ references: [String], in library: Library) throws(Failure) -> [ScanRecord] {
    var found: [ScanRecord] = []
    for reference in references {
      let scan = try inLibrary { () throws(LibraryError) in try library.find(reference) }
      if !found.contains(where: { $0.id == scan.id }) { found.append(scan) }
    }
    return found
  }
}
