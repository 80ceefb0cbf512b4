import Foundation
import LibraryKeys
import TestSupport
import Testing

@Suite("A sealed file")
struct SealedFileTests {
  private let key: LibraryKey
  private static let place = "library/scan/photo-1.jpg"

  init() throws { key = try LibraryKey.random() }

  private func content(_ count: Int) -> [UInt8] {
    var generator = SeededGenerator(seed: UInt64(count))
    return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
  }

  private func open(_ sealed: [UInt8], place: String = Self.place) throws(SealFault) -> [UInt8] {
    try SealedFile.open(sealed, with: [key], place: place)
  }

  @Test(
    "gives back its content, and has the length that the format says",
    arguments: [0, 1, 100, 65535, 65536, 65537, 131_072, 200_000])
  func roundTrip(_ count: Int) throws {
    let content = content(count)
    let sealed = SealedFile.seal(content, with: key, place: Self.place)
    #expect(sealed.count == 40 + count + 17 * max(1, (count + 65535) / 65536))
    #expect(sealed.count == SealedFile.sealedBytes(ofContent: count))
    #expect(SealedFile.contentBytes(ofSealed: sealed.count) == count)
    #expect(try open(sealed) == content)
    #expect(SealedFile.isSealed(sealed, with: key))
    // No two are alike, and no window of the content is in it.
    #expect(SealedFile.seal(content, with: key, place: Self.place) != sealed)
    if count >= 100 { #expect(Data(sealed).range(of: Data(content[50..<66])) == nil) }
  }

  @Test("tells a flipped bit anywhere", arguments: [0, 1, 700, 65536, 140_000])
  func flipped(_ count: Int) throws {
    let sealed = SealedFile.seal(content(count), with: key, place: Self.place)
    for index in stride(from: 0, to: sealed.count, by: max(1, sealed.count / 500)) {
      var changed = sealed
      changed[index] ^= 0x40
      let fault = #expect(throws: SealFault.self) { try open(changed) }
      switch index {
      case ..<8: #expect(fault == .notSealed)
      case ..<16: #expect(fault == .otherKey)
      default: #expect(fault == .altered(at: max(0, index - 40) / 65553 * 65536))
      }
    }
  }

  @Test("tells a lost tail, wherever it is cut", arguments: [0, 700, 65536, 140_000])
  func cut(_ count: Int) throws {
    let sealed = SealedFile.seal(content(count), with: key, place: Self.place)
    let borders = [40, 57, 40 + 65553, 40 + 2 * 65553].filter { $0 < sealed.count }
    for end in Array(stride(from: 0, to: sealed.count, by: max(1, sealed.count / 300))) + borders {
      #expect(throws: SealFault.self, "cut at \(end)") { try open(Array(sealed[..<end])) }
    }
    for end in borders.dropFirst(2) { #expect(throws: SealFault.cut) { try open(Array(sealed[..<end])) } }
    #expect(throws: SealFault.self) { try open(sealed + [0]) }
    // Only behind a full chunk is it clear that there is more; a shorter one runs on into it.
    let fault = #expect(throws: SealFault.self) { try open(sealed + sealed) }
    #expect((fault == .trailing) == (count == 65536))
  }

  @Test("tells chunks that changed places, were left out, doubled, or come from another file")
  func chunks() throws {
    let sealed = SealedFile.seal(content(200_000), with: key, place: Self.place)
    let other = SealedFile.seal(content(200_000), with: key, place: Self.place)
    func chunk(_ number: Int, of file: [UInt8]) -> ArraySlice<UInt8> {
      let start = 40 + number * 65553
      return file[start..<min(file.count, start + 65553)]
    }
    let head = sealed[..<40]
    let parts = (0...3).map { chunk($0, of: sealed) }
    for order in [[1, 0, 2, 3], [0, 2, 1, 3], [0, 2, 3], [0, 1, 1, 2, 3], [3], [1, 2, 3]] {
      #expect(throws: SealFault.self, "\(order)") { try open(Array(head) + order.flatMap { parts[$0] }) }
    }
    #expect(throws: SealFault.self) {
      try open(Array(head + parts[0] + chunk(1, of: other)) + parts[2] + parts[3])
    }
    #expect(throws: SealFault.self) {
      try open(Array(other[..<40] + parts[0]) + parts[1] + parts[2] + parts[3])
    }
  }

  @Test(
    "opens under its own name only",
    arguments: ["library/scan/photo-2.jpg", "library/other/photo-1.jpg", "another/scan/photo-1.jpg", ""])
  func place(_ other: String) throws {
    let sealed = SealedFile.seal(content(300), with: key, place: Self.place)
    #expect(throws: SealFault.altered(at: 0)) { try open(sealed, place: other) }
  }

  @Test("opens with the keys that are given, and none else")
  func keys() throws {
    let sealed = SealedFile.seal([1, 2, 3], with: key, place: Self.place)
    let other = try LibraryKey.random()
    #expect(throws: SealFault.otherKey) { try SealedFile.open(sealed, with: [other], place: Self.place) }
    #expect(try SealedFile.open(sealed, with: [other, key], place: Self.place) == [1, 2, 3])
    // The key's name alone doesn't open it.
    var renamed = sealed
    renamed.replaceSubrange(8..<16, with: other.name)
    #expect(throws: SealFault.altered(at: 0)) {
      try SealedFile.open(renamed, with: [other], place: Self.place)
    }
  }

  /// More rounds are asked for with the environment's FLATBED_FUZZ_ROUNDS.
  private static let rounds =
    ProcessInfo.processInfo.environment["FLATBED_FUZZ_ROUNDS"].flatMap(Int.init) ?? 40

  @Test("of any bytes at all is refused, and nothing else happens")
  func fuzz() throws {
    var generator = SeededGenerator(seed: 2026)
    let whole = SealedFile.seal(content(140_000), with: key, place: Self.place)
    for round in 0..<Self.rounds * 25 {
      var bytes: [UInt8]
      if round % 2 == 0 {
        bytes = (0..<Int.random(in: 0...400, using: &generator)).map { _ in
          .random(in: 0...255, using: &generator)
        }
        bytes = round % 4 == 0 ? SealedFile.magic + key.name + bytes : bytes
      } else {
        bytes = whole
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
          let start = Int.random(in: 0..<bytes.count, using: &generator)
          let end = Int.random(in: start...min(bytes.count, start + 70_000), using: &generator)
          if Bool.random(using: &generator) {
            bytes.removeSubrange(start..<end)
          } else {
            bytes.insert(contentsOf: whole[min(start, whole.count)..<min(end, whole.count)], at: start)
          }
          if bytes.isEmpty { bytes = [0] }
        }
      }
      guard bytes != whole else { continue }
      #expect(throws: SealFault.self) { try open(bytes) }
    }
  }
}
