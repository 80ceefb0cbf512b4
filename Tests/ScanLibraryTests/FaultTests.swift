import Foundation
import Raster
import ScanLibrary
import TestSupport
import Testing

/// What a test does to a library that a fault strikes.
enum Deed: String, CaseIterable {
  case add, change, append, delete, create, exclude

  /// Does it; the library holds one scan, unless it is to be created.
  func run(at path: String, calls: FileCalls) throws(LibraryError) {
    let library = try Library.openOrCreate(at: path, calls: calls)
    switch self {
    case .create: break
    case .add: try library.addSample("New", seeds: [7, 8])
    case .append:
      let scan = try library.find("Old")
      let pending = try library.beginScan()
      for seed: UInt8 in [7, 8] {
        let photo = try pending.addPhoto(
          samplePhoto(seed), name: "n.jpg", format: "jpeg", fileExtension: "jpg")
        _ = try pending.addPage(
          png: samplePNG(seed), origin: PageOrigin(photo: photo, found: "whole"))
      }
      _ = try pending.append(to: scan.id, at: 1)
    case .change:
      try library.change(try library.find("Old").id) { change throws(LibraryError) in
        change.setTitle("New")
        try change.removePages([1])
        try change.reorderPages([3, 2])
        try change.replacePage(2, png: samplePNG(9), origin: PageOrigin(photo: 2, found: "manual"))
        try change.setLook(page: 3, PageLook(turn: .half, mode: "bw"))
      }
    case .delete: try library.delete(try library.find("Old").id)
    case .exclude: try library.setBackup(excluded: true)
    }
  }
}

/// All that can be seen of a library: titles, and of each page its content and look.
private struct View: Hashable {
  var scans: [[String]] = []
  var isExcluded = false

  init(_ path: String) throws {
    guard FileManager.default.fileExists(atPath: path + "/library.json") else { return }
    let library = try Library.open(at: path)
    let listing = try library.scans()
    #expect(listing.damaged.isEmpty)
    for scan in listing.scans {
      var lines = [scan.title, scan.mode]
      for page in scan.pages {
        let content = try library.pageBytes(scan, page: page.number)
        let photo = try library.photoBytes(scan, photo: page.origin.photo)
        lines.append("\(ContentHash(of: content)) \(page.look) \(ContentHash(of: photo))")
      }
      scans.append(lines)
    }
    isExcluded = try library.info().isExcludedFromBackup
  }
}

@Suite("A fault in any one call to the system")
struct FaultTests {
  @Test("leaves the old state or the new", arguments: Deed.allCases, Faults.Kind.allCases)
  func everyCall(_ deed: Deed, _ kind: Faults.Kind) throws {
    let folder = try MemoryFolder()
    let template = folder.path("template")
    if deed != .create {
      try Library.openOrCreate(at: template).addSample("Old", seeds: [1, 2, 3])
    }
    func copy(_ name: String) throws -> String {
      let path = folder.path(name)
      if deed != .create { try FileManager.default.copyItem(atPath: template, toPath: path) }
      return path
    }
    let old = try View(try copy("old"))
    let doneAt = try copy("done")
    try deed.run(at: doneAt, calls: FileCalls())
    let new = try View(doneAt)
    #expect(deed == .create || old != new)

    var number = 0
    while true {
      number += 1
      try #require(number < 1000)
      let path = try copy("at-\(number)")
      let faults = Faults(at: number, kind)
      var error: LibraryError?
      do throws(LibraryError) {
        try deed.run(at: path, calls: faults.calls)
      } catch let thrown {
        error = thrown
      }
      try check(path, error, old: old, new: new, deed, kind, number)
      try FileManager.default.removeItem(atPath: path)
      if !faults.hasFired { break }
    }
    #expect(number > 10)
  }

  private func check(
    _ path: String, _ error: LibraryError?, old: View, new: View, _ deed: Deed, _ kind: Faults.Kind,
    _ number: Int
  ) throws {
    let place = Comment(
      rawValue: "\(deed), \(kind) at call \(number): \(error.map { "\($0)" } ?? "no error")")
    let now = try View(path)
    #expect(now == old || now == new, place)
    // Done is done, and a scan that is said not to be stored isn't.
    if error == nil { #expect(now == new, place) }
    if error != nil, deed == .add, kind != .crash { #expect(now == old, place) }

    // The next writer tidies up, and finds the library usable.
    let library = try Library.openOrCreate(at: path)
    let next = try library.addSample("Next", seeds: [20])
    let report = try library.verify()
    #expect(report.findings == [], place)
    try library.delete(next.id)
    #expect(try View(path).scans == now.scans, place)
    #expect(try FileManager.default.contentsOfDirectory(atPath: path + "/staging") == [], place)
  }

  @Test(
    "is told in words",
    arguments: [
      (Faults.Kind.noSpace, "no space left on device"),
      (.inputOutput, "the disk reported an input/output error"),
    ])
  func words(_ kind: Faults.Kind, _ text: String) throws {
    let folder = try TemporaryFolder()
    let error = #expect(throws: LibraryError.self) {
      try Library.openOrCreate(at: folder.path("library"), calls: Faults(at: 1, kind).calls)
    }
    #expect(error?.description == text)
    #expect(error?.path == folder.path("library"))
  }
}
