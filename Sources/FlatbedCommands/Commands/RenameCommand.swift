import CommandLineKit
import ScanLibrary

/// `flatbed rename`: another title.
struct RenameCommand: Command {
  static let title = Argument("TITLE", Title.type, help: "The new title.")

  static let description = CommandDescription(
    name: "rename",
    abstract: "Give a scan another title.",
    examples: [Example("flatbed rename 3f2a 'Trip to Bern'", "call it that from now on")],
    parameters: [ScanReference.one, title],
    section: "The library",
    synonyms: ["title", "mv"])

  private let reference: String
  private let title: String

  init(_ arguments: ParsedArguments) throws(UsageError) {
    reference = arguments[ScanReference.one]
    title = arguments[Self.title]
  }

  func run(in context: CommandContext) async throws -> ExitStatus {
    try changeScan(reference, in: context) { change, _ throws(LibraryError) in change.setTitle(title) }
  }
}

/// What a scan may be called.
enum Title {
  /// In bytes; what a file name can hold is cut from it when it is exported.
  private static let longest = 1000

  static let type = ValueType<String>("TITLE") { (text: String) throws(InvalidValue) in
    if text.allSatisfy(\.isWhitespace) { throw InvalidValue("a title can't be empty") }
    if text.utf8.count > longest { throw InvalidValue("a title has at most \(longest) bytes") }
    return text
  }
}

/// Changes one scan, and shows it as it is then.
func changeScan(
  _ reference: String, in context: CommandContext,
  _ body: (inout ScanChange, ScanRecord) throws(LibraryError) -> Void
) throws -> ExitStatus {
  let library = try LibraryAccess.open(context)
  let scan = try inLibrary { () throws(LibraryError) in try library.find(reference) }
  let changed = try inLibrary { () throws(LibraryError) in
    try library.change(scan.id) { change throws(LibraryError) in try body(&change, scan) }
  }
  let reporter = Reporter(context)
  reporter.emit(ScanJSON(scan: changed))
  reporter.print(scanLine(changed))
  return .success
}

/// A scan in a line: its id, its pages, its title.
func scanLine(_ scan: ScanRecord) -> String {
  "\(scan.id.short)  \(counted(scan.pages.count, "page"))  \(titleText(scan))"
}
