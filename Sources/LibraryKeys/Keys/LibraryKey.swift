private import CSystemSodium

/// The key of a library, and the keys derived from it, each for one purpose.
package final class LibraryKey: Sendable {
  /// Bytes of the library key.
  package static let byteCount = 32
  /// Bytes of a key's name.
  package static let nameBytes = 8

  package let secret: SecretBytes
  /// What tells the key from others, in the clear.
  package let name: [UInt8]
  /// Seals files.
  let files: SecretBytes
  /// Seals the state in the library's header.
  let state: SecretBytes

  package init(_ secret: SecretBytes) throws(KeyError) {
    guard secret.count == Self.byteCount else { throw .foreignState }
    self.secret = secret
    files = try derive("flatbed files", from: secret)
    state = try derive("flatbed state", from: secret)
    let name = try derive("flatbed name", from: secret)
    self.name = unsafe name.read { memory in (0..<Self.nameBytes).map { unsafe memory[$0] } }
  }

  /// A new one.
  package static func random() throws(KeyError) -> LibraryKey {
    try LibraryKey(try SecretBytes.random(count: byteCount))
  }
}

/// A key for one purpose: BLAKE2b of the purpose under the key.
private func derive(_ purpose: String, from key: SecretBytes) throws(KeyError) -> SecretBytes {
  try keyedHash(Array(purpose.utf8), key: key, count: LibraryKey.byteCount)
}

/// BLAKE2b of a message under a key.
func keyedHash(_ message: [UInt8], key: SecretBytes, count: Int) throws(KeyError) -> SecretBytes {
  try unsafe SecretBytes(count: count) { memory in
    unsafe key.read { bytes in
      unsafe crypto_generichash(memory, count, message, UInt64(message.count), bytes, key.count)
    }
  }
}
