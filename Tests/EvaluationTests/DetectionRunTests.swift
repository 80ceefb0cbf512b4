import Evaluation
import Foundation
import ImageCodecs
import PageDetection
import Raster
import TestSupport
import Testing

@Suite("A run over a folder")
struct DetectionRunTests {
  /// A folder with a page found well, one missed, a false find, a flat scan left whole and one that people disagree on.
  private func place() throws -> PhotoFolder {
    let place = try PhotoFolder()
    for name in ["good.png", "missed.png", "empty, with a comma.png", "flat.png", "who knows.png"] {
      try place.picture(name)
    }
    let page = #"{"kind": "note", "tags": ["hand"], "corners": [[0, 0], [30, 0], [30, 40], [0, 40]]}"#
    try place.text(
      "truth.json",
      """
      {"good.png": \(page), "missed.png": \(page), "empty, with a comma.png": {"kind": "none"},
       "flat.png": {"kind": "flat", "answer": "flat"}, "who knows.png": {"kind": "note", "answer": "ambiguous"}}
      """)
    return place
  }

  /// Answers with the left half of the picture, and confidence 0.8, for the photos that are asked for by their place.
  private func run(_ place: PhotoFolder, part: HashPart? = nil) throws -> DetectionRun {
    // In the order of names: empty, flat, good, missed.
    var answers = [true, false, true, false][...]
    return try DetectionRun(
      over: TruthFolder(path: place.path), part: part,
      detect: { _ in
        guard answers.popFirst() == true else {
          return DetectionResult(page: nil, runnersUp: [], reasons: [.noOutline])
        }
        return DetectionResult(
          page: PageObservation(quad: rectangle(0, 0, 30, 40), confidence: 0.8, method: .lines),
          runnersUp: [],
          reasons: [])
      })
  }

