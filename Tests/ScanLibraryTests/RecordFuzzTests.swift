import Foundation
import LibraryKeys
import ScanLibrary
import TestSupport
import Testing

/// Files that anybody may have written are read without harm, whatever is in them.
@Suite("Records and headers of any bytes")
struct RecordFuzzTests {
  /// More rounds are asked for with the environment's FLATBED_FUZZ_ROUNDS.
  private static let rounds =
    (ProcessInfo.processInfo.environment["FLATBED_FUZZ_ROUNDS"].flatMap(Int.init) ?? 40) * 25

  /// The text with some bytes changed, left out, doubled or put in from elsewhere in it.
  private func mutated(_ whole: Data, using generator: inout SeededGenerator) -> Data {
    var bytes = [UInt8](whole)
    for _ in 0..<Int.random(in: 1...5, using: &generator) where !bytes.isEmpty {
      let start = Int.random(in: 0..<bytes.count, using: &generator)
      let end = Int.random(in: start...min(bytes.count, start + 40), using: &generator)
      switch Int.random(in: 0..<5, using: &generator) {
      case 0: bytes[start] = UInt8.random(in: 0...255, using: &generator)
      case 1: bytes.removeSubrange(start..<end)
      case 2: bytes.insert(contentsOf: bytes[start..<end], at: start)
      case 3: bytes[start] = [0x22, 0x7B, 0x5B, 0x2D, 0x39, 0x65, 0x2C].randomElement(using: &generator) ?? 0
      default: bytes.insert(contentsOf: Array("99999999999999999999".utf8), at: start)
      }
    }
    return Data(bytes)
  }

  @Test("a record is read or refused")
  func records() throws {
    let folder = try MemoryFolder()
    let library = try Library.openOrCreate(at: folder.path("library"))
    let scan = try library.addSample("Täst \"x\" \\ 🦷", seeds: [1, 2, 3])
    let path = URL(fileURLWithPath: library.path + "/scans/\(scan.id)/record.json")
    let whole = try Data(contentsOf: path)
    var generator = SeededGenerator(seed: 7)
    var refused = 0
    for _ in 0..<Self.rounds {
      try mutated(whole, using: &generator).write(to: path)
      do throws(LibraryError) {
        let record = try Library.open(at: library.path).scan(scan.id)
        #expect(record.id == scan.id && !record.pages.isEmpty)
      } catch {
        refused += 1
      }
    }
    #expect(refused > Self.rounds / 4)
  }

  @Test("a header is read or refused, and a slot that asks for too much is never computed")
  func headers() throws {
    let folder = try MemoryFolder()
    let library = try Library.makeSealed(at: folder.path("library"))
    let header = library.path + "/library.json"
    let whole = try Data(contentsOf: URL(fileURLWithPath: header))
    try FileManager.default.removeItem(atPath: header + ".copy")
    var generator = SeededGenerator(seed: 8)
    let limits = PassphraseLimits(memory: 8192...8192, passes: 1...1)
    var opened = 0
    for _ in 0..<Self.rounds {
      try mutated(whole, using: &generator).write(to: URL(fileURLWithPath: header))
      do {
        let door = try Library.door(at: library.path)
        guard case .passphrase(let slots) = door.protection else { continue }
        let key = try slots.open(try passphrase(), library: door.id.text, limits: limits)
        _ = try Library.open(at: library.path, key: key)
        opened += 1
      } catch is LibraryError {
      } catch is KeyError {
      }
    }
    #expect(opened < Self.rounds)
  }
}
