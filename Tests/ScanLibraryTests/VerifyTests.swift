import Foundation
import Glibc
import ScanLibrary
import TestSupport
import Testing

@Suite("Verify")
struct VerifyTests {
  let folder: TemporaryFolder
  let library: Library
  let scan: ScanRecord

  init() throws {
    folder = try TemporaryFolder()
    library = try Library.openOrCreate(at: folder.path("library"))
    scan = try library.addSample(seeds: [1, 2])
    try library.addSample("Untouched", seeds: [3])
  }

  private func path(_ name: String) -> String { library.path + "/scans/\(scan.id)/\(name)" }

  @Test("of a whole library finds nothing, and tells how far it is")
  func whole() throws {
    var steps: [VerifyProgress] = []
    let report = try library.verify { steps.append($0) }
    #expect(report.findings == [])
    #expect(report.isSound)
    #expect(report.scans == 2 && report.files == 8 && report.bytes == 3 * 500)
    #expect(steps.map(\.scans) == [1, 2])
    #expect(steps.map(\.totalScans) == [2, 2] && steps.last?.bytes == 1500 && steps.last?.totalBytes == 1500)
  }

  /// A way to damage a file, and what is said of it.
  enum Harm: CaseIterable {
    case empty, shorter, longer, flipped, missing, folder, link, pipe

    func apply(_ path: String) throws {
      let url = URL(fileURLWithPath: path)
      var data = try Data(contentsOf: url)
      try FileManager.default.removeItem(atPath: path)
      switch self {
      case .missing: return
      case .empty: data = Data()
      case .shorter: data.removeLast()
      case .longer: data.append(0)
      case .flipped: data[data.count / 2] ^= 1
      case .folder:
        return try FileManager.default.createDirectory(
          at: url, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
      case .link:
        return try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "record.json")
      case .pipe:
        try #require(unsafe mkfifo(path, 0o600) == 0)
        return
      }
      try data.write(to: url)
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }

    func damage(_ size: Int) -> FileDamage {
      switch self {
      case .empty: .empty
      case .shorter: .wrongSize(found: size - 1, recorded: size)
      case .longer: .wrongSize(found: size + 1, recorded: size)
      case .flipped: .altered
      case .missing: .missing
      case .folder, .link, .pipe: .notAFile
      }
    }
  }

