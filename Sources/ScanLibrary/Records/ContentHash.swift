private import CHashKernels
private import CSystemSodium

/// The SHA-256 of a file's content (FIPS 180-4).
package struct ContentHash: Sendable, Hashable {
  /// Its bytes, eight at a time, the first one highest.
  private var words: (UInt64, UInt64, UInt64, UInt64)

  /// The hash of these bytes.
  package init(of bytes: [UInt8]) {
    let digest = Self.hasInstructions ? digestByInstructions(bytes) : digestBySodium(bytes)
    func word(_ place: Int) -> UInt64 {
      digest[8 * place..<8 * place + 8].reduce(0) { $0 << 8 | UInt64($1) }
    }
    words = (word(0), word(1), word(2), word(3))
  }

  /// Whether the processor has instructions for it, which take a sixth of the time.
  package static let hasInstructions = flatbed_sha256_available() != 0

  /// The hash that is written as this, or `nil` when it isn't 64 hexadecimal digits in lower case.
  package init?(hex: String) { self.init(digits: hex.utf8) }

  init?(digits: some Collection<UInt8>) {
    guard digits.count == 64 else { return nil }
    var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    var place = 0
    for digit in digits {
      guard let value = lowerHexValue(digit) else { return nil }
      switch place / 16 {
      case 0: words.0 = words.0 << 4 | value
      case 1: words.1 = words.1 << 4 | value
      case 2: words.2 = words.2 << 4 | value
      default: words.3 = words.3 << 4 | value
      }
      place += 1
    }
    self.words = words
  }

  /// 64 digits in lower case, as `sha256sum` prints them.
  package var hex: String {
    let alphabet = Array("0123456789abcdef".utf8)
    var digits: [UInt8] = []
    for word in [words.0, words.1, words.2, words.3] {
      for shift in stride(from: 60, through: 0, by: -4) { digits.append(alphabet[Int(word >> shift & 15)]) }
    }
    return String(decoding: digits, as: UTF8.self)
  }

  package static func == (left: ContentHash, right: ContentHash) -> Bool { left.words == right.words }

  package func hash(into hasher: inout Hasher) {
    // All of it: a record that someone else made may hold any number of hashes that begin alike.
    hasher.combine(words.0)
    hasher.combine(words.1)
    hasher.combine(words.2)
    hasher.combine(words.3)
  }
}

extension ContentHash: CustomStringConvertible {
  package var description: String { hex }
}

/// The 32 bytes of the hash, on any processor.
package func digestBySodium(_ bytes: [UInt8]) -> [UInt8] {
  var digest = [UInt8](repeating: 0, count: 32)
  // With these arguments the function can't fail: it always returns 0.
  unsafe _ = crypto_hash_sha256(&digest, bytes, UInt64(bytes.count))
  return digest
}

/// The same, where `ContentHash.hasInstructions`.
package func digestByInstructions(_ bytes: [UInt8]) -> [UInt8] {
  let blockBytes = 64
  // The first 32 bits of the fractions of the square roots of the first eight primes (section 5.3.3).
  var state: [UInt32] = [
    0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A, 0x510E_527F, 0x9B05_688C, 0x1F83_D9AB, 0x5BE0_CD19,
  ]
  let whole = bytes.count / blockBytes
  unsafe bytes.withUnsafeBufferPointer { content in
    guard let start = content.baseAddress else { return }
    unsafe flatbed_sha256_blocks(&state, start, whole)
  }
  // The rest, a bit that is set, zeros, and the number of bits in the last eight bytes (section 5.1.1).
  var end = Array(bytes[(whole * blockBytes)...]) + [0x80]
  end += [UInt8](repeating: 0, count: (2 * blockBytes - 8 - end.count) % blockBytes)
  end += (0..<8).map { UInt8(truncatingIfNeeded: (bytes.count * 8) >> (56 - 8 * $0)) }
  unsafe flatbed_sha256_blocks(&state, end, end.count / blockBytes)
  return state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) } }
}

/// What a hexadecimal digit in lower case stands for.
private func lowerHexValue(_ byte: UInt8) -> UInt64? {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
  case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte - UInt8(ascii: "a")) + 10
  default: nil
  }
}
