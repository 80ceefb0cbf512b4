import Foundation
import Glibc
import ScanLibrary
import TestSupport
import Testing

/// Killed again and again, with SIGKILL and at any moment, while several programs write.
@Suite("Programs that are killed while others write")
struct KillTests {
  /// All of them with FLATBED_TORTURE in the environment, as `make torture` has it; else a sample.
  private static let isTorture = ProcessInfo.processInfo.environment["FLATBED_TORTURE"] != nil
  private static let kills = isTorture ? 500 : 24
  private static let writers = 4
  /// More photos than a program gets done before it is killed.
  private static let photoCount = 120

  private let runtime: TemporaryFolder
  private let place: Workplace
  private let photos: [String]
  private let contents: Set<String>

  init() throws {
    let runtime = try TemporaryFolder()
    self.runtime = runtime
    let place = try Workplace(environment: ["XDG_RUNTIME_DIR": runtime.path], withLibrary: false)
    self.place = place
    try place.write("pass", Array("violet anchors 12\n".utf8))
    let made = try place.program.shell(
      "chmod 600 pass; flatbed library init --passphrase-file pass && flatbed unlock --passphrase-file pass")
    #expect(made.status == 0, "\(made.errors)")
    var contents: Set<String> = []
    photos = try (1...Self.photoCount).map { number in
      let photo = try Pictures.png(number)
      contents.insert(ContentHash(of: photo).hex)
      return try place.write("in/\(number).png", photo)
    }
    self.contents = contents
  }

  /// One of the programs that scan, and where its output goes.
  private struct Writer {
    let process: Process
    let output: TemporaryFolder
  }

  private func start(_ generator: inout SeededGenerator) throws -> Writer {
    let output = try TemporaryFolder()
    // Every other one builds a scan of many pages, and is mostly killed while it is in the staging folder.
    let isSeparate = Bool.random(using: &generator)
    let count = isSeparate ? Self.photoCount : Int.random(in: 2...40, using: &generator)
    let words = ["scan", "--again", "--whole"] + (isSeparate ? ["--separate"] : []) + photos.prefix(count)
    return Writer(process: try place.program.start(words, capturingIn: output), output: output)
  }

  /// Ends a writer, and gives the scans that it has told of, with their pages; adds 1 if it was still at work.
  private func end(_ writer: Writer, _ kills: inout Int) throws -> [String: Int] {
    kill(writer.process.processIdentifier, SIGKILL)
    writer.process.waitUntilExit()
    let outcome = try place.program.outcome(of: writer.process, in: writer.output)
    #expect(outcome.status == 128 + SIGKILL || outcome.status == 0, "\(outcome.errors)")
    if outcome.status == 128 + SIGKILL { kills += 1 }
    var told: [String: Int] = [:]
    for line in outcome.text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      guard let match = line.firstMatch(of: #/^([0-9a-f]{8})  (\d+) pages?  /#),
        let pages = Int(match.output.2)
      else { continue }
      told[String(match.output.1)] = pages
    }
    return told
  }

  /// Every scan that was told of is there with all of its pages, every one that is there is whole, and so are the files.
  private func check(_ told: [String: Int], _ kills: Int) throws -> Int {
    let listed = try place.answer("list").array
    var pages: [String: Int] = [:]
    for scan in listed {
      let photos = scan["photos"].array
      pages[String(scan["id"].string.prefix(8))] = photos.count
      #expect(scan["pageCount"].int == photos.count && scan["pages"].array.count == photos.count)
      #expect(photos.allSatisfy { contents.contains($0["sha256"].string) })
    }
    let lost = told.filter { pages[$0.key] != $0.value }
    #expect(lost.isEmpty, "after \(kills) kills")
    // Others write meanwhile: what the dead have left are strays, until the next writer comes by.
    let verified = try place.answer("verify")
    #expect(verified["sound"].bool == true && verified["scans"].int ?? 0 >= listed.count)
    #expect(verified["findings"].array.allSatisfy { $0["gravity"].string == "stray" })
    return listed.count
  }

  @Test(
    "four at once scan into a protected library: what was told of as stored is there and whole, and nothing is half there"
  )
  func killLoop() throws {
    var generator = SeededGenerator(seed: 500)
    var told: [String: Int] = [:]
    var kills = 0
    var atWork = try (0..<Self.writers).map { _ in try start(&generator) }
    var next = Self.kills / 8
    while kills < Self.kills {
      // The moments are of time, not of progress: this is to hit whatever the other tests don't think of.
      usleep(UInt32.random(in: 0...120_000, using: &generator))
      let index = Int.random(in: 0..<Self.writers, using: &generator)
      told.merge(try end(atWork[index], &kills)) { old, _ in old }
      atWork[index] = try start(&generator)
      if kills >= next {
        _ = try check(told, kills)
        next += Self.kills / 8
      }
    }
    for writer in atWork { told.merge(try end(writer, &kills)) { old, _ in old } }
    // The next writer sweeps what was left.
    try place.succeed("scan", "--again", "--whole", photos[0])
    let stored = try check(told, kills)
    #expect(try place.staged() == [])
    try place.expectSound()
    #expect(told.count > Self.kills / 4, "hardly anything was stored before the kills")
    if Self.isTorture {
      print("\(kills) kills: \(told.count) scans told of, \(stored) in the library, none lost or half there")
    }
    try place.succeed("lock")
  }
}
