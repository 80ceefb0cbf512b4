import CommandLineKit
import PerspectiveCorrection
import Raster
import ScanLibrary
import ScanPipeline

/// `flatbed show`: all there is to know of a scan.
struct ShowCommand: Command {
  static let description = CommandDescription(
    name: "show",
    abstract: "Show a scan: its pages, photos, corners and modes.",
    examples: [
      Example("flatbed show 3f2a", "one scan"),
      Example("flatbed show 'Trip to Bern' --json", "by its title, for scripts"),
    ],
    parameters: [ScanReference.one],
    section: "The library",
    synonyms: ["info"])

  private let reference: String

  init(_ arguments: ParsedArguments) throws(UsageError) { reference = arguments[ScanReference.one] }

  func run(in context: CommandContext) async throws -> ExitStatus {
    let reporter = Reporter(context)
    let library = try LibraryAccess.open(context, isListed: true)
    let scan = try inLibrary { () throws(LibraryError) in try library.find(reference) }
    reporter.emit(ScanJSON(scan: scan))
    reporter.print(titleText(scan))
    reporter.print("  id        \(scan.id.text)")
    reporter.print("  created   \(localText(scan.createdAt))")
    reporter.print("  mode      \(modeText(scan.mode, scan.amount))")
    for (index, page) in scan.pages.enumerated() {
      let photo = scan.photo(page.origin.photo)
      let frame = page.origin.frame > 0 ? ", picture \(page.origin.frame + 1)" : ""
      reporter.print("  page \(index + 1)")
      reporter.print("    from    \(photo.map { printable($0.name) } ?? "?")\(frame)")
      reporter.print("    outline \(foundText(page.origin))")
      if let quad = page.origin.quad { reporter.print("    corners \(cornersText(quad))") }
      for reason in page.origin.reasons { reporter.print("    why     \(printable(reason))") }
      reporter.print("    size    \(page.size) pixels\(paperText(page))")
      if page.look.turn != .none { reporter.print("    turned  \(page.look.turn.degrees)° clockwise") }
      if let mode = page.look.mode { reporter.print("    mode    \(modeText(mode, page.look.amount))") }
    }
    return .success
  }

  private func modeText(_ mode: String, _ amount: Double?) -> String {
    printable(mode) + (amount.map { ", amount \(tenths($0))" } ?? "")
  }

  /// The paper, and how many pixels of the page there are to its inch.
  private func paperText(_ page: PageRecord) -> String {
    guard let name = page.origin.paper else { return "" }
    let inches = PaperSize(rawValue: name).map { $0.shortSide / Resolution.millimetresPerInch }
    let pixels = Double(min(page.size.width, page.size.height))
    return ", \(printable(name))" + (inches.map { ", \(Int((pixels / $0).rounded())) dpi" } ?? "")
  }
}
