import Foundation
import ImageCodecs
import PageDetection
import Raster
import TestSupport
import Testing

/// The photos of `SampleScans/`, by what `truth.json` says of them.
struct SampleScan: Decodable {
  var answer: String
  var corners: [[Double]]?

  static func all() throws -> [String: SampleScan] {
    let data = try Data(contentsOf: Samples.folder.appendingPathComponent("truth.json"))
    return try JSONDecoder().decode([String: SampleScan].self, from: data)
  }

  static func photo(_ name: String) throws -> Raster {
    let bytes = try Array(Data(contentsOf: Samples.folder.appendingPathComponent(name)))
    return try ImageSource(bytes: bytes).decode().raster
  }

  static func detection(in name: String) throws -> DetectionResult { detectPage(in: try photo(name)) }
}

@Suite("The sample scans")
struct SampleScanTests {
  @Test(
    "each page is found where it is",
    arguments: try SampleScan.all().filter { $1.answer == "page" }.keys.sorted())
  func pages(name: String) throws {
    let scan = try #require(try SampleScan.all()[name])
    let corners = try #require(scan.corners).map { Point(x: $0[0], y: $0[1]) }
    try #require(corners.count == 4)
    let truth = try #require(Quad(corners: corners))
    let page = try #require(try SampleScan.detection(in: name).page)
    #expect(page.quad.overlap(with: truth) > 0.9)
  }

  @Test(
    "a desk and a blanket hold no page",
    arguments: try SampleScan.all().filter { $1.answer == "none" }.keys.sorted())
  func none(name: String) throws {
    let result = try SampleScan.detection(in: name)
    #expect(result.page == nil)
    #expect(!result.reasons.isEmpty)
  }

  @Test(
    "a flat scan is the page itself",
    arguments: try SampleScan.all().filter { $1.answer == "flat" }.keys.sorted())
  func flat(name: String) throws {
    let page = try #require(try SampleScan.detection(in: name).page)
    #expect(page.method == .frame)
    #expect(page.quad == Quad(wholeOf: try SampleScan.photo(name).size))
  }
}
