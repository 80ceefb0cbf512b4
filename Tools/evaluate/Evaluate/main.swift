import Evaluation
import Glibc

// Measures the detector on photos whose truth is known: `make evaluate DATA=DIR`. See docs/detection.md.

/// What was asked for.
struct Request {
  var data = ""
  var output = ""
  var part: HashPart?

  init?(_ words: [String]) {
    var words = words[...]
    guard words.popFirst() == "quads", let data = words.popFirst(), let output = words.popFirst() else {
      return nil
    }
    (self.data, self.output) = (data, output)
    guard let text = words.popFirst() else { return }
    guard words.isEmpty, let part = HashPart(text) else { return nil }
    self.part = part
  }
}

guard let request = Request(Array(CommandLine.arguments.dropFirst())) else {
  print("usage: Evaluate quads DATA OUT [PART]   (PART: first digits of names' SHA-256, such as 0-7)")
  exit(2)
}
do {
  let folder = try TruthFolder(path: request.data)
  let report = try ReportFolder(path: request.output)
  let run = try DetectionRun(
    over: folder, part: request.part,
    each: { score, photo in try report.addPicture(of: photo, file: score.truth.file) })
  try report.write(run)
  print(ReportTables(run).text)
  print("Every photo, worst first: \(request.output)/quads.html and quads.csv.")
  exit(run.failures.isEmpty ? 0 : 1)
} catch {
  print("can't evaluate: \(error)")
  exit(1)
}
