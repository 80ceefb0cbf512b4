import CommandLineKit
import DocumentOutput
import Enhancement
import ImageCodecs
import PageDetection
import PerspectiveCorrection
import Raster
import ScanPipeline

/// `flatbed flatten`: one photo in, one PNG out, without a library.
struct FlattenCommand: Command {
  static let photo = Argument("PHOTO", .file, help: "The photo; '-' is the standard input.")
  static let output = Option(
    required: "output", short: "o", .file, help: "The PNG to write; '-' is the standard output.")
  static let force = Flag("force", short: "f", help: "Overwrite the file if it exists.")
  static let strict = Flag("strict", help: "Fail when no page is found, instead of taking the whole photo.")
  static let frame = Option(
    "frame", .integer(1...100_000), help: "Which picture of a file that holds several.", default: 1)
  static let turn = Option("turn", Turning.type, help: "Turn the page.")

  static let description = CommandDescription(
    name: "flatten",
    abstract: "Turn one photo into a flat PNG.",
    discussion: "Nothing is stored in the library.",
    examples: [
      Example("flatbed flatten receipt.jpg -o receipt.png", "find the page, flatten and enhance it"),
      Example("flatbed flatten - -o - --mode bw < a.jpg > a.png", "as part of a pipeline"),
      Example(
        "flatbed flatten a.jpg -o a.png --corners 120,80 1900,95 1880,2700 90,2690", "with known corners"),
    ],
    parameters: [
      photo, output, force, Look.newMode, Look.amount, Paper.paper, turn, Outline.corners, Outline.whole,
      strict,
      frame, Detecting.all, Reading.all,
    ],
    section: "Without a library")

  private let file: PhotoFile
  private let target: String
  private let overwrites: Bool
  private let isStrict: Bool
  private let frame: Int
  private let turn: QuarterTurn
  private let amount: Double
  private let options: PageOptions
  private let reading: DecodeOptions

  init(_ arguments: ParsedArguments) throws(UsageError) {
    file = PhotoFile(path: arguments[Self.photo])
    target = arguments[Self.output]
    overwrites = arguments[Self.force]
    isStrict = arguments[Self.strict]
    frame = arguments[Self.frame] - 1
    turn = arguments[Self.turn]?.turn ?? .none
    amount = arguments[Look.amount] ?? 1
    reading = Reading.options(arguments, photoCount: 1)
    options = try PageOptions(arguments)
  }

  func run(in context: CommandContext) async throws -> ExitStatus {
    let reporter = Reporter(context)
    try checkTarget(context)
    let mode = try Look.newMode(context)
    let (page, warnings) = try makeFlatPage()
    for warning in warnings { reporter.note("\(file.displayName): \(warning)") }
    if isStrict, page.origin == .notFound {
      throw Failure.noPage(in: file, reasons: page.reasons)
    }
    // Turned last, as on the way out of the library, so that both give the same pixels.
    let look = enhance(page.raster, mode: mode, amount: amount).turned(turn)
    let resolution = turn.swapsAxes ? page.resolution?.transposed : page.resolution
    let png = try encodePNG(look, resolution: resolution)
    try Task.checkCancellation()
    if target == "-" {
      try context.console.write(png)
    } else {
      do {
        try ExportFile.write(png, to: target, existing: overwrites ? .replace : .keep)
      } catch {
        throw Failure(path: target, writing: error)
      }
      reporter.emit(Answer(path: target, size: look.size, page: page))
    }
    if page.origin == .notFound {
      reporter.note(notFoundText(file.displayName, reasons: page.reasons))
    }
    if page.otherSheets > 0 {
      reporter.note(otherSheetsText(file.displayName, count: page.otherSheets))
    }
    return .success
  }

  /// Refuses what can't be meant, before any work.
  private func checkTarget(_ context: CommandContext) throws {
    if target == "-" { return try refuseTerminal(context) }
    try refuseOtherFormat(target, context)
    if file.isSameFile(as: target) {
      throw UsageError(
        "the page would take the place of its photo", suggestion: "give the PNG another name",
        commandPath: context.arguments.commandPath)
    }
  }

  private func makeFlatPage() throws(Failure) -> (PreparedPage, [DecodeWarning]) {
    do {
      let source = try OpenedPhoto(file, options: reading).source
      guard frame < source.frameCount else {
        throw Failure(
          .imageSeveralPages, subject: file.path,
          "\(file.displayName) holds \(counted(source.frameCount, "picture")); there is no picture \(frame + 1)"
        )
      }
      let image = try source.decode(frame: frame)
      return (try makePage(from: image, options: options), source.warnings + image.warnings)
    } catch let failure as Failure {
      throw failure
    } catch PhotoFileError.stopped {
      throw .interruption
    } catch {
      throw Failure(path: file.path, error: describable(error))
    }
  }

  /// What was written, for scripts.
  private struct Answer: Encodable {
    let path: String
    let size: PixelSize
    let page: PreparedPage

    private enum Key: String, CodingKey {
      case path, width, height, found, corners, confidence, reasons, otherSheets, paper
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(path, forKey: .path)
      try container.encode(size.width, forKey: .width)
      try container.encode(size.height, forKey: .height)
      try container.encode(page.origin.rawValue, forKey: .found)
      try container.encode(page.quad.map(CornersJSON.init), forKey: .corners)
      try container.encode(page.confidence.map(hundredths), forKey: .confidence)
      try container.encode(page.reasons, forKey: .reasons)
      try container.encode(page.otherSheets, forKey: .otherSheets)
      try container.encode(page.paper?.rawValue, forKey: .paper)
    }
  }
}

/// What to say of a photo in which no page was found.
func notFoundText(_ photo: String, reasons: [String]) -> String {
  "\(photo): no page found, the whole photo is kept (\(reasons.joined(separator: "; ")))"
}

/// What to say of a photo in which other sheets lie beside the page.
func otherSheetsText(_ photo: String, count: Int) -> String {
  count == 1
    ? "\(photo): another sheet lies beside the page and isn't taken; photograph it alone"
    : "\(photo): \(count) other sheets lie beside the page and aren't taken; photograph them alone"
}
