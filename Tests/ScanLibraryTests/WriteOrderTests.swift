import Foundation
import Raster
import ScanLibrary
import TestSupport
import Testing

/// The order of writes that the format document promises, seen from the system's side.
@Suite("The order of writes")
struct WriteOrderTests {
  /// What was created, written, synced, moved and removed, with short names in place of ids.
  private func writes(
    _ body: (Library) throws -> ScanID
  ) throws -> [String] {
    let folder = try TemporaryFolder()
    let path = folder.path("library")
    try Library.openOrCreate(at: path).addSample("Old", seeds: [1, 2])
    let log = CallLog()
    let library = try Library.open(at: path, calls: log.calls)
    let id = try body(library)
    let interesting: Set<FileOperation> = [.create, .makeFolder, .write, .sync, .rename, .remove]
    return log.entries.filter { interesting.contains($0.operation) }.map { entry in
      let inside = entry.path.dropFirst(path.count + 1)
      return "\(entry.operation) \(inside.replacing(id.text, with: "ID"))"
    }.filter { $0 != "create lock" && $0 != "makeFolder staging" }
  }

  @Test("of a new scan: every file, its folder, one rename, the folder it appears in")
  func add() throws {
    let writes = try writes { try $0.addSample("New", seeds: [3]).id }
    #expect(
      writes == [
        "create staging/ID.lock", "makeFolder staging/ID",
        "create staging/ID/photo-1.jpg", "write staging/ID/photo-1.jpg", "sync staging/ID/photo-1.jpg",
        "create staging/ID/page-1-original.png", "write staging/ID/page-1-original.png",
        "sync staging/ID/page-1-original.png",
        "create staging/ID/record.json", "write staging/ID/record.json", "sync staging/ID/record.json",
        "sync staging/ID",
        // The writer looks whether a scan that is being built belongs to someone alive: to itself, here.
        "create staging/ID.lock",
        "rename scans/ID", "sync scans", "remove staging/ID.lock",
      ])
  }

  @Test("of a change: new files, the record by one rename, the folder, and only then what no record names")
  func change() throws {
    let writes = try writes { library in
      let id = try library.find("Old").id
      try library.change(id) { change throws(LibraryError) in
        try change.replacePage(1, png: samplePNG(9), origin: PageOrigin(photo: 2, found: "manual"))
      }
      return id
    }
    #expect(
      writes
        == [
          "makeFolder staging/ID.change", "sync staging",
          "create scans/ID/page-3-original.png", "write scans/ID/page-3-original.png",
          "sync scans/ID/page-3-original.png",
          "create staging/ID.change/record.json", "write staging/ID.change/record.json",
          "sync staging/ID.change/record.json",
          "sync scans/ID", "rename scans/ID/record.json", "sync scans/ID",
          "remove scans/ID/page-1-original.png", "remove scans/ID/photo-1.jpg",
          "remove staging/ID.change",
        ].sorted(like: writes))
  }

  @Test("of a removal: one rename into the trash, and nothing else")
  func delete() throws {
    let writes = try writes { library in
      let id = try library.find("Old").id
      try library.delete(id, at: Timestamp(milliseconds: 4_000_000_000_123))
      return id
    }
    #expect(
      writes == ["makeFolder trash", "rename trash/ID.4000000000", "sync trash", "sync scans"])
  }

  @Test("of a removal for good: one rename out of the trash before any file goes")
  func removeForGood() throws {
    let writes = try writes { library in
      let id = try library.find("Old").id
      try Library.open(at: library.path).delete(id)
      for scan in try library.trashedScans() { try library.removeForGood(scan) }
      return id
    }
    #expect(writes.prefix(2) == ["rename staging/ID.trash", "sync trash"])
    #expect(writes.dropFirst(2).allSatisfy { $0.hasPrefix("remove staging/ID.trash") })
    #expect(writes.count == 2 + 6)
  }

  @Test("Readers ask for nothing that writes or locks")
  func readersOnlyRead() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("library")
    try Library.openOrCreate(at: path).addSample("Old", seeds: [1, 2])
    let log = CallLog()
    let library = try Library.open(at: path, calls: log.calls)
    let scan = try library.find("Old")
    _ = try library.pageBytes(scan, page: 1)
    _ = try library.photoBytes(scan, photo: 2)
    _ = try library.scan(holdingPhoto: ContentHash(of: []))
    _ = try library.verify()
    _ = try library.info()
    #expect(Set(log.entries.map(\.operation)) == [.open, .read, .list, .status])
  }
}

extension [String] {
  /// The same lines, those removed at the end of the list in the order in which the other list removes them.
  ///
  /// A folder gives its names in no order.
  fileprivate func sorted(like other: [String]) -> [String] {
    let isOldFile = { (line: String) in line.hasPrefix("remove scans/") }
    let tail = filter(isOldFile)
    guard let first = firstIndex(where: isOldFile) else { return self }
    let order = other.filter(isOldFile)
    guard Set(order) == Set(tail) else { return self }
    return Array(self[..<first]) + order + Array(self[(first + tail.count)...])
  }
}
