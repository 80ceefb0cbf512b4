import CommandLineKit
import ImageCodecs
import PageDetection
import Raster
import ScanPipeline

/// `flatbed detect`: finds pages, and says where they are, without a library.
struct DetectCommand: Command {
  static let photos = Argument(
    repeating: "PHOTO", .file, help: "A photo; '-' is the standard input.")

  static let description = CommandDescription(
    name: "detect",
    abstract: "Find the page in photos and print its corners.",
    discussion: """
      Corners are in pixels of the upright photo, clockwise from the one nearest its top-left; the origin is the top-left corner of \
      the first pixel. Nothing is stored. With --json the result is one object with the photos' paths as its keys.
      """,
    examples: [
      Example("flatbed detect receipt.jpg", "where is the page?"),
      Example("flatbed detect --json *.jpg", "the same for scripts"),
    ],
    parameters: [photos, Detecting.all, Reading.all],
    section: "Without a library")

  private let files: [PhotoFile]
  private let reading: DecodeOptions
  private let detection: DetectionOptions

  init(_ arguments: ParsedArguments) throws(UsageError) {
    files = arguments[Self.photos].map(PhotoFile.init)
    reading = Reading.options(arguments, photoCount: files.count)
    detection = try Detecting.options(arguments)
  }

  func run(in context: CommandContext) async throws -> ExitStatus {
    let reporter = Reporter(context)
    var answers: [String: Answer] = [:]
    var done = false
    let bar = context.console.progress("Looking", total: files.count, unit: "photos")
    defer { bar.finish() }
    let (reading, detection) = (reading, detection)
    try await inOrder(files, limits: .ofThisMachine()) { file in
      (file, Result { try Answer(file, reading: reading, detection: detection) })
    } consume: { file, outcome in
      bar.advance()
      switch outcome {
      case .success(let answer):
        done = true
        for warning in answer.warnings { reporter.note("\(file.displayName): \(warning)") }
        answers[file.path] = answer
        reporter.print(answer.text(file))
      case .failure(let error):
        reporter.fail(Failure(path: file.path, error: describable(error)))
      }
    }
    reporter.emit(answers)
    return reporter.status(anythingDone: done)
  }

  /// What is found in a photo.
  private struct Answer: Encodable, Sendable {
    let size: PixelSize
    let result: DetectionResult
    let warnings: [DecodeWarning]

    init(_ file: PhotoFile, reading: DecodeOptions, detection: DetectionOptions) throws {
      let source = try OpenedPhoto(file, options: reading).source
      let image = try source.decode()
      size = image.fullSize
      result = findPage(in: image, options: detection)
      warnings = source.warnings + image.warnings
    }

    func text(_ file: PhotoFile) -> String {
      let name = file.displayName
      if let page = result.page {
        let others = result.otherSheets
        let beside = others == 0 ? "" : ", beside \(counted(others, "other sheet"))"
        return "\(name): \(cornersText(page.quad)) (\(percent(page.confidence)) sure\(beside))"
      }
      return "\(name): no page: \(result.reasons.map(\.description).joined(separator: "; "))"
    }

    private enum Key: String, CodingKey {
      case width, height, corners, confidence, method, reasons, otherSheets, warnings
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(size.width, forKey: .width)
      try container.encode(size.height, forKey: .height)
      try container.encode(result.page.map { CornersJSON(quad: $0.quad) }, forKey: .corners)
      try container.encode(result.page.map { hundredths($0.confidence) } ?? 0, forKey: .confidence)
      try container.encode(result.page?.method.rawValue, forKey: .method)
      try container.encode(result.reasons.map(\.description), forKey: .reasons)
      try container.encode(result.otherSheets, forKey: .otherSheets)
      try container.encode(warnings.map(\.text), forKey: .warnings)
    }
  }
}

/// A share as whole per cent.
func percent(_ share: Double) -> String { "\(Int((share * 100).rounded())) %" }

/// An error of one of our own stages, which all describe themselves.
func describable(_ error: any Error) -> any Error & CustomStringConvertible {
  guard let described = error as? any Error & CustomStringConvertible else {
    return UndescribedError(error: error)
  }
  return described
}

private struct UndescribedError: Error, CustomStringConvertible {
  let error: any Error

  var description: String { "unexpected error: \(error)" }
}
