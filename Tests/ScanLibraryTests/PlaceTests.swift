import Foundation
import Glibc
import ScanLibrary
import TestSupport
import Testing

@Suite("The library's place")
struct PlaceTests {
  @Test(
    "is FLATBED_LIBRARY, else XDG_DATA_HOME, else the home folder",
    arguments: [
      (["FLATBED_LIBRARY": "rel/lib", "XDG_DATA_HOME": "/x", "HOME": "/h"], "rel/lib"),
      (["XDG_DATA_HOME": "/x", "HOME": "/h"], "/x/flatbed"),
      (["XDG_DATA_HOME": "/x/", "HOME": "/h"], "/x/flatbed"),
      (["XDG_DATA_HOME": "relative", "HOME": "/h"], "/h/.local/share/flatbed"),
      (["FLATBED_LIBRARY": "", "XDG_DATA_HOME": "", "HOME": "/"], "/.local/share/flatbed"),
    ])
  func place(_ environment: [String: String], _ path: String) throws {
    #expect(try defaultLibraryPath(environment: environment) == path)
  }

  @Test("must be told by something")
  func nowhere() {
    #expect(throws: LibraryError.noPlace) { try defaultLibraryPath(environment: ["HOME": ""]) }
  }

  @Test("may be missing: then there is none, and it is made when asked for, with the folders above")
  func missing() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a/b/library")
    #expect(throws: LibraryError.noLibrary(path: path)) { try Library.open(at: path) }
    let library = try Library.openOrCreate(at: path)
    #expect(try Library.openOrCreate(at: path).id == library.id)
  }

  @Test("may be an empty folder, and a relative path, and end in a slash")
  func empty() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.path("empty"), withIntermediateDirectories: false)
    #expect(throws: LibraryError.notALibrary(path: folder.path("empty"), holdsOtherFiles: false)) {
      try Library.open(at: folder.path("empty"))
    }
    try Library.openOrCreate(at: folder.path("empty") + "/").addSample()
    #expect(try Library.open(at: folder.path("empty")).verify().findings == [])
    try Library.openOrCreate(at: folder.path("new//deep/./er/") + "/").addSample()
    #expect(try Library.open(at: folder.path("new/deep/er")).verify().findings == [])
  }

  @Test("is never a folder with other files, a file, or a broken library.json")
  func notOurs() throws {
    let folder = try TemporaryFolder()
    try Data("x".utf8).write(to: URL(fileURLWithPath: folder.path("letter.txt")))
    let before = try FileManager.default.attributesOfItem(atPath: folder.path)[.posixPermissions] as? Int
    #expect(throws: LibraryError.notALibrary(path: folder.path, holdsOtherFiles: true)) {
      try Library.openOrCreate(at: folder.path)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["letter.txt"])
    #expect(
      try FileManager.default.attributesOfItem(atPath: folder.path)[.posixPermissions] as? Int == before)
    let error = #expect(throws: LibraryError.self) {
      try Library.openOrCreate(at: folder.path("letter.txt"))
    }
    #expect(error?.description == "not a folder")
    let path = folder.path("library")
    _ = try Library.openOrCreate(at: path)
    let header = path + "/library.json"
    for (text, reason) in [
      ("", "is not JSON"), ("[]", "not an object"), ("{\"format\": \"other\"}", "not of a Flatbed library"),
      ("{\"format\": \"flatbed-library\", \"version\": 1}", "has no \"id\""),
    ] {
      try text.write(toFile: header, atomically: true, encoding: .utf8)
      let error = #expect(throws: LibraryError.self) { try Library.openOrCreate(at: path) }
      #expect(error?.description.contains(reason) == true, "\(String(describing: error))")
    }
  }

  @Test("may be reached through a symbolic link; inside, none is followed")
  func links() throws {
    let folder = try TemporaryFolder()
    let library = try Library.openOrCreate(at: folder.path("real"))
    let scan = try library.addSample()
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link"), withDestinationPath: folder.path("real"))
    let linked = try Library.openOrCreate(at: folder.path("link"))
    #expect(try linked.scan(scan.id) == scan)
    let page = library.path + "/scans/\(scan.id)/page-1-original.png"
    try FileManager.default.moveItem(atPath: page, toPath: folder.path("elsewhere.png"))
    try FileManager.default.createSymbolicLink(
      atPath: page, withDestinationPath: folder.path("elsewhere.png"))
    #expect(throws: LibraryError.damagedFile(scan: scan.id, file: "page-1-original.png", damage: .notAFile)) {
      try linked.pageBytes(scan, page: 1)
    }
  }

  @Test("of a newer format or an unknown protection isn't written to")
  func newer() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("library")
    let scan = try Library.openOrCreate(at: path).addSample()
    let header = try String(contentsOfFile: path + "/library.json", encoding: .utf8)
    try header.replacing("\"version\": 1", with: "\"version\": 9")
      .write(toFile: path + "/library.json", atomically: true, encoding: .utf8)
    let library = try Library.open(at: path)
    #expect(try library.scans().scans == [scan])
    let newer = LibraryError.newerFormat(path: path, found: 9, known: 2)
    #expect(throws: newer) { try library.beginScan() }
    #expect(throws: newer) { try library.delete(scan.id) }
    #expect(throws: newer) { try library.change(scan.id) { $0.setTitle("x") } }
    #expect(throws: newer) { try library.setBackup(excluded: true) }
    try header.replacing("owner-only", with: "riddle")
      .write(toFile: path + "/library.json", atomically: true, encoding: .utf8)
    #expect(throws: LibraryError.unknownProtection(path: path, name: "riddle")) { try Library.open(at: path) }
  }

  @Test("tells in library.json what it is, and keeps what it doesn't know")
  func header() throws {
    let folder = try TemporaryFolder()
    let library = try Library.openOrCreate(at: folder.path("library"))
    let object = try #require(
      JSONSerialization.jsonObject(
        with: Data(contentsOf: URL(fileURLWithPath: library.path + "/library.json")))
        as? [String: Any])
    #expect(object["format"] as? String == "flatbed-library")
    #expect(object["version"] as? Int == 1)
    #expect(object["id"] as? String == library.id.text)
    #expect(object["protection"] as? String == "owner-only")
    #expect(object.count == 4)
  }

  @Test("asks backups to pass by, and no longer")
  func backup() throws {
    let folder = try TemporaryFolder()
    let library = try Library.openOrCreate(at: folder.path("library"))
    let mark = library.path + "/.nobackup"
    #expect(try !library.info().isExcludedFromBackup)
    for excluded in [true, true, false, false, true] {
      try library.setBackup(excluded: excluded)
      #expect(FileManager.default.fileExists(atPath: mark) == excluded)
      #expect(try library.info().isExcludedFromBackup == excluded)
    }
    #expect(try library.verify().findings == [])
  }

  @Test("is counted")
  func info() throws {
    let folder = try TemporaryFolder()
    let library = try Library.openOrCreate(at: folder.path("library"))
    let scans = [try library.addSample(seeds: [1, 2]), try library.addSample(seeds: [3])]
    let records = try scans.map {
      try Data(contentsOf: URL(fileURLWithPath: library.path + "/scans/\($0.id)/record.json")).count
    }.reduce(0, +)
    let info = try library.info()
    #expect(info.scans == 2 && info.pages == 3 && info.photos == 3 && info.damagedScans == 0)
    #expect(info.bytes == 3 * 500 + records)
    #expect(info.protection == "owner-only" && info.format == 1 && info.path == library.path)
  }
}
