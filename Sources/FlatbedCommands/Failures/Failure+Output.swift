import CommandLineKit
import DocumentOutput
import ScanPipeline

extension Failure {
  /// A file that couldn't be written.
  init(path: String, writing error: ExportError) {
    let name = printable(path)
    if case .fileExists = error {
      self.init(
        .outputExists, subject: path, "can't write \(name): \(error)",
        hints: ["choose another name, or overwrite it with --force"])
    } else {
      self.init(.outputNotWritable, subject: path, "can't write \(name): \(error)")
    }
  }

  /// A file that the system didn't let be written.
  init(path: String, code: Int32) {
    self.init(path: path, writing: .system(code: code))
  }

  /// `--strict`, and a photo without a page.
  static func noPage(in file: PhotoFile, reasons: [String]) -> Failure {
    Failure(
      .pageNotFound, subject: file.path,
      "no page found in \(file.displayName): \(reasons.joined(separator: "; "))",
      hints: ["give its corners with --corners, or leave --strict away to keep the whole photo"])
  }
}
