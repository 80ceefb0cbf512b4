import CommandLineKit
import ScanLibrary

/// `flatbed trash`: what was deleted, for 30 days.
struct TrashCommand: CommandGroup {
  static let description = CommandDescription(
    name: "trash",
    abstract: "List, restore or remove for good what was deleted.",
    subcommands: [TrashListCommand.self, TrashRestoreCommand.self, TrashEmptyCommand.self],
    section: "The library",
    synonyms: ["undelete", "restore"])
}

/// `flatbed trash list`.
struct TrashListCommand: Command {
  static let description = CommandDescription(
    name: "list",
    abstract: "List what is in the trash.",
    discussion:
      "Deleted scans are kept for \(Library.trashDays) days; the next change of the library after that removes them for good.",
    examples: [Example("flatbed trash list", "ids, when they were deleted, pages and titles")],
    synonyms: ["ls"])

  init(_ arguments: ParsedArguments) throws(UsageError) {}

  func run(in context: CommandContext) async throws -> ExitStatus {
    let reporter = Reporter(context)
    let library = try LibraryAccess.open(context)
    let scans = try inLibrary { () throws(LibraryError) in try library.trashedScans() }
    for scan in scans {
      reporter.print("\(scan.id.short)  \(localText(scan.deletedAt))  \(contentText(scan))")
    }
    if scans.isEmpty { reporter.note("the trash is empty") }
    reporter.emit(scans.map(TrashedJSON.init))
    return .success
  }
}

/// `flatbed trash restore`.
struct TrashRestoreCommand: Command {
  static let description = CommandDescription(
    name: "restore",
    abstract: "Put deleted scans back.",
    examples: [Example("flatbed trash restore 3f2a", "it is in the library again, as it was")],
    parameters: [ScanReference.several])

  private let references: [String]

  init(_ arguments: ParsedArguments) throws(UsageError) { references = arguments[ScanReference.several] }

  func run(in context: CommandContext) async throws -> ExitStatus {
    let reporter = Reporter(context)
    let library = try LibraryAccess.open(context)
    let scans = try trashed(references, in: library)
    for scan in scans {
      try inLibrary { () throws(LibraryError) in try library.restore(scan) }
      reporter.note("restored \(scan.id.short) \(contentText(scan))")
    }
    reporter.emit(scans.map(TrashedJSON.init))
    return .success
  }
}

/// `flatbed trash empty`.
struct TrashEmptyCommand: Command {
  static let scans = Argument(
    repeating: "SCAN", atLeast: 0, .string("SCAN"),
    help: "Deleted scans; without any, all that is in the trash.")

  static let description = CommandDescription(
    name: "empty",
    abstract: "Remove deleted scans for good, with their photos.",
    discussion:
      "Asks before, on a terminal; a script says --yes. The disk, above all an SSD, may go on holding what was there.",
    examples: [
      Example("flatbed trash empty", "everything in the trash, after asking"),
      Example("flatbed trash empty 3f2a --yes", "one scan, without asking"),
    ],
    parameters: [scans, DeleteCommand.yes])

  private let references: [String]
  private let isSure: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    references = arguments[Self.scans]
    isSure = arguments[DeleteCommand.yes]
  }

  func run(in context: CommandContext) async throws -> ExitStatus {
    let reporter = Reporter(context)
    let library = try LibraryAccess.open(context)
    let scans =
      references.isEmpty
      ? try inLibrary { () throws(LibraryError) in try library.trashedScans() }
      : try trashed(references, in: library)
    let question = "Remove \(counted(scans.count, "scan")) for good, with the photos?"
    guard try scans.isEmpty || isSure || confirmed(question, in: context) else { return .success }
    for scan in scans { try inLibrary { () throws(LibraryError) in try library.removeForGood(scan) } }
    reporter.note("\(counted(scans.count, "scan")) removed for good")
    reporter.emit(scans.map(TrashedJSON.init))
    return .success
  }
}

/// A deleted scan for scripts.
private struct TrashedJSON: Encodable {
  let id: String
  let deletedAt: String
  let title: String?
  let pageCount: Int?
  /// Why the two can't be told.
  let damage: String?

  init(_ scan: TrashedScan) {
    id = scan.id.text
    deletedAt = scan.deletedAt.iso8601
    switch scan.record {
    case .success(let record): (title, pageCount, damage) = (record.title, record.pages.count, nil)
    case .failure(let error): (title, pageCount, damage) = (nil, nil, "\(error)")
    }
  }
}

/// What a deleted scan is, or why that can't be told.
private func contentText(_ scan: TrashedScan) -> String {
  switch scan.record {
  case .success(let record): "\(counted(record.pages.count, "page"))  \(titleText(record))"
  case .failure(let error): "\(error)"
  }
}

/// The deleted scans that are meant, by the start of their ids or by their titles.
private func trashed(_ references: [String], in library: Library) throws(Failure) -> [TrashedScan] {
  let all = try inLibrary { () throws(LibraryError) in try library.trashedScans() }
  var found: [TrashedScan] = []
  for reference in references {
    let matches = all.filter { scan in
      let title: String? = if case .success(let record) = scan.record { record.title } else { nil }
      return scan.id.text.hasPrefix(reference.lowercased()) || title == reference
    }
    guard let match = matches.first, !reference.isEmpty else {
      throw Failure(
        .scanNotFound, "there is no scan \(printable(reference)) in the trash",
        hints: ["'flatbed trash list' shows what is there"])
    }
    guard matches.count == 1 else {
      throw Failure(
        .scanAmbiguous, "\(printable(reference)) could be any of \(matches.count) scans in the trash",
        hints: ["give more of the id"])
    }
    if !found.contains(match) { found.append(match) }
  }
  return found
}
