import Foundation
import LibraryKeys
import Raster
import ScanLibrary
import TestSupport
import Testing

@Suite("A protected library")
struct SealedLibraryTests {
  let folder: TemporaryFolder
  let keys: NewKeys
  let library: Library

  init() throws {
    folder = try TemporaryFolder()
    keys = try NewKeys.cheap()
    library = try Library.makeSealed(at: folder.path("library"), keys)
  }

  private func reopened() throws -> Library { try Library.open(at: library.path, key: keys.key) }

  private func scanPath(_ scan: ScanRecord, _ name: String) -> String {
    library.path + "/scans/\(scan.id)/\(name)"
  }

  @Test("gives back what was stored, and is verified")
  func roundTrip() throws {
    let stored = try library.addSample("Diagnosis", seeds: [1, 2])
    let changed = try library.change(stored.id) { change throws(LibraryError) in
      change.setTitle("Therapy")
      try change.replacePage(
        1, png: samplePNG(9, bytes: 150_000), origin: PageOrigin(photo: 1, found: "manual"))
    }
    let pending = try library.beginScan()
    _ = try pending.addPhoto(samplePhoto(7), name: "x.jpg", format: "jpeg", fileExtension: "jpg")
    _ = try pending.addPage(png: samplePNG(7), origin: PageOrigin(photo: 1, found: "whole"))
    let longer = try pending.append(to: changed.id, at: 1)
    let again = try reopened()
    let scan = try again.find("Therapy")
    #expect(scan == longer && scan.pages.map(\.number) == [3, 4, 2])
    #expect(try again.pageBytes(scan, page: 3) == samplePNG(9, bytes: 150_000))
    #expect(try again.pageBytes(scan, page: 4) == samplePNG(7))
    #expect(try again.photoBytes(scan, photo: 2) == samplePhoto(2))
    #expect(try again.verify().findings == [])
    #expect(try FileManager.default.contentsOfDirectory(atPath: library.path + "/staging") == [])
  }

  @Test("holds no content, title or name of a photo in any byte, not even of a scan that is being built")
  func nothingInTheOpen() throws {
    try library.addSample("Diagnosis", seeds: [1, 2])
    let pending = try library.beginScan()
    _ = try pending.addPhoto(samplePhoto(3), name: "IMG_Diagnosis.JPG", format: "jpeg", fileExtension: "jpg")
    _ = try pending.addPage(png: samplePNG(3), origin: PageOrigin(photo: 1, found: "whole"))
    let secrets: [[UInt8]] =
      [
        Array("Diagnosis".utf8), Array("IMG".utf8), Array("IHDR".utf8), Array("enhanced".utf8),
        [0xFF, 0xD8, 0xFF],
      ]
      + [1, 2, 3].flatMap { seed in [Array(samplePhoto(seed)[40..<56]), Array(samplePNG(seed)[60..<76])] }
    let all = try files(in: library.path)
    #expect(all.count >= 10)
    for (name, bytes) in all {
      for secret in secrets { #expect(bytes.range(of: Data(secret)) == nil, "\(name)") }
      #expect(!name.contains("Diagnosis"))
    }
  }

  @Test("is closed without its key")
  func locked() throws {
    let path = library.path
    #expect(throws: LibraryError.locked(path: path)) { try Library.open(at: path) }
    #expect(throws: LibraryError.wrongKey(path: path)) {
      try Library.open(at: path, key: try LibraryKey.random())
    }
    let door = try Library.door(at: path)
    #expect(door.id == library.id && door.protection == .passphrase(slots: keys.slots))
    try library.addSample("x", seeds: [1])
    #expect(try Library.outside(at: path).scans == 1)
  }

  // MARK: What an attacker may try

