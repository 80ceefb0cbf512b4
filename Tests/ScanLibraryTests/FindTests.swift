import Foundation
import ScanLibrary
import TestSupport
import Testing

@Suite("Finding a scan")
struct FindTests {
  let folder: TemporaryFolder
  let library: Library

  init() throws {
    folder = try TemporaryFolder()
    library = try Library.openOrCreate(at: folder.path("library"))
  }

  /// A scan under an id of the test's choice.
  private func add(_ id: String, _ title: String) throws -> ScanID {
    let scan = try library.addSample(title)
    let new = try #require(ScanID(id + "-0000-4000-8000-000000000000"))
    let scans = library.path + "/scans/"
    try FileManager.default.moveItem(atPath: scans + scan.id.text, toPath: scans + new.text)
    let record = scans + new.text + "/record.json"
    try String(contentsOfFile: record, encoding: .utf8).replacing(scan.id.text, with: new.text)
      .write(toFile: record, atomically: true, encoding: .utf8)
    return new
  }

  @Test("by the start of its id, when it is enough")
  func prefixes() throws {
    let first = try add("3f2a91c0", "One")
    let second = try add("3f2a77aa", "Two")
    #expect(try library.find("3f2a9").id == first)
    #expect(try library.find("3F2A7").id == second)
    #expect(try library.find(first.text).id == first)
    #expect(try library.find("3f2a77aa-0000").id == second)
    let error = #expect(throws: LibraryError.self) { try library.find("3f2a") }
    guard case .ambiguous("3f2a", let candidates)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(Set(candidates.map(\.id)) == [first, second])
    #expect(error?.description.contains("3f2a91c0 (\"One\")") == true)
    #expect(throws: LibraryError.self) { try library.find("3") }
    let third = try add("91c00000", "3")
    #expect(try library.find("9").id == third)
    #expect(try library.find("3").id == third, "so short a title is no rival of ids")
    // Not a start.
    #expect(throws: LibraryError.noSuchScan(reference: "77aa", near: [])) { try library.find("77aa") }
  }

  @Test("by its title, exactly or but for the case of letters")
  func titles() throws {
    let small = try add("00000001", "über")
    let large = try add("00000002", "Über")
    let composed = try add("00000003", "Caf\u{E9}")
    #expect(try library.find("über").id == small)
    #expect(try library.find("Über").id == large)
    #expect(throws: LibraryError.self) { try library.find("ÜBER") }
    #expect(try library.find("cafe\u{301}").id == composed)
  }

  @Test("is never a guess between an id and a title")
  func idOrTitle() throws {
    let first = try add("beef0000", "One")
    let second = try add("00000002", "beef")
    let error = #expect(throws: LibraryError.self) { try library.find("beef") }
    guard case .ambiguous(_, let candidates)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(Set(candidates.map(\.id)) == [first, second])
    #expect(try library.find("beef0").id == first)
  }

  @Test("twice the same title is told, with the ids")
  func sameTitle() throws {
    let ids = [try add("00000001", "Rent"), try add("00000002", "Rent")]
    let error = #expect(throws: LibraryError.self) { try library.find("Rent") }
    #expect(ids.allSatisfy { error?.description.contains($0.short) == true })
    #expect(try library.find("00000002").id == ids[1])
  }

  @Test("that isn't there gives titles that may be meant")
  func near() throws {
    for (index, title) in ["Invoice 2026-01", "Invoice 2026-02", "Receipt", "x"].enumerated() {
      _ = try add("0000000\(index)", title)
    }
    for (reference, near) in [
      ("Recipt", ["Receipt"]), ("invoice", ["Invoice 2026-02", "Invoice 2026-01"]), ("certificate", []),
      ("", []),
      ("Invoice 2026-03", ["Invoice 2026-02", "Invoice 2026-01"]),
      (String(repeating: "x", count: 100_000), []),
    ] as [(String, [String])] {
      let error = #expect(throws: LibraryError.self) { try library.find(reference) }
      guard case .noSuchScan(reference, let found)? = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
      #expect(Set(found) == Set(near), "\(reference.prefix(20))")
    }
  }

  @Test("A message shows control characters instead of sending them to the terminal")
  func messages() {
    let error = LibraryError.noSuchScan(reference: "a\u{1B}[2Jb\n\u{202E}🧾", near: [])
    #expect(error.description == "there is no scan \"a\\u{1b}[2Jb\\u{a}\\u{202e}🧾\"")
  }
}
