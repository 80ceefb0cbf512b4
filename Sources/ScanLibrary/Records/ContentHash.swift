private import CSystemSodium

/// The SHA-256 of a file's content (FIPS 180-4).
package struct ContentHash: Sendable, Hashable {
  /// 64 digits in lower case, as `sha256sum` prints them.
  package let hex: String

  /// The hash of these bytes.
  package init(of bytes: [UInt8]) {
    var digest = [UInt8](repeating: 0, count: 32)
    // With these arguments the function can't fail: it always returns 0.
    unsafe _ = crypto_hash_sha256(&digest, bytes, UInt64(bytes.count))
    var digits: [UInt8] = []
    let alphabet = Array("0123456789abcdef".utf8)
    for byte in digest {
      digits.append(alphabet[Int(byte >> 4)])
      digits.append(alphabet[Int(byte & 15)])
    }
    hex = String(decoding: digits, as: UTF8.self)
  }

  /// The hash that is written as this, or `nil` when it isn't 64 hexadecimal digits in lower case.
  package init?(hex: String) {
    guard hex.utf8.count == 64, hex.utf8.allSatisfy(isLowerHex) else { return nil }
    self.hex = hex
  }
}

extension ContentHash: CustomStringConvertible {
  package var description: String { hex }
}
