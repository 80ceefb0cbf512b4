import Foundation
import Glibc
import ScanLibrary
import Synchronization
import TestSupport
import Testing

/// A file system of one megabyte: a real one where the system lets us mount it, else calls that fail as on a real one.
private final class SmallDisk {
  let folder: TemporaryFolder
  let isReal: Bool
  private static let size = 1 << 20

  init() throws {
    folder = try TemporaryFolder()
    isReal = unsafe mount("tmpfs", folder.path, "tmpfs", 0, "size=\(Self.size)") == 0
  }

  // Detached, since a library that still has it open is taken down after this object.
  deinit { if isReal { unsafe umount2(folder.path, Int32(MNT_DETACH)) } }

  /// Refuses to create or write when the folder holds as much as the disk would.
  var calls: FileCalls {
    if isReal { return FileCalls() }
    let path = folder.path
    return FileCalls { operation, _ in
      guard operation == .create || operation == .write else { return nil }
      var used = 0
      for name in (try? FileManager.default.subpathsOfDirectory(atPath: path)) ?? [] {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path + "/" + name)
        used += attributes?[.size] as? Int ?? 0
      }
      return used > Self.size ? .tear(ENOSPC) : nil
    }
  }
}

@Suite("A disk that is full, and other limits")
struct FullDiskTests {
  @Test("is called full, the library is as before and still verifies, and deleting makes room")
  func full() throws {
    let disk = try SmallDisk()
    let library = try Library.openOrCreate(at: disk.folder.path("library"), calls: disk.calls)
    var stored: [ScanRecord] = []
    var failure: LibraryError?
    for _ in 0..<100 where failure == nil {
      do throws(LibraryError) {
        let pending = try library.beginScan()
        _ = try pending.addPhoto(
          samplePhoto(1, bytes: 50_000), name: "x", format: "jpeg", fileExtension: "jpg")
        _ = try pending.addPage(
          png: samplePNG(1, bytes: 50_000), origin: PageOrigin(photo: 1, found: "whole"))
        stored.append(try pending.commit(title: "x", mode: "bw"))
      } catch {
        failure = error
      }
    }
    #expect(failure?.description == "no space left on device")
    #expect(failure?.path?.hasPrefix(library.path) == true)
    #expect(stored.count >= 5)
    #expect(try Set(library.scans().scans.map(\.id)) == Set(stored.map(\.id)))
    #expect(try library.verify().findings == [])
    #expect(try FileManager.default.contentsOfDirectory(atPath: library.path + "/staging") == [])
    // A change that doesn't fit changes nothing.
    let scan = stored[0]
    #expect(throws: LibraryError.self) {
      try library.change(scan.id) { change throws(LibraryError) in
        try change.replacePage(
          1, png: samplePNG(2, bytes: 900_000), origin: PageOrigin(photo: 1, found: "manual"))
      }
    }
    #expect(try library.scan(scan.id) == scan)
    #expect(try library.verify().findings == [])
    // Deleting needs no room, and what was deleted can be restored; emptying the trash makes room.
    for scan in stored { try library.delete(scan.id) }
    #expect(try library.trashedScans().count == stored.count)
    for scan in try library.trashedScans() { try library.removeForGood(scan) }
    try library.addSample("There is room again")
    #expect(try library.verify().findings == [])
  }

  @Test("A limit on the size of files is told, and doesn't kill")
  func fileSizeLimit() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("library")
    await #expect(processExitsWith: .success) { [path = path as String] in
      // As on the main thread of a program: threads of tasks have signals blocked.
      _ = signal(SIGXFSZ, SIG_DFL)
      var signals = sigset_t()
      unsafe sigemptyset(&signals)
      unsafe sigaddset(&signals, SIGXFSZ)
      unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
      var limit = rlimit(rlim_cur: 4096, rlim_max: rlim_t.max)
      try #require(unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
      let library = try Library.openOrCreate(at: path)
      let pending = try library.beginScan()
      let error = #expect(throws: LibraryError.self) {
        _ = try pending.addPhoto(
          samplePhoto(1, bytes: 5000), name: "x", format: "jpeg", fileExtension: "jpg")
      }
      try #require(error?.description == "the file is larger than the file system or a limit allows")
      pending.discard()
      try library.addSample("Small")
      exit(0)
    }
    let library = try Library.open(at: path)
    #expect(try library.scans().scans.map(\.title) == ["Small"])
    #expect(try library.verify().findings == [])
  }

  @Test("A read-only library is read, verified, and not written to")
  func readOnly() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("library")
    let scan = try Library.openOrCreate(at: path).addSample()
    let writing: Set<FileOperation> = [.create, .makeFolder, .setPermissions, .write, .rename, .remove]
    let library = try Library.openOrCreate(
      at: path, calls: FileCalls { operation, _ in writing.contains(operation) ? .fail(EROFS) : nil })
    #expect(try library.find("Receipt") == scan)
    #expect(try library.pageBytes(scan, page: 1) == samplePNG(1))
    #expect(try library.verify().findings == [])
    for write in [
      { try library.delete(scan.id) }, { _ = try library.beginScan() },
      { try library.change(scan.id) { $0.setTitle("x") } }, { try library.setBackup(excluded: true) },
    ] as [() throws -> Void] {
      let error = #expect(throws: LibraryError.self) { try write() }
      #expect(error?.description == "the file system is read-only")
    }
  }

  @Test("Staging needs no more room than the scan itself, however many pages")
  func temporarySpace() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("library")
    let largest = Mutex(0)
    let written = Mutex(0)
    // What is on the disk each time before a file is made: nothing but the files added so far.
    let library = try Library.openOrCreate(at: path)
    let pending = try library.beginScan()
    _ = try pending.addPhoto(samplePhoto(1, bytes: 5000), name: "x", format: "tiff", fileExtension: "tif")
    written.withLock { $0 += 5000 }
    for frame in 0..<60 {
      _ = try pending.addPage(
        png: samplePNG(UInt8(frame), bytes: 2000), origin: PageOrigin(photo: 1, frame: frame, found: "whole"))
      written.withLock { $0 += 2000 }
      let used = try FileManager.default.subpathsOfDirectory(atPath: path + "/staging").reduce(0) {
        sum, name in
        let url = URL(fileURLWithPath: path + "/staging/" + name)
        let values = try url.resourceValues(forKeys: [.fileSizeKey, .isRegularFileKey])
        return sum + (values.isRegularFile == true ? values.fileSize ?? 0 : 0)
      }
      largest.withLock { $0 = max($0, used - written.withLock { $0 }) }
    }
    #expect(largest.withLock { $0 } == 0)
    let scan = try pending.commit(title: "Sixty pages", mode: "bw")
    // Read one after the other, each page is itself, the last as the first.
    for (index, page) in scan.pages.enumerated() {
      #expect(try library.pageBytes(scan, page: page.number) == samplePNG(UInt8(index), bytes: 2000))
      #expect(page.origin.frame == index)
    }
  }
}
