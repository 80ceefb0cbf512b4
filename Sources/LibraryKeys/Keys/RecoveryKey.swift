private import CSystemSodium

/// The second way into a library: 160 random bits that are written down on paper.
package struct RecoveryKey: Sendable {
  let bytes: SecretBytes

  private static let byteCount = 20
  /// Crockford's base 32: no letter that can be taken for a digit.
  private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
  private static let digitCount = byteCount * 8 / 5
  private static let checkDigits = 4
  private static let groupDigits = 4

  private init(bytes: SecretBytes) { self.bytes = bytes }

  /// A new one.
  package static func random() throws(KeyError) -> RecoveryKey {
    RecoveryKey(bytes: try SecretBytes.random(count: byteCount))
  }

  /// Nine groups of four letters and digits, joined by hyphens; the last is a check on the others.
  package func text() throws(KeyError) -> [UInt8] {
    var digits = unsafe bytes.read { unsafe Self.digits(of: $0, bits: Self.byteCount * 8) }
    digits += try Self.check(of: bytes)
    defer { wipe(&digits) }
    var text: [UInt8] = []
    text.reserveCapacity(digits.count * 2)
    for (index, digit) in digits.enumerated() {
      if index > 0, index % Self.groupDigits == 0 { text.append(UInt8(ascii: "-")) }
      text.append(Self.alphabet[Int(digit)])
    }
    return text
  }

  /// The key that was written down so; case, hyphens and spaces don't count.
  ///
  /// - Throws: `badRecoveryKey` when it is too short, holds other characters, or doesn't fit its check digits.
  package init(reading text: [UInt8]) throws(KeyError) {
    var digits: [UInt8] = []
    digits.reserveCapacity(text.count)
    defer { wipe(&digits) }
    for byte in text where ![UInt8(ascii: "-"), UInt8(ascii: " "), 0x0A, 0x0D, 0x09].contains(byte) {
      guard let digit = Self.value(of: byte) else {
        throw .badRecoveryKey(reason: "it is made of letters and digits, without U")
      }
      digits.append(digit)
    }
    guard digits.count == Self.digitCount + Self.checkDigits else {
      throw .badRecoveryKey(
        reason:
          "it has \(Self.digitCount + Self.checkDigits) letters and digits, and these are \(digits.count)")
    }
    bytes = try unsafe SecretBytes(count: Self.byteCount) { memory in
      for index in 0..<Self.byteCount {
        var byte: UInt8 = 0
        for bit in index * 8..<index * 8 + 8 {
          byte = byte << 1 | (digits[bit / 5] >> UInt8(4 - bit % 5)) & 1
        }
        unsafe memory[index] = byte
      }
      return 0
    }
    guard try Array(digits[Self.digitCount...]) == Self.check(of: bytes) else {
      throw .badRecoveryKey(reason: "a letter or digit is wrong")
    }
  }

  /// Whether both are the same.
  package func equals(_ other: RecoveryKey) -> Bool { bytes.equals(other.bytes) }

  private static func value(of byte: UInt8) -> UInt8? {
    let letter = byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z") ? byte - 32 : byte
    switch letter {
    case UInt8(ascii: "O"): return 0
    case UInt8(ascii: "I"), UInt8(ascii: "L"): return 1
    default: return alphabet.firstIndex(of: letter).map { UInt8($0) }
    }
  }

  private static func digits(of memory: UnsafePointer<UInt8>, bits: Int) -> [UInt8] {
    stride(from: 0, to: bits, by: 5).map { start in
      (start..<start + 5).reduce(0) { value, bit in
        unsafe value << 1 | (memory[bit / 8] >> UInt8(7 - bit % 8)) & 1
      }
    }
  }

  private static func check(of bytes: SecretBytes) throws(KeyError) -> [UInt8] {
    var message = Array("flatbed recovery check".utf8)
    message.reserveCapacity(message.count + byteCount)
    unsafe bytes.read { memory in for index in 0..<byteCount { message.append(unsafe memory[index]) } }
    defer { wipe(&message) }
    let hash = try unsafe SecretBytes(count: 32) { memory in
      unsafe crypto_generichash(memory, 32, message, UInt64(message.count), nil, 0)
    }
    return unsafe hash.read { unsafe digits(of: $0, bits: checkDigits * 5) }
  }
}
