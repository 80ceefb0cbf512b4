/// Bytes that are equal to the one before the first of them.
struct Run {
  private let first: Int32
  private let length: Int32

  /// - Precondition: both fit 32 bits.
  @inline(__always)
  init(start: Int, count: Int) {
    first = Int32(truncatingIfNeeded: start)
    length = Int32(truncatingIfNeeded: count)
  }

  var start: Int { Int(first) }
  var count: Int { Int(length) }
  /// The place after the last.
  var end: Int { start &+ count }
}

/// Finds runs of equal bytes: all of seven and more, and some that are shorter.
///
/// Eight bytes are compared at once with the eight before them; a run of seven covers four of them that lie in one half.
/// - Parameter found: room for a run every five bytes, and one.
/// - Returns: how many there are, in order, none touching the other.
func findRuns(
  in bytes: UnsafePointer<UInt8>, count: Int, found: UnsafeMutablePointer<Run>
) -> Int {
  var runs = 0
  var covered = 1
  var index = 1
  let raw = unsafe UnsafeRawPointer(bytes)
  while index &+ 8 <= count {
    let here = unsafe raw.loadUnaligned(fromByteOffset: index, as: UInt64.self).littleEndian
    let before = unsafe raw.loadUnaligned(fromByteOffset: index &- 1, as: UInt64.self).littleEndian
    let difference = here ^ before
    let lower = difference & 0xFFFF_FFFF
    if lower != 0 && difference &>> 32 != 0 {
      index &+= 8
      continue
    }
    var start = lower == 0 ? index : index &+ 4
    var end = start &+ 4
    while unsafe start > covered && bytes[start &- 1] == bytes[start &- 2] { start &-= 1 }
    let value = unsafe bytes[start]
    let pattern = UInt64(value) &* 0x0101_0101_0101_0101
    while unsafe end &+ 8 <= count
      && raw.loadUnaligned(fromByteOffset: end, as: UInt64.self) == pattern
    { end &+= 8 }
    while unsafe end < count && bytes[end] == value { end &+= 1 }
    unsafe found[runs] = Run(start: start, count: end &- start)
    runs &+= 1
    covered = end &+ 1
    index = end &+ 1
  }
  return runs
}
