import CommandLineKit
import Enhancement
import ScanLibrary
import ScanPipeline

/// `flatbed mode`: how a scan's pages look.
struct ModeCommand: Command {
  static let mode = Argument("MODE", Look.modeType, help: "How the pages look.")

  static let description = CommandDescription(
    name: "mode",
    abstract: "Set how a scan, or some of its pages, look.",
    discussion:
      "Nothing is baked in: a mode is applied to the original page each time it is exported or printed.",
    examples: [
      Example("flatbed mode 3f2a bw", "the whole scan in black & white"),
      Example("flatbed mode 3f2a original --pages 2", "the photo on page 2 as it is"),
    ],
    parameters: [ScanReference.one, mode, Look.amount, PageSelection.option],
    section: "The library")

  private let reference: String
  private let mode: EnhancementMode
  private let amount: Double?
  private let selection: PageSelection?

  init(_ arguments: ParsedArguments) throws(UsageError) {
    reference = arguments[ScanReference.one]
    mode = arguments[Self.mode]
    amount = arguments[Look.amount]
    selection = arguments[PageSelection.option]
  }

  func run(in context: CommandContext) async throws -> ExitStatus {
    try changePages(reference, selection, in: context) { change, pages, isWholeScan throws(LibraryError) in
      try change.setMode(mode, amount: amount, pages: isWholeScan ? nil : pages.map(\.number))
    }
  }
}

/// Changes pages of a scan as it is when its turn to be written comes, and shows it.
func changePages(
  _ reference: String, _ selection: PageSelection?, in context: CommandContext,
  _ body: (inout ScanChange, [PageRecord], _ isWholeScan: Bool) throws(LibraryError) -> Void
) throws -> ExitStatus {
  let library = try LibraryAccess.open(context)
  let scan = try inLibrary { () throws(LibraryError) in try library.find(reference) }
  // Places are looked up in what the user has seen; numbers then name the same pages whatever else has moved.
  let pages = try selection.pages(of: scan).map(\.page)
  return try changeScan(scan.id.text, in: context) { change, _ throws(LibraryError) in
    var current: [PageRecord] = []
    for page in pages {
      guard let now = change.record.page(page.number) else {
        throw LibraryError.noSuchPage(scan: scan.id, number: page.number)
      }
      current.append(now)
    }
    try body(&change, current, selection == nil)
  }
}
