/// Turns the bytes of one decoded row into numbers.
///
/// Unsigned samples up to 16 bits come out as they are; deeper and floating-point ones are stretched to 0…65535.
struct TIFFSampleRow {
  var kind: TIFFLayout.SampleKind
  /// The stored value that is full light, for floating-point and 32-bit samples.
  var fullScale: Double

  /// Reads `count` samples from `bytes`, which holds at least as many, into `values`.
  func read(
    _ bytes: UnsafeRawBufferPointer, count: Int, into values: UnsafeMutableBufferPointer<UInt16>
  ) {
    switch kind {
    case .unsigned(8):
      for index in 0..<count { unsafe values[index] = UInt16(bytes[index]) }
    case .unsigned(16):
      for index in 0..<count {
        unsafe values[index] = bytes.loadUnaligned(fromByteOffset: 2 &* index, as: UInt16.self)
      }
    case .unsigned(let bits) where bits < 16:
      unsafe readPacked(bytes, bits: bits, count: count, into: values)
    case .unsigned, .float:
      for index in 0..<count {
        let value = unsafe Self.number(kind, bytes, at: index) * 65535 / fullScale
        // Not a number counts as black, which comparing this way round gives.
        unsafe values[index] = value > 0 ? UInt16(min(value + 0.5, 65535)) : 0
      }
    }
  }

  /// Samples of fewer than 16 bits follow each other without gaps, the first in the highest bits of a byte.
  private func readPacked(
    _ bytes: UnsafeRawBufferPointer, bits: Int, count: Int,
    into values: UnsafeMutableBufferPointer<UInt16>
  ) {
    let mask = (UInt32(1) << UInt32(bits)) - 1
    var pool: UInt32 = 0
    var filled = 0
    var next = 0
    for index in 0..<count {
      while filled < bits {
        unsafe pool = pool &<< 8 | UInt32(bytes[next])
        next &+= 1
        filled &+= 8
      }
      filled &-= bits
      unsafe values[index] = UInt16(truncatingIfNeeded: (pool &>> UInt32(filled)) & mask)
    }
  }

  /// The largest sample, for those kinds whose range isn't fixed by their number of bits.
  static func largest(
    _ kind: TIFFLayout.SampleKind, in bytes: UnsafeRawBufferPointer, count: Int
  ) -> Double {
    var largest = 0.0
    for index in 0..<count {
      let value = unsafe number(kind, bytes, at: index)
      if value > largest, value.isFinite { largest = value }
    }
    return largest
  }

  private static func number(
    _ kind: TIFFLayout.SampleKind, _ bytes: UnsafeRawBufferPointer, at index: Int
  ) -> Double {
    switch kind {
    case .float(16):
      Double(Float16(bitPattern: unsafe bytes.loadUnaligned(fromByteOffset: 2 &* index, as: UInt16.self)))
    case .float(24): Double(Self.float24(unsafe word24(bytes, at: index)))
    case .float(32): Double(unsafe bytes.loadUnaligned(fromByteOffset: 4 &* index, as: Float.self))
    case .float: unsafe bytes.loadUnaligned(fromByteOffset: 8 &* index, as: Double.self)
    case .unsigned(24): Double(unsafe word24(bytes, at: index))
    case .unsigned: Double(unsafe bytes.loadUnaligned(fromByteOffset: 4 &* index, as: UInt32.self))
    }
  }

  private static func word24(_ bytes: UnsafeRawBufferPointer, at index: Int) -> UInt32 {
    let start = 3 &* index
    return unsafe UInt32(bytes[start]) | UInt32(bytes[start &+ 1]) &<< 8 | UInt32(bytes[start &+ 2]) &<< 16
  }

  /// One sign bit, 7 of exponent with a bias of 63, 16 of fraction (Adobe Photoshop TIFF technical note 3).
  private static func float24(_ word: UInt32) -> Float {
    let exponent = (word >> 16) & 0x7F
    let fraction = word & 0xFFFF
    let sign = (word >> 23) << 31
    guard exponent != 0 else {
      let small = Float(fraction) * 0x1p-78
      return sign == 0 ? small : -small
    }
    let wide = exponent == 0x7F ? 0xFF : exponent + 64
    return Float(bitPattern: sign | wide << 23 | fraction << 7)
  }
}
