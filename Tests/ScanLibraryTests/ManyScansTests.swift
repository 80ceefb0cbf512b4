import Foundation
import ScanLibrary
import TestSupport
import Testing

@Suite("A large library")
struct ManyScansTests {
  /// As many copies of one scan's record as asked for, each under an id and a photo hash of its own.
  private func fill(_ library: Library, _ count: Int) throws -> ScanRecord {
    let scan = try library.addSample(seeds: [1, 2, 3])
    let scans = library.path + "/scans/"
    let text = try String(contentsOfFile: scans + "\(scan.id)/record.json", encoding: .utf8)
    let hash = scan.photos[0].file.sha256.hex
    for index in 1..<count {
      let id = ScanID()
      try FileManager.default.createDirectory(
        atPath: scans + id.text, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
      try text.replacing(scan.id.text, with: id.text)
        .replacing(hash, with: ContentHash(of: Array("\(index)".utf8)).hex)
        .replacing("\"Receipt\"", with: "\"Receipt \(index)\"")
        .write(toFile: scans + "\(id)/record.json", atomically: false, encoding: .utf8)
    }
    return scan
  }

  @Test("is listed and searched in well under a second or so")
  func listing() throws {
    let folder = try MemoryFolder()
    let library = try Library.openOrCreate(at: folder.path("library"))
    let scan = try fill(library, 5000)
    let clock = ContinuousClock()
    let cold = try Library.open(at: library.path)
    var count = 0
    let listing = try clock.measure { count = try cold.scans().scans.count }
    #expect(count == 5000)
    let searches = try clock.measure {
      for index in stride(from: 1, to: 5000, by: 100) {
        let found = try cold.scan(holdingPhoto: ContentHash(of: Array("\(index)".utf8)))
        #expect(found?.scan.title == "Receipt \(index)")
      }
    }
    #expect(try cold.scan(holdingPhoto: ContentHash(of: [])) == nil)
    #expect(try cold.find("Receipt 4711").title == "Receipt 4711")
    #expect(try cold.find(scan.id.short).id == scan.id)
    // Ten times what it takes on an idle machine: the bound is for mistakes that make it grow with the square.
    #expect(listing < .seconds(10))
    #expect(searches < .seconds(10))
  }

  @Test("The same photo is noticed, in the oldest scan that holds it, until that is gone")
  func duplicates() throws {
    let folder = try TemporaryFolder()
    let library = try Library.openOrCreate(at: folder.path("library"))
    let hash = ContentHash(of: samplePhoto(2))
    #expect(try library.scan(holdingPhoto: hash) == nil)
    let new = try library.addSample("New", seeds: [2], createdAt: Timestamp(milliseconds: 2000))
    let old = try library.addSample("Old", seeds: [1, 2], createdAt: Timestamp(milliseconds: 1000))
    let found = try library.scan(holdingPhoto: hash)
    #expect(found?.scan.id == old.id && found?.photo.number == 2)
    // Another program changes it; the answer is of now.
    try Library.open(at: library.path).change(old.id) { change throws(LibraryError) in
      try change.removePages([2])
    }
    #expect(try library.scan(holdingPhoto: hash)?.scan.id == new.id)
    try Library.open(at: library.path).delete(new.id)
    #expect(try library.scan(holdingPhoto: hash) == nil)
  }

  @Test("copied as a folder is a library of its own right")
  func copy() throws {
    let folder = try TemporaryFolder()
    let library = try Library.openOrCreate(at: folder.path("library"))
    let scan = try library.addSample(seeds: [1, 2])
    try FileManager.default.copyItem(atPath: library.path, toPath: folder.path("backup"))
    try library.delete(scan.id)
    let copy = try Library.open(at: folder.path("backup"))
    #expect(try copy.verify().findings == [])
    #expect(try copy.scans().scans == [scan])
    #expect(try copy.pageBytes(scan, page: 2) == samplePNG(2))
  }
}
