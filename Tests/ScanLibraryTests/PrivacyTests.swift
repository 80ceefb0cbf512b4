import Foundation
import Glibc
import ScanLibrary
import TestSupport
import Testing

@Suite("Privacy")
struct PrivacyTests {
  /// Every file and folder of a library, with its permissions.
  static func permissions(_ path: String) throws -> [String: Int] {
    var all = ["": try permission(path)]
    for name in try FileManager.default.subpathsOfDirectory(atPath: path) {
      all[name] = try permission(path + "/" + name)
    }
    return all
  }

  static func permission(_ path: String) throws -> Int {
    try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
  }

  @Test("All is the owner's alone, whatever the umask", arguments: [0o000, 0o022, 0o077, 0o777])
  func umask(_ mask: Int) async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a/library")
    // The umask belongs to the process: a process of its own has it.
    await #expect(processExitsWith: .success) { [path = path as String, mask = mask as Int] in
      _ = Glibc.umask(mode_t(mask))
      let library = try Library.openOrCreate(at: path)
      let scan = try library.addSample(seeds: [1, 2])
      try library.change(scan.id) { change throws(LibraryError) in
        try change.replacePage(1, png: samplePNG(5), origin: PageOrigin(photo: 1, found: "manual"))
      }
      try library.setBackup(excluded: true)
      // Left as if the program were killed here.
      let pending = try library.beginScan()
      _ = try pending.addPhoto(samplePhoto(1), name: "x", format: "jpeg", fileExtension: "jpg")
      exit(0)
    }
    let all = try Self.permissions(path)
    #expect(all.count >= 15)
    for (name, permission) in all {
      let isFolder =
        try FileManager.default.attributesOfItem(atPath: path + "/" + name)[.type] as? FileAttributeType
        == .typeDirectory
      #expect(permission == (isFolder ? 0o700 : 0o600), "\(name)")
    }
    #expect(try Self.permission(folder.path("a")) == 0o700)
  }

  @Test("No name in the library tells of a title or of a photo's name")
  func names() throws {
    let folder = try TemporaryFolder()
    let library = try Library.openOrCreate(at: folder.path("library"))
    try library.addSample("Diagnosis")
    for name in try FileManager.default.subpathsOfDirectory(atPath: library.path) {
      #expect(!name.contains("Diagnosis") && !name.contains("IMG"))
    }
  }

  @Test("While a scan is built, its content lies in the staging folder alone, and goes when it is discarded")
  func staging() throws {
    let folder = try TemporaryFolder()
    let library = try Library.openOrCreate(at: folder.path("library"))
    let manager = FileManager.default
    let pending = try library.beginScan()
    _ = try pending.addPhoto(samplePhoto(1), name: "x", format: "jpeg", fileExtension: "jpg")
    #expect(
      try Set(manager.subpathsOfDirectory(atPath: library.path)) == [
        "library.json", "lock", "scans", "trash", "staging", "staging/\(pending.id)",
        "staging/\(pending.id).lock",
        "staging/\(pending.id)/photo-1.jpg",
      ])
    pending.discard()
    #expect(try manager.contentsOfDirectory(atPath: library.path + "/staging") == [])
    do {
      let dropped = try library.beginScan()
      _ = try dropped.addPhoto(samplePhoto(1), name: "x", format: "jpeg", fileExtension: "jpg")
    }
    #expect(try manager.contentsOfDirectory(atPath: library.path + "/staging") == [])
    #expect(try library.scans().scans.isEmpty)
  }

  @Test("A photo that turns out broken is taken out of a scan being built, and nothing of it stays")
  func removeLastPhoto() throws {
    let folder = try TemporaryFolder()
    let library = try Library.openOrCreate(at: folder.path("library"))
    let pending = try library.beginScan()
    func add(_ seed: UInt8, pages: Int) throws -> Int {
      let photo = try pending.addPhoto(
        samplePhoto(seed), name: "\(seed)", format: "tiff", fileExtension: "tif")
      for frame in 0..<pages {
        _ = try pending.addPage(
          png: samplePNG(seed &+ UInt8(frame)), origin: PageOrigin(photo: photo, frame: frame, found: "whole")
        )
      }
      return photo
    }
    let good = try add(1, pages: 2)
    let broken = try add(10, pages: 3)
    #expect(pending.pageCount == 5)
    #expect(throws: LibraryError.noSuchPhoto(scan: pending.id, number: good)) {
      try pending.removeLastPhoto(good)
    }
    try pending.removeLastPhoto(broken)
    #expect(pending.pageCount == 2)
    #expect(try add(20, pages: 1) == broken)
    let scan = try pending.commit(title: "x", mode: "bw")
    #expect(scan.photos.map(\.name) == ["1", "20"])
    #expect(scan.pages.map(\.origin.photo) == [1, 1, 2])
    #expect(try library.pageBytes(scan, page: 3) == samplePNG(20))
    #expect(try library.verify().findings == [])
    #expect(throws: LibraryError.finished) { try pending.removeLastPhoto(2) }
  }

  @Test("A removed page takes its photo with it, unless another page comes from it")
  func removedPages() throws {
    let folder = try TemporaryFolder()
    let library = try Library.openOrCreate(at: folder.path("library"))
    let pending = try library.beginScan()
    for seed: UInt8 in [1, 2] {
      _ = try pending.addPhoto(samplePhoto(seed), name: "x", format: "tiff", fileExtension: "tif")
    }
    for (seed, photo, frame) in [(1, 1, 0), (2, 1, 1), (3, 2, 0)] as [(UInt8, Int, Int)] {
      _ = try pending.addPage(
        png: samplePNG(seed), origin: PageOrigin(photo: photo, frame: frame, found: "whole"))
    }
    let scan = try pending.commit(title: "x", mode: "bw")
    let shorter = try library.change(scan.id) { change throws(LibraryError) in try change.removePages([1, 3])
    }
    #expect(shorter.photos.map(\.number) == [1])
    #expect(
      try Set(FileManager.default.contentsOfDirectory(atPath: library.path + "/scans/\(scan.id)")) == [
        "record.json", "photo-1.tif", "page-2-original.png",
      ])
    #expect(throws: LibraryError.noPages) {
      try library.change(scan.id) { change throws(LibraryError) in try change.removePages([2]) }
    }
    // Numbers that were given are not given again.
    let longer = try library.beginScan()
    _ = try longer.addPhoto(samplePhoto(9), name: "x", format: "jpeg", fileExtension: "jpg")
    _ = try longer.addPage(png: samplePNG(9), origin: PageOrigin(photo: 1, found: "whole"))
    let appended = try longer.append(to: scan.id)
    #expect(appended.pages.map(\.fileName) == ["page-2-original.png", "page-4-original.png"])
    #expect(appended.photos.map(\.fileName) == ["photo-1.tif", "photo-3.jpg"])
  }
}
