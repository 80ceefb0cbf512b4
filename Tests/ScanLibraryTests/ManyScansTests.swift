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

  @Test("is listed as it is now, whatever was read before", arguments: Shelf.allCases)
  func listingAgain(shelf: Shelf) throws {
    let folder = try MemoryFolder()
    let path = folder.path("library")
    let library = try shelf == .open ? Library.openOrCreate(at: path) : Library.makeSealed(at: path)
    // More than one thread reads at a time.
    let scans = try (0..<3 * 32 + 5).map { index in
      try library.addSample("Scan \(index)", createdAt: Timestamp(milliseconds: index * 1000))
    }
    var titles = scans.map(\.title)
    func expectListed(damaged: [ScanID] = []) throws {
      for reader in [library, try Library.open(at: path, key: library.key)] {
        let listing = try reader.scans()
        #expect(listing.scans.map(\.title) == titles)
        #expect(listing.damaged.map(\.id) == damaged.sorted())
        let summaries = try reader.summaries()
        #expect(summaries.scans == listing.scans.map(\.summary) && summaries.damaged == listing.damaged)
        for scan in listing.scans { #expect(try reader.scan(scan.id) == scan) }
      }
    }
    try expectListed()
    let other = try Library.open(at: path, key: library.key)
    // Changed, added, removed, and put back.
    let old = try Data(contentsOf: URL(fileURLWithPath: path + "/scans/\(scans[40].id)/record.json"))
    try other.change(scans[40].id) { $0.setTitle("Changed") }
    titles[40] = "Changed"
    try expectListed()
    try other.addSample("Added", createdAt: Timestamp(milliseconds: 1_000_000))
    titles.append("Added")
    try other.delete(scans[7].id)
    titles.remove(at: 7)
    try expectListed()
    try old.write(to: URL(fileURLWithPath: path + "/scans/\(scans[40].id)/record.json"))
    titles[39] = "Scan 40"
    try expectListed()
    try other.restore(try #require(try other.trashedScans().first))
    titles.insert("Scan 7", at: 7)
    try expectListed()
    // One that is damaged, one without a record, and one that is a link to another hide none of the rest.
    let manager = FileManager.default
    try Data("{".utf8).write(to: URL(fileURLWithPath: path + "/scans/\(scans[50].id)/record.json"))
    try manager.removeItem(atPath: path + "/scans/\(scans[60].id)/record.json")
    try manager.copyItem(atPath: path + "/scans/\(scans[70].id)", toPath: folder.path("elsewhere"))
    try manager.removeItem(atPath: path + "/scans/\(scans[70].id)")
    try manager.createSymbolicLink(
      atPath: path + "/scans/\(scans[70].id)", withDestinationPath: folder.path("elsewhere"))
    titles.removeAll { ["Scan 50", "Scan 60", "Scan 70"].contains($0) }
    try expectListed(damaged: [scans[50].id, scans[60].id, scans[70].id])
  }

  @Test("that is only to be listed is refused all the same when it lies open and has a sealed scan")
  func sealedAmongOpen() throws {
    let folder = try MemoryFolder()
    let path = folder.path("library")
    let library = try Library.openOrCreate(at: path)
    for index in 0..<70 { try library.addSample("Scan \(index)") }
    let sealed = try Library.makeSealed(at: folder.path("sealed"))
    let scan = try sealed.addSample("Sealed")
    let place = path + "/scans/\(scan.id)"
    try FileManager.default.copyItem(atPath: sealed.path + "/scans/\(scan.id)", toPath: place)
    let refusal = LibraryError.sealedBesideOpen(path: path)
    let reader = try Library.open(at: path, isListed: true)
    #expect(throws: refusal) { try reader.summaries() }
    #expect(throws: refusal) { try reader.scans() }
    #expect(throws: refusal) { try reader.find("Scan 1") }
    #expect(throws: refusal) { try reader.find(scan.id.text) }
    #expect(throws: refusal) { try Library.open(at: path) }
    try FileManager.default.moveItem(atPath: place, toPath: path + "/trash/\(scan.id).5")
    #expect(throws: refusal) { try Library.open(at: path, isListed: true) }
    try FileManager.default.removeItem(atPath: path + "/trash/\(scan.id).5")
    #expect(try Library.open(at: path, isListed: true).find("Scan 1").title == "Scan 1")
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
