import CommandLineKit
import DocumentOutput
import Enhancement
import Glibc
import ImageCodecs
import Raster
import ScanLibrary
import ScanPipeline

/// `flatbed export`: PNGs of scans.
struct ExportCommand: Command {
  static let all = Flag("all", short: "a", help: "Every scan of the library.")
  static let output = Option(
    "output", short: "o", .path("DIR|FILE|-", completion: .file),
    help: """
      The folder to write to; it is made if it isn't there. For a single page also the name of a PNG, or '-' for the standard output.
      """, default: ".")
  static let bits = Option(
    "bits",
    .choice(
      "N",
      [
        Choice("8", help: "all levels"),
        Choice("1", help: "black or white and nothing between: the smallest files, best with --mode bw"),
      ]),
    help: "How many bits a sample of the PNG takes.", default: "8")
  static let force = Flag("force", short: "f", help: "Overwrite files that exist.")

  static let description = CommandDescription(
    name: "export",
    abstract: "Write the pages of scans as PNGs.",
    discussion: """
      A PNG a page, named after the scan's title and the page. --mode and --amount are for this export only. Exported files carry no EXIF, \
      no place and no device: they hold pixels and their resolution. They are plain files, which anybody who can read the folder can see.
      """,
    examples: [
      Example("flatbed export 3f2a -o out/", "all pages of a scan"),
      Example("flatbed export 3f2a --pages 2 -o - | feh -", "one page, to another program"),
      Example("flatbed export --all -o out/ --mode bw", "the whole library, in black & white"),
      Example("flatbed export 3f2a --mode bw --bits 1", "as small as can be"),
    ],
    parameters: [ScanReference.any, all, output, PageSelection.option, Look.mode, Look.amount, bits, force],
    section: "Out of the library",
    synonyms: ["save"])

  private let references: [String]
  private let exportsAll: Bool
  private let target: String
  private let selection: PageSelection?
  private let override: LookOverride
  private let depth: PNGDepth
  private let existing: ExistingFile

  init(_ arguments: ParsedArguments) throws(UsageError) {
    references = arguments[ScanReference.any]
    exportsAll = arguments[Self.all]
    target = arguments[Self.output]
    selection = arguments[PageSelection.option]
    override = LookOverride(mode: arguments[Look.mode], amount: arguments[Look.amount])
    depth = arguments[Self.bits] == "1" ? .one : .eight
    existing = arguments[Self.force] ? .replace : .keep
    if references.isEmpty != exportsAll {
      throw UsageError(exportsAll ? "--all doesn't go together with single scans" : "which scan? or --all")
    }
    if exportsAll, selection != nil { throw UsageError("--all doesn't go together with --pages") }
  }

  func run(in context: CommandContext) async throws -> ExitStatus {
    let reporter = Reporter(context)
    let library = try LibraryAccess.open(context)
    let pages = try wanted(in: library, reporter)
    if target == "-" { return try writeSingle(pages, of: library, context) }
    let files = try named(pages, context)

    let bar = context.console.progress("Exporting", total: files.count, unit: "pages")
    defer { bar.finish() }
    var written: [Answer] = []
    let (override, depth, existing) = (override, depth, existing)
    try await inOrder(files, limits: .ofThisMachine(), weight: \.memory) { file in
      (
        file,
        Result { () throws(Failure) in
          try file.write(from: library, override: override, depth: depth, existing: existing)
        }
      )
    } consume: { file, outcome in
      bar.advance()
      switch outcome {
      case .success(let size):
        reporter.print(printable(file.path))
        written.append(Answer(file, size: size))
      case .failure(let failure):
        reporter.fail(failure)
        // What is wrong with one file may not be wrong with the next, but a full disk is.
        if failure.code == .outputNotWritable { throw failure.told }
      }
    }
    bar.finish()
    reporter.emit(written)
    return reporter.status(anythingDone: !written.isEmpty)
  }

  /// The pages that are asked for, in order.
  private func wanted(
    in library: Library, _ reporter: Reporter
  ) throws -> [(scan: ScanRecord, pages: [(place: Int, page: PageRecord)])] {
    if exportsAll {
      let listing = try inLibrary { () throws(LibraryError) in try library.scans() }
      for damaged in listing.damaged { reporter.fail(Failure(library: damaged.error)) }
      return try listing.scans.map { ($0, try selection.pages(of: $0)) }
    }
    return try ScanReference.find(references, in: library).map { ($0, try selection.pages(of: $0)) }
  }

