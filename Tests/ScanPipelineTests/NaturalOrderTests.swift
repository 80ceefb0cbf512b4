import ScanPipeline
import TestSupport
import Testing

@Suite struct NaturalOrderTests {
  @Test(
    "names come in the order people count",
    arguments: [
      ["page 1", "page 2", "page 10"],
      ["IMG_9.jpg", "IMG_0010.jpg", "IMG_11.jpg"],
      ["a", "B", "c"],
      ["scan", "scan 1", "scan 1b"],
      ["1", "2a", "10"],
      ["x99999999999999999999999", "x100000000000000000000000"],
      ["", "a"],
      ["é1", "é2"],
    ])
  func order(names: [String]) {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<20 {
      #expect(names.shuffled(using: &generator).sorted(by: precedesNaturally) == names)
    }
  }

  @Test("names that count alike still have one order, and none comes before itself")
  func ties() {
    #expect(precedesNaturally("page 01", "page 1") != precedesNaturally("page 1", "page 01"))
    #expect(precedesNaturally("A", "a") != precedesNaturally("a", "A"))
    #expect(!precedesNaturally("page 1", "page 1"))
  }
}
