private import CSystemSodium

/// Bytes that must not get about: locked in memory, kept out of core dumps, overwritten when the last reference goes.
///
/// The memory lies between pages that can't be touched, so that an overrun anywhere ends the program instead of reading it.
package final class SecretBytes: Sendable {
  /// What `sodium_malloc` gave, as a number, which can be shared between threads: nothing writes after `init`.
  private let address: UInt
  package let count: Int

  /// Bytes that `fill` writes; `fill` gives 0, or something else when it fails.
  package init(count: Int, fill: (UnsafeMutablePointer<UInt8>) -> Int32) throws(KeyError) {
    guard Sodium.isReady, let memory = unsafe sodium_malloc(max(count, 1)) else { throw .outOfMemory }
    address = UInt(bitPattern: memory)
    self.count = count
    let status = unsafe fill(memory.assumingMemoryBound(to: UInt8.self))
    guard status == 0 else { throw .outOfMemory }
  }

  deinit { unsafe sodium_free(UnsafeMutableRawPointer(bitPattern: address)) }

  /// Random bytes.
  package static func random(count: Int) throws(KeyError) -> SecretBytes {
    try unsafe SecretBytes(count: count) { memory in
      unsafe randombytes_buf(memory, count)
      return 0
    }
  }

  /// Takes bytes over, and overwrites the array they were in.
  package convenience init(taking bytes: inout [UInt8]) throws(KeyError) {
    defer { wipe(&bytes) }
    try unsafe self.init(count: bytes.count) { memory in
      for index in bytes.indices { unsafe memory[index] = bytes[index] }
      return 0
    }
  }

  /// Lets `body` read the bytes, which it must not keep.
  package func read<Result>(_ body: (UnsafePointer<UInt8>) -> Result) -> Result {
    guard let memory = unsafe UnsafePointer<UInt8>(bitPattern: address) else {
      preconditionFailure("memory has an address")
    }
    return unsafe body(memory)
  }

  /// Whether both hold the same bytes, found out in a time that tells nothing of them.
  package func equals(_ other: SecretBytes) -> Bool {
    guard count == other.count else { return false }
    return unsafe read { mine in unsafe other.read { unsafe sodium_memcmp(mine, $0, count) == 0 } }
  }
}

/// Overwrites an array's bytes, and empties it; copies made before are not reached.
package func wipe(_ bytes: inout [UInt8]) {
  unsafe bytes.withUnsafeMutableBytes { unsafe sodium_memzero($0.baseAddress, $0.count) }
  bytes = []
}

/// libsodium, which has to be asked once before use.
enum Sodium {
  static let isReady = sodium_init() >= 0
}
