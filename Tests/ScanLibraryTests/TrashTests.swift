import Foundation
import ScanLibrary
import TestSupport
import Testing

@Suite("The trash")
struct TrashTests {
  let folder: TemporaryFolder
  let library: Library

  init() throws {
    folder = try TemporaryFolder()
    library = try Library.openOrCreate(at: folder.path("library"))
  }

  @Test("gives a scan back as it was", arguments: Shelf.allCases)
  func restore(_ shelf: Shelf) throws {
    let library = shelf == .open ? library : try Library.makeSealed(at: folder.path("sealed"))
    let scan = try library.addSample("One", seeds: [1, 2])
    let before = try files(in: library.path + "/scans")
    try library.delete(scan.id)
    #expect(try library.scans().scans.isEmpty)
    #expect(throws: LibraryError.noSuchScan(reference: scan.id.text, near: [])) { try library.scan(scan.id) }
    let trashed = try library.trashedScans()
    #expect(try trashed.map { try $0.record.get() } == [scan])
    #expect(try library.verify().findings == [] && library.verify().scans == 1)
    try library.restore(trashed[0])
    #expect(try files(in: library.path + "/scans") == before)
    #expect(try library.trashedScans().isEmpty)
    #expect(throws: LibraryError.unfit("the scan is in the library already")) {
      try library.restore(trashed[0])
    }
  }

  @Test("keeps a scan for 30 days, and the next writer after that removes it")
  func thirtyDays() throws {
    let day = 86_400_000
    let now = Timestamp.now().milliseconds
    let old = try library.addSample("Old", seeds: [1])
    let young = try library.addSample("Young", seeds: [2])
    try library.delete(old.id, at: Timestamp(milliseconds: now - 30 * day - 2000))
    try library.delete(young.id, at: Timestamp(milliseconds: now - 30 * day + 60_000))
    try library.addSample("Next", seeds: [3])
    #expect(try library.trashedScans().map(\.id) == [young.id])
    #expect(try FileManager.default.contentsOfDirectory(atPath: library.path + "/trash").count == 1)
    #expect(try FileManager.default.contentsOfDirectory(atPath: library.path + "/staging") == [])
  }

  @Test("removes for good what it is told to")
  func removeForGood() throws {
    for title in ["One", "Two"] { try library.delete(try library.addSample(title, seeds: [1]).id) }
    let two = try #require(library.trashedScans().last)
    try library.removeForGood(two)
    #expect(try library.trashedScans().count == 1)
    #expect(throws: LibraryError.noSuchScan(reference: two.id.text, near: [])) {
      try library.removeForGood(two)
    }
  }

  @Test("holds no duplicates: a photo that is only in it counts as new")
  func duplicates() throws {
    let scan = try library.addSample("One", seeds: [1])
    let hash = ContentHash(of: samplePhoto(1))
    #expect(try library.scan(holdingPhoto: hash)?.scan.id == scan.id)
    try library.delete(scan.id)
    #expect(try library.scan(holdingPhoto: hash) == nil)
  }

  @Test("can hold a scan twice over: restored and deleted again within a second")
  func again() throws {
    let scan = try library.addSample("One", seeds: [1])
    let moment = Timestamp.now()
    try library.delete(scan.id, at: moment)
    try FileManager.default.copyItem(
      atPath: library.path + "/trash/\(scan.id).\(moment.milliseconds / 1000)",
      toPath: library.path + "/scans/\(scan.id)")
    try library.delete(scan.id, at: moment)
    #expect(try library.trashedScans().count == 2)
    #expect(try library.scans().scans.isEmpty)
  }

  @Test("tells of a scan in it that is damaged, and of what is none")
  func damaged() throws {
    let scan = try library.addSample("One", seeds: [1])
    try library.delete(scan.id)
    let name = try #require(FileManager.default.contentsOfDirectory(atPath: library.path + "/trash").first)
    try Data("x".utf8).write(to: URL(fileURLWithPath: library.path + "/trash/\(name)/photo-1.jpg"))
    try FileManager.default.createDirectory(
      atPath: library.path + "/trash/other", withIntermediateDirectories: false)
    #expect(
      try Set(library.verify().findings.map(\.description)) == [
        "trash/\(name)/photo-1.jpg has 1 bytes, but its record says 300", "trash/other is not a deleted scan",
      ])
  }
}
