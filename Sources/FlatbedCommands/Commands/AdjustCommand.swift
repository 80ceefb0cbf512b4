import CommandLineKit
import PageDetection
import PerspectiveCorrection
import Raster
import ScanLibrary
import ScanPipeline

/// `flatbed adjust`: other corners for a page, from the photo that is kept.
struct AdjustCommand: Command {
  static let detect = Flag("detect", help: "Look for the page again.")

  static let description = CommandDescription(
    name: "adjust",
    abstract: "Set the corners of a page by hand, or look for it again.",
    discussion: """
      The page is made afresh from the photo in the library; nothing is lost. Corners are in pixels of the upright photo, in any \
      order, and may lie outside of it. With --paper alone the corners stay, and the page gets another size of paper.
      """,
    examples: [
      Example("flatbed adjust 3f2a --corners 120,80 1900,95 1880,2700 90,2690", "these are the corners"),
      Example("flatbed adjust 3f2a --pages 2 --whole", "page 2 is the whole photo"),
      Example("flatbed adjust 3f2a --detect --min-confidence 0.3", "try again, and be less strict"),
    ],
    parameters: [
      ScanReference.one, PageSelection.option, Outline.corners, Outline.whole, detect, Paper.paper,
      Detecting.all,
    ],
    section: "The library",
    synonyms: ["crop", "corners"])

  private let reference: String
  private let selection: PageSelection?
  /// `nil`: the corners stay as they are.
  private let choice: PageChoice?
  private let detection: DetectionOptions
  private let paper: PaperChoice

  init(_ arguments: ParsedArguments) throws(UsageError) {
    reference = arguments[ScanReference.one]
    selection = arguments[PageSelection.option]
    detection = try Detecting.options(arguments)
    paper = Paper.choice(arguments)
    let outline = try Outline.choice(arguments)
    switch (outline, arguments[Self.detect]) {
    case (.detect, true): choice = .detect
    case (.detect, false):
      choice = nil
      guard arguments.isGiven(Paper.paper) else {
        throw UsageError("one of --corners, --whole, --detect and --paper is needed")
      }
    case (_, true): throw UsageError("--detect doesn't go together with --corners or --whole")
    case (let given, false): choice = given
    }
  }

  func run(in context: CommandContext) async throws -> ExitStatus {
    let library = try LibraryAccess.open(context)
    let scan = try inLibrary { () throws(LibraryError) in try library.find(reference) }
    let pages = try selection.pages(of: scan)
    if case .corners = choice, pages.count > 1 {
      throw UsageError(
        "\(titleText(scan)) has \(pages.count) pages, and corners are those of one",
        suggestion: "name it with --pages", commandPath: context.arguments.commandPath)
    }
    let reporter = Reporter(context)
    let bar = context.console.progress("Flattening", total: pages.count, unit: "pages")
    defer { bar.finish() }
    // Pages are made before the library is locked for the change, and one by one, so that a long scan needs little memory.
    var changed = scan
    for (place, page) in pages {
      try Task.checkCancellation()
      let made = try remake(page, at: place, of: scan, in: library)
      changed = try inLibrary { () throws(LibraryError) in
        try library.change(scan.id) { change throws(LibraryError) in
          try change.replacePage(page.number, by: made)
        }
      }
      bar.advance()
      if choice != nil, made.origin.found == OutlineOrigin.notFound.rawValue {
        reporter.note(
          "page \(place): no page found, the whole photo is kept (\(made.origin.reasons.joined(separator: "; ")))"
        )
      }
    }
    bar.finish()
    reporter.emit(ScanJSON(scan: changed))
    reporter.print(scanLine(changed))
    return .success
  }

  private func remake(
    _ page: PageRecord, at place: Int, of scan: ScanRecord, in library: Library
  ) throws -> RemadePage {
    do {
      return try remakePage(
        page, of: scan, in: library, outline: choice.map(NewOutline.choice) ?? .same, detection: detection,
        correction: CorrectionOptions(paper: paper))
    } catch let error as CorrectionError {
      throw Failure(.pageCorners, subject: scan.id.text, "can't flatten page \(place): \(error)")
    } catch {
      throw Failure(scan: scan, page: place, rendering: error)
    }
  }
}