  @Test("names a file that was altered, cut, exchanged, or taken from elsewhere")
  func tampering() throws {
    let one = try library.addSample("One", seeds: [1, 2])
    let two = try library.addSample("Two", seeds: [1, 2])
    let manager = FileManager.default
    func expectDamage(_ scan: ScanRecord, _ name: String, _ text: String) throws {
      let findings = try reopened().verify().findings
      #expect(findings.map(\.description) == ["scans/\(scan.id)/\(name) \(text)"])
      #expect(findings.allSatisfy { $0.gravity == .damage })
    }
    let path = scanPath(one, "photo-1.jpg")
    let whole = try Data(contentsOf: URL(fileURLWithPath: path))
    let elsewhere = "is not what was sealed under this name: it was altered, or belongs elsewhere"
    var flipped = whole
    flipped[100] ^= 1
    for (bytes, text) in [
      (flipped, elsewhere), (whole.dropLast(), "has 299 bytes, but its record says 300"),
      (try Data(contentsOf: URL(fileURLWithPath: scanPath(one, "photo-2.jpg"))), elsewhere),
      (try Data(contentsOf: URL(fileURLWithPath: scanPath(two, "photo-1.jpg"))), elsewhere),
      (Data(), "is empty"),
    ] {
      try bytes.write(to: URL(fileURLWithPath: path))
      try expectDamage(one, "photo-1.jpg", text)
    }
    // The same length as the sealed one, so that only its beginning tells.
    try (Data(samplePhoto(1)) + Data(count: 57)).write(to: URL(fileURLWithPath: path))
    try expectDamage(one, "photo-1.jpg", "is not sealed, as the library's files are")
    try whole.write(to: URL(fileURLWithPath: path))
    #expect(try reopened().verify().findings == [])

    let record = scanPath(one, "record.json")
    try manager.removeItem(atPath: record)
    try manager.copyItem(atPath: scanPath(two, "record.json"), toPath: record)
    #expect(
      try reopened().scans().damaged.map(\.error.description) == [
        "scan \(one.id.short) is damaged: record.json \(elsewhere)"
      ])
  }

  @Test("finds an older page that was put back under a newer record")
  func oldPage() throws {
    let scan = try library.addSample("One", seeds: [1])
    let page = scanPath(scan, "page-1-original.png")
    let old = try Data(contentsOf: URL(fileURLWithPath: page))
    let newer = try library.change(scan.id) { change throws(LibraryError) in
      try change.replacePage(1, png: samplePNG(9), origin: PageOrigin(photo: 1, found: "manual"))
    }
    // Under its old name no record names it, and under the new one it doesn't open.
    try old.write(to: URL(fileURLWithPath: page))
    let path = scanPath(scan, newer.pages[0].fileName)
    try FileManager.default.removeItem(atPath: path)
    try old.write(to: URL(fileURLWithPath: path))
    #expect(
      throws: LibraryError.damagedFile(
        scan: scan.id, file: newer.pages[0].fileName, damage: .seal(.altered(at: 0)))
    ) {
      try library.pageBytes(newer, page: newer.pages[0].number)
    }
    #expect(try !library.verify().isSound)
  }

  @Test("isn't opened, written to or made anew once library.json says that it is not protected, or is gone")
  func downgrade() throws {
    try library.addSample("One", seeds: [1])
    let header = library.path + "/library.json"
    for name in ["library.json", "library.json.copy"] {
      try """
      {"format": "flatbed-library", "version": 1, "id": "\(library.id)", "protection": "owner-only"}
      """.write(toFile: library.path + "/" + name, atomically: false, encoding: .utf8)
    }
    for open in [{ try Library.open(at: $0) }, { try Library.openOrCreate(at: $0) }]
      as [(String) throws -> Library]
    {
      #expect(throws: LibraryError.sealedBesideOpen(path: library.path)) { try open(library.path) }
    }
    // A program that had it open gives up when it writes.
    #expect(throws: LibraryError.protectionChanged(path: library.path)) {
      try library.addSample("Two", seeds: [2])
    }
    try FileManager.default.removeItem(atPath: header)
    try FileManager.default.removeItem(atPath: header + ".copy")
    let error = #expect(throws: LibraryError.self) { try Library.openOrCreate(at: library.path) }
    #expect(error?.description.hasPrefix("the library is damaged: library.json is missing") == true)
    // The same when the only scan is in the trash.
    let other = try Library.makeSealed(at: folder.path("other"))
    try other.delete(try other.addSample("x", seeds: [1]).id)
    for name in ["library.json", "library.json.copy"] {
      try FileManager.default.removeItem(atPath: other.path + "/" + name)
    }
    #expect(throws: LibraryError.self) { try Library.openOrCreate(at: other.path) }
  }

  @Test("isn't taken in by an open scan that was planted")
  func planted() throws {
    let plain = try Library.openOrCreate(at: folder.path("plain"))
    let scan = try plain.addSample("Planted", seeds: [1])
    try FileManager.default.copyItem(
      atPath: plain.path + "/scans/\(scan.id)", toPath: library.path + "/scans/\(scan.id)")
    let listing = try library.scans()
    #expect(listing.scans.isEmpty)
    #expect(
      listing.damaged.map(\.error.description) == [
        "scan \(scan.id.short) is damaged: record.json is not sealed, as the library's files are"
      ])
  }

  // MARK: The header

  @Test(
    "whose library.json is lost or broken is opened by its copy, and the next writer mends it",
    arguments: [true, false])
  func copy(isRemoved: Bool) throws {
    let scan = try library.addSample("One", seeds: [1])
    let header = library.path + "/library.json"
    if isRemoved {
      try FileManager.default.removeItem(atPath: header)
    } else {
      try Data("{\"format\": \"flat".utf8).write(to: URL(fileURLWithPath: header))
    }
    let opened = try reopened()
    #expect(try opened.scan(scan.id) == scan)
    #expect(try opened.verify().findings.map(\.file) == ["library.json"])
    try opened.addSample("Two", seeds: [2])
    #expect(try files(in: library.path)["library.json"] == files(in: library.path)["library.json.copy"])
    #expect(try opened.verify().findings == [])
  }

  @Test("gets another passphrase without any file of a scan being touched; the copy of its header too")
  func passphraseChange() throws {
    try library.addSample("One", seeds: [1])
    let before = try files(in: library.path)
    try library.changeSlots { _ throws(KeyError) in
      [
        try KeySlot(
          passphrase: try passphrase("other horse"), for: keys.key, library: library.id.text, cost: cheapCost)
      ]
    }
    let after = try files(in: library.path)
    #expect(Set(before.keys) == Set(after.keys))
    #expect(
      before.filter { after[$0.key] != $0.value }.keys.sorted() == ["library.json", "library.json.copy"])
    #expect(after["library.json"] == after["library.json.copy"])
    guard case .passphrase(let slots) = try Library.door(at: library.path).protection else { return }
    #expect(throws: KeyError.wrongPassphrase) {
      try slots.open(passphrase(), library: library.id.text, limits: cheapLimits)
    }
    #expect(
      try slots.open(passphrase("other horse"), library: library.id.text, limits: cheapLimits).secret
        .equals(keys.key.secret))
    // Who had it open goes on.
    try library.addSample("Two", seeds: [2])
  }

  @Test("keeps slots of kinds that this version doesn't know")
  func unknownSlots() throws {
    let path = library.path + "/library.json"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let more = "\"slots\": [\n    {\"kind\": \"token\", \"serial\": 12345678901234567890},"
    for name in ["", ".copy"] {
      try text.replacing("\"slots\": [", with: more).write(
        toFile: path + name, atomically: false, encoding: .utf8)
    }
    try reopened().changeSlots { $0 }
    #expect(try String(contentsOfFile: path, encoding: .utf8).contains("\"serial\": 12345678901234567890"))
    #expect(try Library.door(at: library.path).protection == .passphrase(slots: keys.slots))
  }

  // MARK: Sealing anew

  @Test("is rekeyed: the old key opens nothing any more, and a program that has it gives up")
  func rekey() throws {
    let scan = try library.addSample("One", seeds: [1, 2])
    try library.delete(try library.addSample("Gone", seeds: [3]).id)
    let pending = try library.beginScan()
    _ = try pending.addPhoto(samplePhoto(4), name: "x", format: "jpeg", fileExtension: "jpg")
    _ = try pending.addPage(png: samplePNG(4), origin: PageOrigin(photo: 1, found: "whole"))
    let new = try NewKeys.cheap(library.id)
    try library.beginSealing(new)
    #expect(throws: LibraryError.wrongKey(path: library.path)) { try reopened() }
    let half = try Library.open(at: library.path, key: new.key)
    #expect(half.isChangingKey)
    // It can be used meanwhile, and what is stored now has the new key.
    #expect(try half.scan(scan.id) == scan)
    try half.addSample("Meanwhile", seeds: [5])
    #expect(throws: LibraryError.protectionChanged(path: library.path)) {
      try pending.commit(title: "Late", mode: "bw")
    }
    #expect(try half.finishSealing() == [])
    let whole = try Library.open(at: library.path, key: new.key)
    #expect(!whole.isChangingKey)
    #expect(try Set(whole.scans().scans.map(\.title)) == ["One", "Meanwhile"])
    #expect(try whole.trashedScans().map { try $0.record.get().title } == ["Gone"])
    #expect(try whole.verify().findings == [])
    #expect(throws: LibraryError.damagedFile(scan: scan.id, file: "photo-1.jpg", damage: .seal(.otherKey))) {
      try library.photoBytes(scan, photo: 1)
    }
  }

  @Test("is made of an open one: each file is sealed, and none is left open")
  func convert() throws {
    let plain = try Library.openOrCreate(at: folder.path("plain"))
    let scan = try plain.addSample("One", seeds: [1, 2])
    try plain.delete(try plain.addSample("Gone", seeds: [3]).id)
    let new = try NewKeys.cheap(plain.id)
    try plain.beginSealing(new)
    #expect(throws: LibraryError.protectionChanged(path: plain.path)) {
      try plain.addSample("Late", seeds: [4])
    }
    let half = try Library.open(at: plain.path, key: new.key)
    #expect(try half.scan(scan.id) == scan && half.pageBytes(scan, page: 2) == samplePNG(2))
    #expect(try half.finishSealing() == [])
    let sealed = try Library.open(at: plain.path, key: new.key)
    #expect(!sealed.isChangingKey)
    #expect(try sealed.pageBytes(scan, page: 2) == samplePNG(2))
    #expect(try sealed.verify().findings == [])
    for (name, bytes) in try files(in: plain.path) where name.contains("/") {
      #expect(SealedFile.isSealed(Array(bytes.prefix(16)), with: new.key), "\(name)")
    }
  }

  @Test("stays half made as long as a file is damaged, which stays as it is")
  func convertDamaged() throws {
    let plain = try Library.openOrCreate(at: folder.path("plain"))
    let scan = try plain.addSample("One", seeds: [1, 2])
    let damaged = plain.path + "/scans/\(scan.id)/photo-1.jpg"
    try Data("rotten".utf8).write(to: URL(fileURLWithPath: damaged))
    let new = try NewKeys.cheap(plain.id)
    try plain.beginSealing(new)
    let findings = try Library.open(at: plain.path, key: new.key).finishSealing()
    #expect(findings.map(\.file) == ["scans/\(scan.id)/photo-1.jpg"])
    #expect(try Data(contentsOf: URL(fileURLWithPath: damaged)) == Data("rotten".utf8))
    let half = try Library.open(at: plain.path, key: new.key)
    #expect(half.isChangingKey)
    try half.change(scan.id) { change throws(LibraryError) in try change.setAside(photo: 1) }
    #expect(try half.finishSealing() == [])
    #expect(try Library.open(at: plain.path, key: new.key).verify().findings == [])
  }
}
