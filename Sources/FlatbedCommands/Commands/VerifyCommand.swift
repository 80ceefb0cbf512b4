import CommandLineKit
import Enhancement
import ScanLibrary
import ScanPipeline

/// `flatbed verify`: every file, every hash.
struct VerifyCommand: Command {
  static let repair = Flag("repair", help: "Make again what can be made again, and put aside what can't.")

  static let description = CommandDescription(
    name: "verify",
    abstract: "Check that every file of the library is what was stored.",
    discussion: """
      Reads everything and compares sizes and SHA-256 with the records; files of a protected library are authenticated, too. Nothing is \
      changed. Damage ends it with status 6, also damage in the trash; stray files and permissions that let others in are told of.

      With --repair a damaged page is made again from its photo, and a damaged record from the files that are there. What is damaged \
      is put into the library's folder 'aside'; nothing is deleted. Status 6 means then that something is lost, or still damaged; 0 that all \
      could be made again. The trash isn't repaired: restore a scan first.
      """,
    examples: [
      Example("flatbed verify", "is everything there, and unaltered?"),
      Example("flatbed verify --repair", "make again what can be made again"),
    ],
    parameters: [repair],
    section: "The library",
    synonyms: ["check", "fsck"])

  private let repairs: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) { repairs = arguments[Self.repair] }

  func run(in context: CommandContext) async throws -> ExitStatus {
    let reporter = Reporter(context)
    let library = try LibraryAccess.open(context)
    var actions: [RepairAction] = []
    if repairs {
      try inLibrary { () throws(LibraryError) in
        try ScanPipeline.repair(library, mode: EnhancementMode.enhanced.rawValue) { action in
          actions.append(action)
          reporter.print("\(repairGravity(action)): \(printable("\(action.file) \(action.text)"))")
        }
      }
    }
    let bar = context.console.progress("Verifying", total: 0, unit: "MB")
    defer { bar.finish() }
    var shown = 0
    let report = try inLibrary { () throws(LibraryError) in
      try library.verify { progress in
        bar.setTotal(progress.totalBytes / 1_000_000)
        bar.advance(by: progress.bytes / 1_000_000 - shown)
        shown = progress.bytes / 1_000_000
      }
    }
    bar.finish()
    for finding in report.findings {
      reporter.print("\(finding.gravity.rawValue): \(printable("\(finding)"))")
    }
    let looked =
      "\(counted(report.scans, "scan")), \(counted(report.files, "file")), \(sizeText(bytes: report.bytes)) looked at"
    reporter.note(report.findings.isEmpty ? "\(looked): all is as it was stored" : looked)
    if report.findings.contains(where: { $0.gravity == .damage && $0.isInTrash }) {
      reporter.note(
        "what is damaged in the trash can be repaired once it is restored ('flatbed trash restore'), or removed for good "
          + "('flatbed trash empty')")
    }
    if actions.contains(where: \.isLoss) {
      reporter.note(
        "what can't be made again is in the folder \(printable(library.path))/aside; a backup may have it whole"
      )
    }
    reporter.emit(Answer(report: report, actions: actions))
    // A loss is told by the status once, in the run that finds it: after that the library is sound without it.
    return report.isSound && !actions.contains(where: \.isLoss) ? .success : .library
  }

  private struct Answer: Encodable {
    let report: VerifyReport
    let actions: [RepairAction]

    private enum Key: String, CodingKey { case sound, scans, files, bytes, findings, repairs }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(report.isSound, forKey: .sound)
      try container.encode(report.scans, forKey: .scans)
      try container.encode(report.files, forKey: .files)
      try container.encode(report.bytes, forKey: .bytes)
      try container.encode(report.findings.map(Finding.init), forKey: .findings)
      try container.encode(actions.map(Finding.init), forKey: .repairs)
    }
  }

  private struct Finding: Encodable {
    let gravity: String
    let scan: String?
    let file: String
    let text: String

    init(_ action: RepairAction) {
      gravity = repairGravity(action)
      scan = action.scan?.text
      file = action.file
      text = action.text
    }

    init(_ finding: VerifyFinding) {
      gravity = finding.gravity.rawValue
      scan = finding.scan?.text
      file = finding.file
      text = finding.text
    }
  }
}

/// What a repair's line begins with.
private func repairGravity(_ action: RepairAction) -> String { action.isLoss ? "lost" : "repair" }
