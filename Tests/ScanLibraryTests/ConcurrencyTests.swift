import Foundation
import Glibc
import ScanLibrary
import Synchronization
import TestSupport
import Testing

@Suite("Several writers at once")
struct ConcurrencyTests {
  @Test("lose no scan and share no id: two processes and two threads, 50 scans each")
  func manyWriters() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("library")
    // Not made before: all of them try to.
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<2 {
        group.addTask {
          await #expect(processExitsWith: .success) { [path = path as String] in
            let library = try Library.openOrCreate(at: path)
            for index in 0..<50 { try library.addSample("Process \(getpid()) \(index)", seeds: [1, 2]) }
          }
        }
        group.addTask {
          let library = try Library.openOrCreate(at: path)
          for index in 0..<50 { try library.addSample("Thread \(index)", seeds: [3]) }
        }
      }
      try await group.waitForAll()
    }
    let library = try Library.open(at: path)
    let listing = try library.scans()
    #expect(listing.scans.count == 200 && listing.damaged.isEmpty)
    #expect(Set(listing.scans.map(\.id)).count == 200)
    #expect(Set(listing.scans.filter { $0.title.hasPrefix("Process") }.map(\.title)).count == 100)
    #expect(try library.verify().findings == [])
    #expect(try FileManager.default.contentsOfDirectory(atPath: path + "/staging") == [])
  }

  @Test("change the same scan and lose nothing")
  func sameScan() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("library")
    let scan = try Library.openOrCreate(at: path).addSample("", seeds: [1])
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in 0..<4 {
        group.addTask {
          let library = try Library.open(at: path)
          for round in 0..<10 {
            try library.change(scan.id) { change in change.setTitle(change.record.title + "\(worker)") }
            let pending = try library.beginScan()
            _ = try pending.addPhoto(
              samplePhoto(UInt8(100 + worker * 20 + round)), name: "x", format: "jpeg", fileExtension: "jpg")
            _ = try pending.addPage(
              png: samplePNG(UInt8(100 + worker * 20 + round)), origin: PageOrigin(photo: 1, found: "whole"))
            _ = try pending.append(to: scan.id)
          }
        }
      }
      try await group.waitForAll()
    }
    let library = try Library.open(at: path)
    let now = try library.scan(scan.id)
    #expect(now.title.count == 40)
    for worker in 0..<4 { #expect(now.title.filter { String($0) == "\(worker)" }.count == 10) }
    #expect(now.pages.map(\.number) == Array(1...41))
    #expect(Set(now.photos.map(\.file.sha256)).count == 41)
    #expect(try library.verify().findings == [])
  }

  @Test("don't sweep away what another is building")
  func liveStaging() throws {
    let folder = try TemporaryFolder()
    let library = try Library.openOrCreate(at: folder.path("library"))
    let pending = try library.beginScan()
    _ = try pending.addPhoto(samplePhoto(1), name: "x", format: "jpeg", fileExtension: "jpg")
    let other = try Library.open(at: library.path)
    try other.addSample("Meanwhile")
    _ = try pending.addPage(png: samplePNG(1), origin: PageOrigin(photo: 1, found: "whole"))
    let scan = try pending.commit(title: "Slow", mode: "bw")
    #expect(try other.pageBytes(scan, page: 1) == samplePNG(1))
    #expect(try Set(other.scans().scans.map(\.title)) == ["Meanwhile", "Slow"])
  }

  @Test("wait for each other, say for whom, and give up in the end")
  func waiting() throws {
    let folder = try TemporaryFolder()
    let library = try Library.openOrCreate(at: folder.path("library"))
    let scan = try library.addSample()
    let told = Mutex<[String?]>([])
    let patience = LockPatience(limit: .milliseconds(80), noticeAfter: .milliseconds(20)) { holder in
      told.withLock { $0.append(holder) }
    }
    let other = try Library.open(at: library.path, patience: patience)
    let holder = "process \(getpid()) "
    try library.change(scan.id) { change in
      let error: LibraryError? = #expect(throws: LibraryError.self) { try other.delete(scan.id) }
      #expect(error?.description.hasPrefix("the library is being written to by \(holder)") == true)
      // Readers don't wait.
      #expect((try? other.scan(scan.id)) == scan)
      #expect((try? other.pageBytes(scan, page: 1)) == samplePNG(1))
    }
    let notices = told.withLock { $0 }
    #expect(notices.count == 1)
    #expect(notices.first??.hasPrefix(holder) == true)
    try other.delete(scan.id)
  }

  @Test("find that a page they know has been replaced or removed meanwhile")
  func staleKnowledge() throws {
    let folder = try TemporaryFolder()
    let library = try Library.openOrCreate(at: folder.path("library"))
    let other = try Library.open(at: library.path)
    let scan = try library.addSample(seeds: [1, 2])
    try other.change(scan.id) { change throws(LibraryError) in
      try change.replacePage(1, png: samplePNG(8), origin: PageOrigin(photo: 1, found: "manual"))
    }
    let gone = LibraryError.noSuchPage(scan: scan.id, number: 1)
    #expect(throws: gone) { try library.pageBytes(scan, page: 1) }
    #expect(throws: gone) {
      try library.change(scan.id) { change throws(LibraryError) in
        try change.replacePage(1, png: samplePNG(9), origin: PageOrigin(photo: 1, found: "manual"))
      }
    }
    #expect(try library.pageBytes(library.scan(scan.id), page: 3) == samplePNG(8))
    try other.delete(scan.id)
    let noScan = LibraryError.noSuchScan(reference: scan.id.text, near: [])
    #expect(throws: noScan) { try library.pageBytes(scan, page: 2) }
    #expect(throws: noScan) { try library.change(scan.id) { $0.setTitle("x") } }
    #expect(throws: noScan) { try library.delete(scan.id) }
    #expect(throws: noScan) { try library.scan(scan.id) }
  }
}
