import ScanLibrary
import TestSupport
import Testing

@Suite("The hash of a file's content")
struct ContentHashTests {
  @Test(
    "is SHA-256: the examples of the standard",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
      (
        String(repeating: "a", count: 1_000_000),
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
      ),
    ])
  func standard(_ text: String, _ hex: String) {
    #expect(ContentHash(of: Array(text.utf8)).hex == hex)
  }

  @Test("is the same by the processor's instructions and without them, at every length around a block's")
  func bothWays() {
    guard ContentHash.hasInstructions else { return }
    var generator = SeededGenerator(seed: 1)
    for count in Array(0...260) + [4095, 4096, 100_003] {
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
      #expect(digestByInstructions(bytes) == digestBySodium(bytes), "\(count) bytes")
    }
  }
}
