import Foundation
import Glibc
import LibraryKeys
import Raster
import ScanLibrary
import TestSupport
import Testing

/// What a test does to a library that a fault strikes.
enum Deed: String, CaseIterable {
  case add, change, append, delete, restore, removeForGood, create, exclude, passphrase, protect, rekey

  /// Which libraries it can be done to.
  var shelves: [Shelf] {
    switch self {
    case .passphrase, .rekey: [.sealed]
    case .protect: [.open]
    default: Shelf.allCases
    }
  }

  /// Does it; the library holds two scans, "Old" and "Gone", the latter in the trash, unless it is to be created.
  func run(_ bench: Bench, at path: String, calls: FileCalls) throws(LibraryError) {
    switch self {
    case .create:
      _ = try Library.openOrCreate(at: path, making: bench.making, calls: calls)
      return
    case .protect, .rekey: return try seal(bench, at: path, calls: calls)
    default: break
    }
    let library = try Library.open(at: path, key: bench.key, calls: calls)
    switch self {
    case .create, .protect, .rekey: break
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
    case .restore: for scan in try library.trashedScans() { try library.restore(scan) }
    case .removeForGood: for scan in try library.trashedScans() { try library.removeForGood(scan) }
    case .exclude: try library.setBackup(excluded: true)
    case .passphrase:
      try library.changeSlots { _ throws(KeyError) in
        [
          try KeySlot(
            passphrase: try ScanLibraryTests.passphrase("other horse"), for: bench.old.key,
            library: bench.old.id.text,
            cost: cheapCost)
        ]
      }
    }
  }

  /// Goes on where it was stopped, too.
  private func seal(_ bench: Bench, at path: String, calls: FileCalls) throws(LibraryError) {
    let library = try bench.open(path, calls: calls)
    if library.key?.name != bench.new.key.name { try library.beginSealing(bench.new) }
    let findings = try Library.open(at: path, key: bench.new.key, calls: calls).finishSealing()
    guard findings.isEmpty else { throw .unfit("\(findings)") }
  }
}

/// A library's keys, and what opens it.
struct Bench: Sendable {
  let shelf: Shelf
  let old: NewKeys
  let new: NewKeys

  init(_ shelf: Shelf, id: ScanID = ScanID()) throws {
    self.shelf = shelf
    old = try NewKeys.cheap(id)
    new = try NewKeys.cheap(id)
  }

  var making: NewLibrary { shelf == .open ? .ownerOnly : .passphrase(old) }
  var key: LibraryKey? { shelf == .open ? nil : old.key }

  /// Opens it with the old key or the new, whichever is its own.
  func open(_ path: String, calls: FileCalls = FileCalls()) throws(LibraryError) -> Library {
    do {
      return try Library.open(at: path, key: new.key, calls: calls)
    } catch .wrongKey {
      return try Library.open(at: path, key: old.key, calls: calls)
    }
  }
}

/// All that can be seen of a library: titles, of each page its content and look, what is in the trash, and what opens it.
private struct View: Hashable {
  var scans: [[String]] = []
  var trash: [String] = []
  var isExcluded = false
  var passphrases: [Bool] = []

  init(_ path: String, _ bench: Bench) throws {
    guard FileManager.default.fileExists(atPath: path + "/library.json") else { return }
    let library = try bench.open(path)
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
    trash = try library.trashedScans().map { try $0.record.get().title }.sorted()
    isExcluded = try library.info().isExcludedFromBackup
    if case .passphrase(let slots) = library.protection {
      passphrases = ["correct horse", "other horse"].map { text in
        (try? slots.open(passphrase(text), library: library.id.text, limits: cheapLimits)) != nil
      }
    }
  }
}