  @Test("each photo gets its verdict, the worst first")
  func verdicts() throws {
    let run = try run(place())
    #expect(
      run.worstFirst.map { "\($0.truth.file): \($0.verdict)" } == [
        "empty, with a comma.png: false find", "missed.png: missed", "good.png: right",
        "flat.png: left whole",
      ])
    #expect(run.ambiguous == 1)
    #expect(run.failures.isEmpty)
  }

  @Test("the table tells all figures")
  func table() throws {
    let text = ReportTables(try run(place())).text
    for part in [
      ": 4, with a page 2, flat scans 1, without a page 1",
      "no page: a false find in 1 of 1 (100.0 %)", "flat scans: 1 of 1 left whole",
      // One of two answers is right, both at 0.8.
      "answers given: 2, calibration error 0.300, AUC of right against wrong 0.500",
      "left out as ambiguous: 1",
    ] { #expect(text.contains(part), "\(part)\n\(text)") }
    let row = try #require(text.split(separator: "\n").first { $0.hasPrefix("all pages") })
    #expect(
      row.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        == "all pages 2 0.500 0.500 50.0 % 50.0 % 50.0 % 50.0 % 1 0.500 0.00 %")
  }

  @Test("CSV has a row a photo")
  func csv() throws {
    let lines = csvReport(try run(place())).split(separator: "\r\n", omittingEmptySubsequences: true)
    #expect(lines.count == 5)
    #expect(lines[1].hasPrefix("\"empty, with a comma.png\",none,,none,false find,,,,0.8000,"))
    #expect(lines[3].hasPrefix("good.png,note,hand,page,right,1.00000,1.00000,0.000000,0.8000,"))
    #expect(lines[3].contains("60,40,0.00 0.00 30.00 0.00 30.00 40.00 0.00 40.00"))
  }

  @Test("the page shows outlines over pictures that are there, and asks nothing of a network or a script")
  func page() throws {
    let place = try place()
    let report = try ReportFolder(path: place.path + "/report")
    let run = try run(place)
    for score in run.scores {
      try report.addPicture(
        of: Raster(size: PixelSize(width: 960, height: 640), format: .rgb, filledWith: 9),
        file: score.truth.file)
    }
    try report.write(run)
    let page = try String(contentsOf: report.url.appendingPathComponent("quads.html"), encoding: .utf8)
    let sources = page.matches(of: /src="([^"]+)"/).map { String($0.1) }
    #expect(sources.count == 4)
    for source in sources {
      let path = try #require(source.removingPercentEncoding)
      let bytes = try Data(contentsOf: report.url.appendingPathComponent(path))
      #expect(
        try ImageSource(bytes: Array(bytes)).frameSizes == [PixelSize(width: 480, height: 320)])
    }
    #expect(page.contains(#"<polygon class="found" points="0.0,0.0 30.0,0.0 30.0,40.0 0.0,40.0"/>"#))
    #expect(!page.contains("<script") && !page.contains("http"))
    #expect(page.contains("light dark"))
    #expect(FileManager.default.fileExists(atPath: report.url.appendingPathComponent("quads.csv").path))
  }

  @Test("a photo that can't be read, or of another size than its truth, is named and fails the run")
  func failures() throws {
    let place = try PhotoFolder()
    try place.text("bad.png", "no picture")
    try place.picture("other.png")
    try place.text(
      "truth.json", #"{"bad.png": {"kind": "none"}, "other.png": {"kind": "none", "size": [40, 60]}}"#)
    let run = try DetectionRun(over: TruthFolder(path: place.path))
    #expect(run.scores.isEmpty)
    #expect(run.failures.count == 2)
    #expect(run.failures[0].hasPrefix("can't read bad.png: "))
    #expect(run.failures[1] == "other.png has 60 × 40 pixels when upright, and its truth is for 40 × 60")
    #expect(ReportTables(run).text.contains("can't read bad.png"))
  }

  @Test("a part leaves the others out")
  func part() throws {
    let place = try place()
    let half = try #require(HashPart("0-7"))
    let names = try run(place, part: half).scores.map(\.truth.file)
    #expect(names == ["empty, with a comma.png", "flat.png", "good.png", "missed.png"].filter(half.contains))
    #expect(ReportTables(try run(place, part: half)).title.contains("begins with 0-7"))
  }

  @Test("the detector itself on two sample photos and one without a page")
  func samples() throws {
    let names = ["receipt-faint-thermal.jpg", "no-page-desk.jpg", "card-glare-dark-stone.jpg"]
    let place = try PhotoFolder()
    for name in names {
      try FileManager.default.copyItem(
        at: Samples.folder.appendingPathComponent(name), to: place.folder.url.appendingPathComponent(name))
    }
    try FileManager.default.copyItem(
      at: Samples.folder.appendingPathComponent("truth.json"),
      to: place.folder.url.appendingPathComponent("truth.json"))
    let run = try DetectionRun(over: TruthFolder(path: place.path))
    #expect(run.scores.map(\.isRight) == [true, true, true])
    #expect(run.scores.allSatisfy { $0.milliseconds > 0 })
    // truth.json tells of all samples.
    #expect(run.notes.count == (try SampleCount.all()) - names.count)
    let stone = try #require(run.scores.first)
    #expect(stone.overlap > 0.98)
    #expect(try #require(stone.outline?.cornerError) < 0.01)
  }
}

private enum SampleCount {
  static func all() throws -> Int {
    let data = try Data(contentsOf: Samples.folder.appendingPathComponent("truth.json"))
    return try #require(JSONSerialization.jsonObject(with: data) as? [String: Any]).count
  }
}

@Suite("Small copies")
struct ThumbnailTests {
  @Test("a pixel is the mean of those it covers")
  func mean() {
    let photo = Raster(
      size: PixelSize(width: 4, height: 2), format: .gray, samples: [0, 10, 100, 100, 20, 30, 100, 104])
    let small = thumbnail(of: photo, longSide: 2)
    #expect(small.size == PixelSize(width: 2, height: 1))
    #expect(small.samples == [15, 101])
  }

  @Test("a long strip keeps at least a pixel, and a small picture is left alone")
  func extremes() {
    let strip = Raster(size: PixelSize(width: 1, height: 1000), format: .rgb, filledWith: 7)
    #expect(thumbnail(of: strip, longSide: 100).size == PixelSize(width: 1, height: 100))
    #expect(thumbnail(of: strip, longSide: 1000) == strip)
  }
}