  /// Gives each page its file's name, and makes the folder.
  private func named(
    _ scans: [(scan: ScanRecord, pages: [(place: Int, page: PageRecord)])], _ context: CommandContext
  ) throws -> [PageFile] {
    if target.lowercased().hasSuffix(".png"), !isFolder(target) {
      let single = try singlePage(of: scans, context)
      return [PageFile(scan: single.scan, place: single.place, page: single.page, path: target)]
    }
    if !isFolder(target) { try refuseOtherFormat(target, context) }
    do {
      try ExportFile.makeFolder(at: target)
    } catch {
      throw Failure(path: target, writing: error)
    }
    var names = ExportNames()
    var files: [PageFile] = []
    for (scan, pages) in scans {
      let pageNames = names.names(title: scan.title, pages: pages.map(\.place), of: scan.pages.count)
      for ((place, page), name) in zip(pages, pageNames) {
        let path = target == "." ? name : target.hasSuffix("/") ? target + name : target + "/" + name
        files.append(PageFile(scan: scan, place: place, page: page, path: path))
      }
    }
    return files
  }

  private func singlePage(
    of scans: [(scan: ScanRecord, pages: [(place: Int, page: PageRecord)])], _ context: CommandContext
  ) throws(UsageError) -> (scan: ScanRecord, place: Int, page: PageRecord) {
    let count = scans.reduce(0) { $0 + $1.pages.count }
    guard count == 1, let (scan, pages) = scans.first(where: { !$0.pages.isEmpty }), let first = pages.first
    else {
      throw UsageError(
        "\(counted(count, "page")) can't go into one PNG",
        suggestion: "choose one with --pages, or give a folder",
        commandPath: context.arguments.commandPath)
    }
    return (scan, first.place, first.page)
  }

  private func writeSingle(
    _ scans: [(scan: ScanRecord, pages: [(place: Int, page: PageRecord)])], of library: Library,
    _ context: CommandContext
  ) throws -> ExitStatus {
    try refuseTerminal(context)
    let (scan, place, page) = try singlePage(of: scans, context)
    let file = PageFile(scan: scan, place: place, page: page, path: "-")
    try context.console.write(try file.png(from: library, override: override, depth: depth).bytes)
    return .success
  }

  private struct Answer: Encodable {
    let path: String
    let scan: String
    let page: Int
    let width: Int
    let height: Int

    init(_ file: PageFile, size: PixelSize) {
      path = file.path
      scan = file.scan.id.text
      page = file.place
      width = size.width
      height = size.height
    }
  }
}

/// A page on its way to a file.
private struct PageFile: Sendable {
  let scan: ScanRecord
  let place: Int
  let page: PageRecord
  let path: String

  /// What it takes to render it, in bytes: the page, the light's map and both pictures that are blended, and the PNG.
  var memory: Int { (page.size.pixelCount ?? 0) * 16 }

  func png(
    from library: Library, override: LookOverride, depth: PNGDepth
  ) throws(Failure) -> (bytes: [UInt8], size: PixelSize) {
    do {
      let look = try renderPage(page, of: scan, in: library, override: override)
      let picture = depth == .one ? bilevel(look.raster) : look.raster
      return (try encodePNG(picture, resolution: look.resolution, depth: depth), picture.size)
    } catch {
      throw Failure(scan: scan, page: place, rendering: error)
    }
  }

  func write(
    from library: Library, override: LookOverride, depth: PNGDepth, existing: ExistingFile
  ) throws(Failure) -> PixelSize {
    // Looked at again when the file is placed; here it saves the work.
    if existing == .keep, unsafe access(path, F_OK) == 0 { throw Failure(path: path, writing: .fileExists) }
    let (bytes, size) = try png(from: library, override: override, depth: depth)
    do {
      try ExportFile.write(bytes, to: path, existing: existing)
    } catch {
      throw Failure(path: path, writing: error)
    }
    return size
  }
}

/// Whether a path leads to a folder.
private func isFolder(_ path: String) -> Bool {
  var status = stat()
  return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
}

/// Names that ask for another format than PNG are a mistake.
func refuseOtherFormat(_ path: String, _ context: CommandContext) throws(UsageError) {
  let suffix = path.split(separator: ".").last.map { $0.lowercased() } ?? ""
  guard ["jpg", "jpeg", "pdf", "tif", "tiff", "heic", "webp", "gif", "bmp"].contains(suffix) else { return }
  throw UsageError(
    "a PNG is written, and \(printable(path)) has another format's name", suggestion: "end it in .png",
    commandPath: context.arguments.commandPath)
}

/// A picture is not for reading on a terminal.
func refuseTerminal(_ context: CommandContext) throws(UsageError) {
  guard context.console.outputFacts.isTerminal else { return }
  throw UsageError(
    "a PNG is not for reading on a terminal",
    suggestion: "give a file's name, or send the output on with '|' or '>'",
    commandPath: context.arguments.commandPath)
}
