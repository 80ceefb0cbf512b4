import CommandLineKit
import ScanLibrary

/// `flatbed library`: the library as a whole.
struct LibraryCommand: CommandGroup {
  static let description = CommandDescription(
    name: "library",
    abstract: "Look after the library as a whole.",
    subcommands: [
      LibraryInitCommand.self, LibraryInfoCommand.self, LibraryBackupCommand.self,
      LibraryPassphraseCommand.self,
      LibraryRecoverCommand.self, LibraryRecoveryKeyCommand.self, LibraryRekeyCommand.self,
      LibraryProtectCommand.self,
    ],
    section: "The library")
}

/// `flatbed library backup`.
struct LibraryBackupCommand: Command {
  static let exclude = Flag("exclude", help: "Ask backup programs to pass the library over.")
  static let include = Flag("include", help: "Take that back.")

  static let description = CommandDescription(
    name: "backup",
    abstract: "Include the library in backups, or exclude it.",
    discussion: """
      A library is included unless you say otherwise: a copy of its folder is a whole backup. Excluding writes a file named .nobackup; \
      backup programs heed it only when they are told to, and the lines for that are printed. Without a flag the lines are printed \
      and nothing is changed.
      """,
    examples: [
      Example("flatbed library backup --exclude", "keep scans out of backups"),
      Example("flatbed library backup --include", "have them in backups again"),
    ],
    parameters: [exclude, include])

  /// `nil` changes nothing.
  private let excludes: Bool?

  init(_ arguments: ParsedArguments) throws(UsageError) {
    switch (arguments[Self.exclude], arguments[Self.include]) {
    case (true, true): throw UsageError("--exclude and --include don't go together")
    case (false, false): excludes = nil
    case (let exclude, _): excludes = exclude
    }
  }

  func run(in context: CommandContext) async throws -> ExitStatus {
    let library = try LibraryAccess.open(context)
    let reporter = Reporter(context)
    if let excludes {
      try inLibrary { () throws(LibraryError) in try library.setBackup(excluded: excludes) }
    }
    let excluded = try inLibrary { () throws(LibraryError) in try library.info() }.isExcludedFromBackup
    if excluded {
      reporter.note("\(printable(library.path)) has a .nobackup file. So that it is heeded, run:")
      for line in Self.lines { reporter.print(line) }
    } else {
      reporter.print("Backups include \(printable(library.path)).")
    }
    reporter.emit(Answer(excluded: excluded, commands: excluded ? Self.lines : []))
    return .success
  }

  private struct Answer: Encodable {
    let excluded: Bool
    let commands: [String]
  }

  /// What makes three usual programs heed the file; for rsync it holds a rule that excludes all beside it.
  private static let lines = [
    "restic backup --exclude-if-present .nobackup …",
    "borg create --exclude-if-present .nobackup …",
    "rsync --filter='dir-merge .nobackup' …",
  ]
}