  @Test("names a file that is not what was stored; so does reading it", arguments: Harm.allCases)
  func harm(_ harm: Harm) throws {
    try harm.apply(path("photo-2.jpg"))
    try harm.apply(path("page-1-original.png"))
    let report = try library.verify()
    #expect(!report.isSound)
    #expect(
      report.findings.map(\.description) == [
        "scans/\(scan.id)/photo-2.jpg \(harm.damage(300))",
        "scans/\(scan.id)/page-1-original.png \(harm.damage(200))",
      ])
    #expect(report.findings.allSatisfy { $0.gravity == .damage && $0.scan == scan.id })
    #expect(throws: LibraryError.damagedFile(scan: scan.id, file: "photo-2.jpg", damage: harm.damage(300))) {
      try library.photoBytes(scan, photo: 2)
    }
    #expect(
      throws: LibraryError.damagedFile(scan: scan.id, file: "page-1-original.png", damage: harm.damage(200))
    ) {
      try library.pageBytes(scan, page: 1)
    }
    #expect(try library.pageBytes(scan, page: 2) == samplePNG(2))
  }

  @Test("finds every flipped bit of every kind of file, at any place")
  func everyByte() throws {
    for name in ["photo-1.jpg", "page-2-original.png"] {
      let url = URL(fileURLWithPath: path(name))
      let whole = try Data(contentsOf: url)
      for place in stride(from: 0, to: whole.count, by: 37) {
        var data = whole
        data[place] ^= 0x10
        try data.write(to: url)
        #expect(try !library.verify().isSound, "\(name) at \(place)")
      }
      try whole.write(to: url)
    }
  }

  @Test("tells of files that belong to nothing")
  func strays() throws {
    for name in [
      "note.txt", "scans/note.txt", "scans/\(scan.id)/note.txt", "scans/\(scan.id)/page-9-original.png",
    ] {
      let file = library.path + "/" + name
      try Data("x".utf8).write(to: URL(fileURLWithPath: file))
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
    }
    let report = try library.verify()
    #expect(report.isSound)
    #expect(
      Set(report.findings.map(\.description)) == [
        "note.txt is not a file of the library", "scans/note.txt is not a scan",
        "scans/\(scan.id)/note.txt is not named by the scan's record",
        "scans/\(scan.id)/page-9-original.png is not named by the scan's record",
      ])
    // A change of the scan removes what has a name of ours, and nothing else.
    try library.change(scan.id) { $0.setTitle("x") }
    #expect(
      try Set(FileManager.default.contentsOfDirectory(atPath: path(""))) == [
        "record.json", "photo-1.jpg", "photo-2.jpg", "page-1-original.png", "page-2-original.png", "note.txt",
      ])
  }

  @Test("tells of what others may read")
  func permissions() throws {
    for (name, mode) in [
      ("", 0o755), ("scans/\(scan.id)", 0o750), ("scans/\(scan.id)/photo-1.jpg", 0o644),
      ("library.json", 0o604),
    ] {
      try FileManager.default.setAttributes(
        [.posixPermissions: mode], ofItemAtPath: library.path + "/" + name)
    }
    let report = try library.verify()
    #expect(report.isSound)
    #expect(report.findings.allSatisfy { $0.gravity == .exposed })
    #expect(
      Set(report.findings.map(\.description)) == [
        "the library's folder may be used by others than its owner (permissions 0755)",
        "scans/\(scan.id) may be used by others than its owner (permissions 0750)",
        "scans/\(scan.id)/photo-1.jpg may be used by others than its owner (permissions 0644)",
        "library.json may be used by others than its owner (permissions 0604)",
      ])
  }

  @Test(
    "a file that the disk can't read is damage, to verify and to a repair; one that isn't allowed to be read is not"
  )
  func unreadable() throws {
    func opened(_ code: Int32, _ name: String) throws -> Library {
      let calls = FileCalls { [scan] operation, path in
        operation == .read && path.hasSuffix("\(scan.id)/\(name)") ? .fail(code) : nil
      }
      return try Library.open(at: library.path, calls: calls)
    }
    let damaged = try opened(EIO, "photo-2.jpg")
    #expect(try damaged.verify().findings.map(\.file) == ["scans/\(scan.id)/photo-2.jpg"])
    #expect(try damaged.damage(of: scan).photos == [2: .unreadable(code: EIO)])
    #expect(throws: LibraryError.self) { try opened(EACCES, "photo-2.jpg").damage(of: scan) }
    for (code, isDamage) in [(EIO, true), (EACCES, false)] {
      let listing = try opened(code, "record.json").scans()
      #expect(listing.damaged.map(\.id) == [scan.id] && listing.damaged.map(\.isDamage) == [isDamage])
    }
  }

  @Test("finds a page whose record tells another size in pixels")
  func pageSize() throws {
    let text = try String(contentsOfFile: path("record.json"), encoding: .utf8)
    try text.replacing("\"width\": 3", with: "\"width\": 4").write(
      toFile: path("record.json"), atomically: false, encoding: .utf8)
    #expect(try library.verify().findings.first?.text == "is not a PNG of 4 × 2 pixels, as its record says")
    #expect(try library.damage(of: library.scan(scan.id)).pages == [1: .altered, 2: .altered])
  }

  @Test("finds nothing wrong while scans are added, changed and deleted")
  func whileWriting() async throws {
    let path = library.path
    try await withThrowingTaskGroup(of: Void.self) { group in
      for seed: UInt8 in [40, 80] {
        group.addTask {
          let writer = try Library.open(at: path)
          for round: UInt8 in 0..<12 {
            let scan = try writer.addSample("Moving \(seed)", seeds: [seed + round, seed + round + 1])
            try writer.change(scan.id) { change throws(LibraryError) in
              try change.replacePage(1, png: samplePNG(seed), origin: PageOrigin(photo: 1, found: "manual"))
            }
            if round % 2 == 0 { try writer.delete(scan.id) }
          }
        }
      }
      group.addTask {
        let reader = try Library.open(at: path)
        for _ in 0..<40 {
          let findings = try reader.verify().findings
          #expect(findings == [])
          #expect(try reader.scans().damaged.isEmpty)
        }
      }
      try await group.waitForAll()
    }
    #expect(try library.verify().findings == [])
    #expect(try library.scans().scans.count == 2 + 12)
  }
}
