import CommandLineKit
import ScanLibrary

/// `flatbed verify`: every file, every hash.
struct VerifyCommand: Command {
  static let description = CommandDescription(
    name: "verify",
    abstract: "Check that every file of the library is what was stored.",
    discussion: """
      Reads everything and compares sizes and SHA-256 with the records. Nothing is changed. Damage ends it with status 6; stray files and \
      permissions that let others in are told of.
      """,
    examples: [Example("flatbed verify", "is everything there, and unaltered?")],
    section: "The library",
    synonyms: ["check", "fsck"])

  init(_ arguments: ParsedArguments) throws(UsageError) {}

  func run(in context: CommandContext) async throws -> ExitStatus {
    let reporter = Reporter(context)
    let library = try LibraryAccess.open(context)
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
    reporter.emit(Answer(report: report))
    return report.isSound ? .success : .library
  }

  private struct Answer: Encodable {
    let report: VerifyReport

    private enum Key: String, CodingKey { case sound, scans, files, bytes, findings }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(report.isSound, forKey: .sound)
      try container.encode(report.scans, forKey: .scans)
      try container.encode(report.files, forKey: .files)
      try container.encode(report.bytes, forKey: .bytes)
      try container.encode(report.findings.map(Finding.init), forKey: .findings)
    }
  }

  private struct Finding: Encodable {
    let gravity: String
    let scan: String?
    let file: String
    let text: String

    init(_ finding: VerifyFinding) {
      gravity = finding.gravity.rawValue
      scan = finding.scan?.text
      file = finding.file
      text = finding.text
    }
  }
}
