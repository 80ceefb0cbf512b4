import CommandLineKit
import Raster
import ScanLibrary
import ScanPipeline

/// `flatbed rotate`: how pages are turned for reading.
struct RotateCommand: Command {
  static let direction = Argument("DIRECTION", Turning.type, help: "Which way.")

  static let description = CommandDescription(
    name: "rotate",
    abstract: "Turn a scan's pages, or some of them.",
    discussion: "Turns add up: 'right' four times is where it was.",
    examples: [
      Example("flatbed rotate 3f2a left", "all pages a quarter turn counter-clockwise"),
      Example("flatbed rotate 3f2a half --pages 2", "page 2 was photographed upside down"),
    ],
    parameters: [ScanReference.one, direction, PageSelection.option],
    section: "The library",
    synonyms: ["turn"])

  private let reference: String
  private let direction: Turning.Direction
  private let selection: PageSelection?

  init(_ arguments: ParsedArguments) throws(UsageError) {
    reference = arguments[ScanReference.one]
    direction = arguments[Self.direction]
    selection = arguments[PageSelection.option]
  }

  func run(in context: CommandContext) async throws -> ExitStatus {
    try changePages(reference, selection, in: context) { change, pages, _ throws(LibraryError) in
      try change.turnPages(pages.map(\.number), by: direction.turn)
    }
  }
}
