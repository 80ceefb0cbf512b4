/// zlib's checksum of a stream, put together from those of its parts (RFC 1950, section 9).
struct Adler32 {
  private static let modulus: UInt64 = 65_521

  /// 1 plus the sum of all bytes.
  private var low: UInt64 = 1
  /// The sum of `low` after each byte.
  private var high: UInt64 = 0

  var value: UInt32 { UInt32(high << 16 | low) }

  /// Adds the next `count` bytes, whose own checksum is `sum`.
  mutating func add(_ sum: UInt32, of count: Int) {
    let length = UInt64(count) % Self.modulus
    // Each of the part's bytes adds what was there before it, less the 1 that the part began with.
    let before = (low + Self.modulus - 1) % Self.modulus
    high = (high + UInt64(sum >> 16) + length * before) % Self.modulus
    low = (before + UInt64(sum & 0xFFFF)) % Self.modulus
  }
}
