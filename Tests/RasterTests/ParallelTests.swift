import Raster
import Synchronization
import Testing

@Suite("Work on several processors")
struct ParallelTests {
  @Test("what comes out stands in the order of what went in", arguments: [0, 1, 2, 15, 16, 17, 1000])
  func order(count: Int) {
    #expect(mapInParallel(pieces: count) { $0 * $0 } == (0..<count).map { $0 * $0 })
    let words = (0..<count).map { "number \($0)" }
    #expect(mapInParallel(words, \.count) == words.map(\.count))
  }

  @Test("every element is worked on once")
  func once() {
    let seen = Mutex<[Int: Int]>([:])
    _ = mapInParallel(Array(0..<333)) { element in seen.withLock { $0[element, default: 0] += 1 } }
    #expect(seen.withLock(\.self) == Dictionary(uniqueKeysWithValues: (0..<333).map { ($0, 1) }))
  }

  @Test("parts of an array are filled where they belong, empty ones too")
  func parts() {
    let counts = [3, 0, 700, 1, 0, 64]
    let array: [UInt16] = unsafe arrayInParallel(counts: counts) { part, elements in
      for index in elements.indices { unsafe elements[index] = UInt16(1000 * part + index) }
    }
    #expect(
      array == counts.indices.flatMap { part in (0..<counts[part]).map { UInt16(1000 * part + $0) } })
    let nothing: [Float] = unsafe arrayInParallel(counts: []) { _, _ in }
    #expect(nothing.isEmpty)
  }

  @Test("two things worked out together come back each in its place")
  func pair() {
    let (word, number) = together({ "one" }, { 2 })
    #expect(word == "one" && number == 2)
  }
}
