import Foundation
import LibraryKeys
import Raster
import ScanLibrary
import TestSupport
import Testing

/// What the format document says, held against what is on the disk.
@Suite("The format document")
struct FormatDocumentTests {
  private let document: String

  init() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    document = try String(contentsOf: root.appendingPathComponent("docs/library-format.md"), encoding: .utf8)
  }

  /// The names in the first column of the tables under a heading or line.
  private func fields(after line: String, before end: String) throws -> Set<String> {
    let start = try #require(document.range(of: line))
    let stop = try #require(document.range(of: end, range: start.upperBound..<document.endIndex))
    var names: Set<String> = []
    for row in document[start.upperBound..<stop.lowerBound].split(separator: "\n") where row.hasPrefix("| `")
    {
      let column = row.split(separator: "|")[0]
      for match in column.matches(of: /`([A-Za-z0-9]+)`/) { names.insert(String(match.output.1)) }
    }
    return names
  }

  @Test("lists each field that is written, and none that isn't")
  func fields() throws {
    let folder = try TemporaryFolder()
    let library = try Library.openOrCreate(at: folder.path("library"))
    let pending = try library.beginScan()
    _ = try pending.addPhoto(samplePhoto(1), name: "x", format: "jpeg", fileExtension: "jpg")
    // With everything that may be left out.
    _ = try pending.addPage(
      png: samplePNG(1),
      origin: PageOrigin(
        photo: 1, quad: sampleQuad, found: "detected", confidence: 0.5, reasons: ["why"], paper: "a4"),
      look: PageLook(turn: .half, mode: "bw", amount: 2.5))
    let scan = try pending.commit(title: "x", mode: "bw", amount: 1, enhancement: 3)
    func object(_ path: String) throws -> [String: Any] {
      let data = try Data(contentsOf: URL(fileURLWithPath: library.path + "/" + path))
      return try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
    }
    let sealed = try Library.makeSealed(
      at: folder.path("sealed"),
      try NewKeys(
        passphrase: try passphrase(), recovery: try RecoveryKey.random(), cost: cheapCost))
    let header = try #require(
      JSONSerialization.jsonObject(
        with: Data(contentsOf: URL(fileURLWithPath: sealed.path + "/library.json")))
        as? [String: Any])
    let slots = try #require(header["slots"] as? [[String: Any]])
    let record = try object("scans/\(scan.id)/record.json")
    let page = try #require((record["pages"] as? [[String: Any]])?.first)
    let photo = try #require((record["photos"] as? [[String: Any]])?.first)
    #expect(
      try Set(header.keys) == fields(after: "## library.json", before: "## Keys"))
    #expect(Set(slots.flatMap(\.keys)) == (try fields(after: "field of a slot", before: "The wrapping key")))
    #expect(try Set(record.keys) == fields(after: "## record.json", before: "Each **page**"))
    #expect(try Set(page.keys) == fields(after: "Each **page**", before: "Each **photo**"))
    #expect(try Set(photo.keys) == fields(after: "Each **photo**", before: "Numbers of pages are unique"))
  }

  @Test("has an example that the library can read")
  func example() throws {
    let lines = document.split(separator: "\n", omittingEmptySubsequences: false)
    let start = try #require(lines.firstIndex { $0.hasPrefix("    $ cat scans/3f2a91c0") })
    let end = try #require(lines[start...].firstIndex(of: "    }"))
    let json = lines[(start + 1)...end].map { $0.dropFirst(4) }.joined(separator: "\n")
      .replacing("…", with: String(repeating: "0", count: 60))
    let folder = try TemporaryFolder()
    let library = try Library.openOrCreate(at: folder.path("library"))
    let id = try #require(ScanID("3f2a91c0-58d7-4c1e-8a40-7be1d0c2f9aa"))
    let path = library.path + "/scans/\(id)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    try json.write(toFile: path + "/record.json", atomically: false, encoding: .utf8)
    let scan = try library.scan(id)
    #expect(scan.pages.map(\.number) == [3, 1])
    #expect(scan.pages[0].origin.quad?.bottomRight.x == 2790.75)
    #expect(scan.pages[1].look.turn == .clockwise)
    #expect(scan.pages[1].origin.reasons == ["no four sides were found"])
  }
}
