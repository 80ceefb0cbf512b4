import Evaluation
import Foundation

// Measures quality on photos whose truth is known. `make evaluate` finds pages (docs/detection.md), `make evaluate-pages` makes
// them flat and readable (docs/enhancement.md).

/// What was asked for.
struct Request {
  enum Measure { case quads, pages(CornerChoice) }

  var measure: Measure
  var data: String
  var output: String
  var part: HashPart?

  static let usage = """
    usage: Evaluate quads DATA OUT [PART]
           Evaluate pages DATA OUT true|found [PART]
    PART: only photos whose name's SHA-256 begins with one of these digits, such as 0-7
    """

  init?(_ words: [String]) {
    var words = words[...]
    guard let name = words.popFirst(), let data = words.popFirst(), let output = words.popFirst() else {
      return nil
    }
    (self.data, self.output) = (data, output)
    switch name {
    case "quads": measure = .quads
    case "pages":
      guard let corners = words.popFirst().flatMap(CornerChoice.init(rawValue:)) else { return nil }
      measure = .pages(corners)
    default: return nil
    }
    guard let text = words.popFirst() else { return }
    guard words.isEmpty, let part = HashPart(text) else { return nil }
    self.part = part
  }

  /// Measures, reports, and gives what couldn't be measured.
  func run() throws -> [String] {
    let folder = try TruthFolder(path: data)
    switch measure {
    case .quads:
      let report = try ReportFolder(path: output)
      let run = try DetectionRun(
        over: folder, part: part,
        each: { score, photo in try report.addPicture(of: photo, file: score.truth.file) })
      try report.write(run)
      print(ReportTables(run).text)
      print("Every photo, worst first: \(output)/quads.html and quads.csv.")
      return run.failures
    case .pages(let corners):
      let url = URL(fileURLWithPath: output, isDirectory: true)
      let run = try PageRun(over: folder, part: part, corners: corners, into: url)
      print("\(run.pages.count) pages are flat, in \(output)/pages.")
      for failure in run.failures { print(failure) }
      return run.failures
    }
  }
}

guard let request = Request(Array(CommandLine.arguments.dropFirst())) else {
  print(Request.usage)
  exit(2)
}
do {
  exit(try request.run().isEmpty ? 0 : 1)
} catch {
  print("can't evaluate: \(error)")
  exit(1)
}
