/// Writes bits, the first into the lowest bit of a byte, as deflate has it.
///
/// Holds a pointer to memory that its maker keeps, and that has room for whatever is written and eight bytes more.
@safe struct BitWriter {
  private let start: UnsafeMutablePointer<UInt8>
  private(set) var place: UnsafeMutablePointer<UInt8>
  private(set) var pending: UInt64 = 0
  private(set) var pendingCount: UInt64 = 0

  init(_ start: UnsafeMutablePointer<UInt8>) {
    unsafe self.start = start
    unsafe place = start
  }

  /// Whole bytes that are written.
  var count: Int { unsafe place - start }

  /// Adds bits, of which at most 7 + 56 may be waiting.
  @inline(__always)
  mutating func add(_ bits: UInt64, count: UInt64) {
    pending |= bits &<< pendingCount
    pendingCount &+= count
  }

  /// Writes all whole bytes that wait.
  @inline(__always)
  mutating func flush() {
    unsafe UnsafeMutableRawPointer(place).storeBytes(of: pending.littleEndian, as: UInt64.self)
    unsafe place += Int(pendingCount &>> 3)
    pending &>>= pendingCount & 56
    pendingCount &= 7
  }

  /// Adds few bits and writes them.
  mutating func put(_ bits: Int, count: Int) {
    add(UInt64(bits), count: UInt64(count))
    flush()
  }

  /// Fills the byte that was begun with zeros.
  mutating func align() {
    pendingCount = (pendingCount + 7) & 56
    flush()
  }
}
