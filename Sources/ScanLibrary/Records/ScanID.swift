/// The name of a scan for good: a random UUID (RFC 9562, version 4) in lower case.
///
/// Random, and not made from the time, so that the name of a folder tells nothing of what is in it.
package struct ScanID: Sendable, Hashable {
  /// As in folder names: `3f2a91c0-…`, 36 characters.
  package let text: String

  /// A new one.
  package init() {
    var generator = SystemRandomNumberGenerator()
    self.init(using: &generator)
  }

  init(using generator: inout some RandomNumberGenerator) {
    let high: UInt64 = generator.next()
    let low: UInt64 = generator.next()
    // The version, 4, and the variant, binary 10, have fixed places.
    let digits = Self.hex(high & ~0xF000 | 0x4000) + Self.hex(low & ~(0b11 << 62) | (0b10 << 62))
    var text = ""
    for (index, digit) in digits.enumerated() {
      if [8, 12, 16, 20].contains(index) { text += "-" }
      text.append(digit)
    }
    self.text = text
  }

  /// The id that is written as this, or `nil` when it isn't a UUID in lower case.
  package init?(_ text: String) {
    guard text.utf8.count == 36 else { return nil }
    var index = 0
    for byte in text.utf8 {
      let isDash = index == 8 || index == 13 || index == 18 || index == 23
      guard isDash ? byte == UInt8(ascii: "-") : isLowerHex(byte) else { return nil }
      index += 1
    }
    self.text = text
  }

  /// The first eight digits: enough to tell scans apart for a person.
  package var short: String { String(text.prefix(8)) }

  private static func hex(_ value: UInt64) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

extension ScanID: CustomStringConvertible {
  package var description: String { text }
}

extension ScanID: Comparable {
  package static func < (left: ScanID, right: ScanID) -> Bool { left.text < right.text }
}

func isLowerHex(_ byte: UInt8) -> Bool {
  (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
}
