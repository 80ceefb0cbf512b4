import Foundation
import Glibc
import TestSupport
import Testing

import DocumentOutput

@Suite("Writing exported files")
struct ExportFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func contents(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: folder.path(name))))
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  @Test("a new file has the bytes, the umask's permissions, and nothing beside it")
  func newFile() throws {
    let bytes = [UInt8]("a page".utf8)
    try ExportFile.write(bytes, to: folder.path("a.png"))
    #expect(try contents("a.png") == bytes)
    #expect(try names() == ["a.png"])
    let mask = umask(0o022)
    umask(mask)
    var status = stat()
    #expect(unsafe stat(folder.path("a.png"), &status) == 0)
    #expect(status.st_mode & 0o777 == 0o666 & ~mask)
  }

  @Test("a file that is there stays as it is, unless it is to be replaced")
  func existing() throws {
    try ExportFile.write([1], to: folder.path("a"))
    #expect(throws: ExportError.fileExists) { try ExportFile.write([2], to: folder.path("a")) }
    #expect(try contents("a") == [1])
    try ExportFile.write([3], to: folder.path("a"), existing: .replace)
    #expect(try contents("a") == [3])
    #expect(try names() == ["a"])
  }

  @Test("where there are no nameless files or hard links, the same holds")
  func namedTemporary() throws {
    func write(_ bytes: [UInt8], existing: ExistingFile) throws {
      let temporary = try TemporaryFile(namedIn: folder.path)
      try temporary.fill(with: bytes)
      try temporary.publish(as: folder.path("a"), existing: existing)
    }
    try write([1], existing: .keep)
    #expect(throws: ExportError.fileExists) { try write([2], existing: .keep) }
    #expect(try contents("a") == [1])
    try write([3], existing: .replace)
    #expect(try contents("a") == [3])
    #expect(try names() == ["a"])
  }

  @Test("a link stays a link, and the file it leads to is replaced")
  func symbolicLink() throws {
    try ExportFile.write([1], to: folder.path("real"))
    try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: "real")
    #expect(throws: ExportError.fileExists) { try ExportFile.write([2], to: folder.path("link")) }
    try ExportFile.write([2], to: folder.path("link"), existing: .replace)
    #expect(try contents("real") == [2])
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("link")) == "real")
  }

  @Test("a link that leads nowhere counts as a file that is there")
  func danglingLink() throws {
    try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: "gone")
    #expect(throws: ExportError.fileExists) { try ExportFile.write([2], to: folder.path("link")) }
    #expect(try names() == ["link"])
  }

  @Test("a device is written to and stays a device")
  func device() throws {
    try ExportFile.write([1, 2, 3], to: "/dev/null", existing: .replace)
    var status = stat()
    #expect(unsafe stat("/dev/null", &status) == 0)
    #expect(status.st_mode & S_IFMT == S_IFCHR)
    #expect(throws: ExportError.system(code: ENOSPC)) { try ExportFile.write([1], to: "/dev/full") }
  }

  @Test("what can't be written to is told by its reason")
  func refusals() throws {
    try ExportFile.write([1], to: folder.path("file"))
    #expect(throws: ExportError.isFolder) { try ExportFile.write([1], to: folder.path) }
    #expect(throws: ExportError.folderMissing) { try ExportFile.write([1], to: folder.path("no/a.png")) }
    #expect(throws: ExportError.notFolder) { try ExportFile.write([1], to: folder.path("file/a.png")) }
    let long = String(repeating: "n", count: 300)
    #expect(throws: ExportError.system(code: ENAMETOOLONG)) {
      try ExportFile.write([1], to: folder.path(long))
    }
    #expect(try names() == ["file"])
  }

  @Test(
    "reasons are sentences",
    arguments: [
      (ExportError.system(code: ENOSPC), "no space left on device"),
      (.system(code: EACCES), "permission denied"),
      (.system(code: EROFS), "the file system is read-only"),
      (.system(code: EDQUOT), "the disk quota is used up"),
      (.fileExists, "the file exists"),
    ])
  func reasons(error: ExportError, text: String) { #expect(error.description == text) }

  @Test("folders are made with those above them, and may be there already")
  func folders() throws {
    try ExportFile.makeFolder(at: folder.path("a/b/c/"))
    try ExportFile.makeFolder(at: folder.path("a/b/c"))
    try ExportFile.makeFolder(at: ".")
    try ExportFile.write([1], to: folder.path("a/b/c/file"))
    #expect(throws: ExportError.notFolder) { try ExportFile.makeFolder(at: folder.path("a/b/c/file")) }
    #expect(throws: ExportError.notFolder) { try ExportFile.makeFolder(at: folder.path("a/b/c/file/d")) }
  }

  @Test("where the file can't be as large as it must be, nothing of it stays")
  func noRoom() async throws {
    await #expect(processExitsWith: .success) { [path = folder.path as String] in
      // A bound on the size of files stands in for a full disk.
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: 1000, rlim_max: 1000)
      try #require(unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
      let bytes = [UInt8](repeating: 1, count: 2000)
      #expect(throws: ExportError.system(code: EFBIG)) { try ExportFile.write(bytes, to: path + "/a") }
      #expect(throws: ExportError.system(code: EFBIG)) {
        let temporary = try TemporaryFile(namedIn: path)
        try temporary.fill(with: bytes)
        try temporary.publish(as: path + "/a", existing: .keep)
      }
    }
    #expect(try names() == [])
  }

  @Test("a folder that the user may not write to is left alone, and said so")
  func noPermission() async throws {
    try ExportFile.write([1], to: folder.path("a"))
    #expect(unsafe chmod(folder.path, 0o555) == 0)
    defer { _ = unsafe chmod(folder.path, 0o755) }
    await #expect(processExitsWith: .success) { [path = folder.path as String] in
      // Permissions don't hold root back.
      if geteuid() == 0 { try #require(seteuid(65534) == 0) }
      #expect(throws: ExportError.system(code: EACCES)) { try ExportFile.write([1], to: path + "/b") }
      #expect(throws: ExportError.system(code: EACCES)) { try ExportFile.makeFolder(at: path + "/c") }
      #expect(throws: ExportError.system(code: EACCES)) {
        try ExportFile.write([2], to: path + "/a", existing: .replace)
      }
    }
    #expect(try names() == ["a"])
    #expect(try contents("a") == [1])
  }

  @Test("of many writers of one name exactly one succeeds, and its bytes are whole")
  func race() async throws {
    let path = folder.path("a")
    let winners = await withTaskGroup(of: UInt8?.self) { group in
      for writer in UInt8(0)..<16 {
        group.addTask {
          do throws(ExportError) {
            try ExportFile.write([UInt8](repeating: writer, count: 200_000), to: path)
            return writer
          } catch {
            return error == .fileExists ? nil : 255
          }
        }
      }
      return await group.reduce(into: [UInt8]()) { if let writer = $1 { $0.append(writer) } }
    }
    #expect(winners.count == 1)
    #expect(try contents("a") == [UInt8](repeating: winners[0], count: 200_000))
    #expect(try names() == ["a"])
  }
}