@Suite("A fault in any one call to the system")
struct FaultTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var deed: Deed
    var shelf: Shelf
    var kind: Faults.Kind

    var testDescription: String { "\(deed) in a library that is \(shelf), with \(kind)" }
  }

  static let cases = Deed.allCases.flatMap { deed in
    deed.shelves.flatMap { shelf in Faults.Kind.allCases.map { Case(deed: deed, shelf: shelf, kind: $0) } }
  }

  /// Each call in turn with FLATBED_TORTURE in the environment, as `make torture` has it; else every fifth, another one for each case.
  private static let isTorture = ProcessInfo.processInfo.environment["FLATBED_TORTURE"] != nil

  @Test("leaves the old state or the new", arguments: cases.indices)
  func everyCall(_ index: Int) throws {
    let (deed, shelf, kind) = (Self.cases[index].deed, Self.cases[index].shelf, Self.cases[index].kind)
    let folder = try MemoryFolder()
    let template = folder.path("template")
    var bench = try Bench(shelf)
    if deed != .create {
      let library = try Library.openOrCreate(at: template, making: bench.making)
      bench = shelf == .open ? try Bench(shelf, id: library.id) : bench
      try library.addSample("Old", seeds: [1, 2, 3])
      try library.delete(try library.addSample("Gone", seeds: [4]).id)
    }
    func copy(_ name: String) throws -> String {
      let path = folder.path(name)
      if deed != .create { try FileManager.default.copyItem(atPath: template, toPath: path) }
      return path
    }
    let old = try View(try copy("old"), bench)
    let doneAt = try copy("done")
    try deed.run(bench, at: doneAt, calls: FileCalls())
    let new = try View(doneAt, bench)
    #expect(deed == .create || old != new || deed == .rekey)

    let step = Self.isTorture ? 1 : 5
    var number = Self.isTorture ? 1 : 1 + index % step
    while true {
      try #require(number < 3000)
      let path = try copy("at-\(number)")
      let faults = Faults(at: number, kind)
      var error: LibraryError?
      do throws(LibraryError) {
        try deed.run(bench, at: path, calls: faults.calls)
      } catch let thrown {
        error = thrown
      }
      let place = "\(Self.cases[index]) at call \(number): \(error.map { "\($0)" } ?? "no error")"
      try check(path, error, old: old, new: new, deed, kind, bench, Comment(rawValue: place))
      try FileManager.default.removeItem(atPath: path)
      if !faults.hasFired { break }
      number += step
    }
    #expect(number > 10)
  }

  private func check(
    _ path: String, _ error: LibraryError?, old: View, new: View, _ deed: Deed, _ kind: Faults.Kind,
    _ bench: Bench, _ place: Comment
  ) throws {
    let now = try View(path, bench)
    #expect(now == old || now == new, place)
    // Done is done, and a scan that is said not to be stored isn't.
    if error == nil { #expect(now == new, place) }
    if error != nil, deed == .add, kind != .crash { #expect(now == old, place) }
    if deed == .protect || deed == .rekey {
      if error != nil { try deed.run(bench, at: path, calls: FileCalls()) }
      #expect(try View(path, bench) == new, place)
      for (name, bytes) in try files(in: path) where name.hasPrefix("scans/") || name.hasPrefix("trash/") {
        #expect(SealedFile.isSealed(Array(bytes.prefix(16)), with: bench.new.key), "\(name), \(place)")
      }
    }

    // The next writer tidies up, and finds the library usable.
    let library =
      deed == .create
      ? try Library.openOrCreate(at: path, making: bench.making) : try bench.open(path)
    #expect(!library.isChangingKey)
    let next = try library.addSample("Next", seeds: [20])
    let report = try library.verify()
    #expect(report.findings == [], place)
    try library.delete(next.id)
    #expect(try View(path, bench).scans == (deed == .create ? [] : now.scans), place)
    // While another test starts a program, that one has all our files open for a moment, and with them the lock of a scan that was
    // given up. A later writer finds it free.
    for _ in 0..<500 where try !FileManager.default.contentsOfDirectory(atPath: path + "/staging").isEmpty {
      usleep(10_000)
      try library.delete(try library.addSample("Later", seeds: [21]).id)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: path + "/staging") == [], place)
  }

  @Test(
    "is told in words",
    arguments: [
      (Faults.Kind.noSpace, "no space left on device"),
      (.inputOutput, "the disk reported an input/output error"), (.denied, "permission denied"),
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
