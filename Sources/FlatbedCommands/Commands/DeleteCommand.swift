import CommandLineKit
import ScanLibrary

/// `flatbed delete`: scans, with their photos, into the trash.
struct DeleteCommand: Command {
  static let yes = Flag("yes", short: "y", help: "Don't ask.")

  static let description = CommandDescription(
    name: "delete",
    abstract: "Delete scans, with their photos.",
    discussion: """
      Asks before, on a terminal; a script says --yes. What is deleted can be restored for 30 days with 'flatbed trash restore'; 'flatbed \
      trash empty' removes it for good.
      """,
    examples: [
      Example("flatbed delete 3f2a", "delete one scan, after asking"),
      Example("flatbed delete 3f2a 91c0 --yes", "delete two without asking"),
    ],
    parameters: [ScanReference.several, yes],
    section: "The library",
    synonyms: ["remove", "rm"])

  private let references: [String]
  private let isSure: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    references = arguments[ScanReference.several]
    isSure = arguments[Self.yes]
  }

  func run(in context: CommandContext) async throws -> ExitStatus {
    let library = try LibraryAccess.open(context)
    let reporter = Reporter(context)
    // A damaged scan can be deleted too, by its id. All are found before the first one goes.
    var ids: [ScanID] = []
    for reference in references {
      let id = try inLibrary { () throws(LibraryError) in try library.findID(reference) }
      if !ids.contains(id) { ids.append(id) }
    }
    var deleted: [String] = []
    for id in ids {
      let name = name(of: id, in: library)
      guard try isSure || confirmed("Delete \(name), with its photos?", in: context) else { continue }
      try inLibrary { () throws(LibraryError) in try library.delete(id) }
      deleted.append(id.text)
      reporter.note("deleted \(name); 'flatbed trash restore \(id.short)' brings it back")
    }
    reporter.emit(["deleted": deleted])
    return .success
  }

  private func name(of id: ScanID, in library: Library) -> String {
    do {
      let scan = try library.scan(id)
      return "\(scan.id.short) \(titleText(scan)) (\(counted(scan.pages.count, "page")))"
    } catch {
      return "\(id.short) (\(error))"
    }
  }
}

/// Whether the user says yes.
///
/// - Throws: `Failure` when there is nobody to ask.
func confirmed(_ question: String, in context: CommandContext) throws -> Bool {
  guard context.console.canAsk, !context.arguments[Global.json] else {
    throw Failure(.needsConfirmation, "there is nobody to ask", hints: ["say --yes to do it without asking"])
  }
  guard let answer = context.console.confirm(question) else { throw CancellationError() }
  return answer
}
