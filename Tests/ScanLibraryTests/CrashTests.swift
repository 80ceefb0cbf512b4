import Foundation
import Glibc
import ScanLibrary
import Synchronization
import TestSupport
import Testing

@Suite("A killed program")
struct CrashTests {
  /// Calls that end the process some microseconds after the n-th, as an out-of-memory killer would.
  ///
  /// Counted in calls, so that as much happens before on a slow machine as on a fast one.
  private static func calls(killedAfter number: Int, microseconds: UInt32) -> FileCalls {
    let count = Atomic(0)
    return FileCalls { _, _ in
      if count.add(1, ordering: .relaxed).newValue == number {
        Thread.detachNewThread {
          usleep(microseconds)
          kill(getpid(), SIGKILL)
        }
      }
      return nil
    }
  }

  private static func report(_ line: String, to path: String) {
    let file = unsafe open(path, O_WRONLY | O_APPEND | O_CREAT, 0o600)
    let bytes = Array((line + "\n").utf8)
    unsafe _ = write(file, bytes, bytes.count)
    close(file)
  }

  @Test("at any moment loses no scan that it has reported as stored, and leaves none half there")
  func killed() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("library")
    let reports = folder.path("reports")
    _ = try Library.openOrCreate(at: path).addSample("Changing", seeds: [1, 2])
    var generator = SeededGenerator(seed: 11)
    for round in 0..<12 {
      let number = Int.random(in: 20...1500, using: &generator)
      let delay = UInt32.random(in: 0...2000, using: &generator)
      // Two at once: the one that lives on must not trip over the other's remains.
      await withTaskGroup(of: Void.self) { group in
        for worker in 0..<2 {
          group.addTask {
            await #expect(processExitsWith: .signal(SIGKILL)) {
              [
                path = path as String, reports = reports as String, number = number as Int,
                delay = delay as UInt32,
                round = round as Int,
                worker = worker as Int
              ] in
              let calls = Self.calls(killedAfter: number + worker * 200, microseconds: delay)
              let library = try Library.openOrCreate(at: path, calls: calls)
              let changing = try library.find("Changing").id
              while true {
                let seed = UInt8(round * 2 + worker)
                let scan = try library.addSample("Scan", seeds: [seed, seed + 1])
                Self.report(scan.id.text, to: reports)
                try library.change(changing) { change throws(LibraryError) in
                  try change.replacePage(
                    change.record.pages[0].number, png: samplePNG(seed),
                    origin: PageOrigin(photo: 1, found: "manual"))
                  try change.reorderPages(change.record.pages.map(\.number).reversed())
                }
                let gone = try library.addSample("Gone", seeds: [seed])
                try library.delete(gone.id)
                Self.report("-" + gone.id.text, to: reports)
              }
            }
          }
        }
      }
      let library = try Library.open(at: path)
      let listing = try library.scans()
      #expect(listing.damaged.isEmpty)
      #expect(try library.verify().isSound)
    }
    let library = try Library.open(at: path)
    let stored = Set(try library.scans().scans.map(\.id.text))
    let lines = try String(contentsOfFile: reports, encoding: .utf8).split(separator: "\n")
    for line in lines {
      if line.hasPrefix("-") {
        #expect(!stored.contains(String(line.dropFirst())))
      } else {
        #expect(stored.contains(String(line)))
      }
    }
    #expect(lines.count > 12)
    // The next writer leaves nothing behind.
    try library.addSample("Last")
    #expect(try library.verify().findings == [])
    #expect(try FileManager.default.contentsOfDirectory(atPath: path + "/staging") == [])
  }

  @Test("leaves remains that the next writer sweeps, and nothing that isn't the library's own")
  func sweep() throws {
    let folder = try TemporaryFolder()
    let library = try Library.openOrCreate(at: folder.path("library"))
    let scan = try library.addSample()
    let staging = library.path + "/staging/"
    let dead = ScanID()
    for name in ["\(dead)", "\(ScanID()).trash", "\(scan.id).change"] {
      try FileManager.default.createDirectory(atPath: staging + name, withIntermediateDirectories: false)
      try Data("x".utf8).write(to: URL(fileURLWithPath: staging + name + "/photo-1.jpg"))
    }
    try Data().write(to: URL(fileURLWithPath: staging + "\(dead).lock"))
    try Data().write(to: URL(fileURLWithPath: staging + "someone else's"))
    try Data("x".utf8).write(to: URL(fileURLWithPath: library.path + "/scans/\(scan.id)/page-2-original.png"))
    try library.addSample("Next")
    #expect(try FileManager.default.contentsOfDirectory(atPath: staging) == ["someone else's"])
    #expect(try library.verify().findings == [])
    #expect(try library.scan(scan.id) == scan)
  }

  @Test("may leave remains that can't be removed: they keep nobody from writing")
  func stubbornRemains() throws {
    let folder = try TemporaryFolder()
    let library = try Library.openOrCreate(at: folder.path("library"))
    let scan = try library.addSample()
    for name in ["\(ScanID()).trash", "\(scan.id).change", "\(ScanID())"] {
      let path = library.path + "/staging/" + name
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      try Data("x".utf8).write(to: URL(fileURLWithPath: path + "/stubborn"))
    }
    let stubborn = try Library.open(
      at: library.path,
      calls: FileCalls { operation, path in
        operation == .remove && path.hasSuffix("/stubborn") ? .fail(EPERM) : nil
      })
    let added = try stubborn.addSample("Added", seeds: [5])
    try stubborn.delete(added.id)
    #expect(try library.change(scan.id) { $0.setTitle("Changed") }.title == "Changed")
    #expect(try FileManager.default.contentsOfDirectory(atPath: library.path + "/staging") == [])
    #expect(try library.verify().findings == [])
  }

  @Test("while making a library leaves one that can be made")
  func halfMade() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("library")
    for name in ["scans", "staging"] {
      try FileManager.default.createDirectory(atPath: path + "/" + name, withIntermediateDirectories: true)
    }
    try Data("{".utf8).write(to: URL(fileURLWithPath: path + "/staging/library.json"))
    try Library.openOrCreate(at: path).addSample()
    #expect(try FileManager.default.contentsOfDirectory(atPath: path + "/staging") == [])
    let missing = folder.path("missing")
    _ = try Library.openOrCreate(at: missing)
    try FileManager.default.removeItem(atPath: missing + "/scans")
    let error = #expect(throws: LibraryError.self) { try Library.open(at: missing) }
    #expect(error?.description == "the library is damaged: its folder \"scans\" is missing")
  }
}
