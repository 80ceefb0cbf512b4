private import CSystemSodium

/// What only who has the key may say of a library: whether open files are still taken for its own, and which key was before.
package struct KeyState: Sendable {
  package enum Phase: UInt8, Sendable {
    case steady = 0
    /// Files of an owner-only library are being sealed; those that aren't yet lie open.
    case converting = 1
  }

  package var phase: Phase
  /// The library key before, with which files may be sealed that haven't been sealed anew yet.
  package var previous: LibraryKey?

  package init(phase: Phase = .steady, previous: LibraryKey? = nil) {
    self.phase = phase
    self.previous = previous
  }

  private static let nonceBytes = KeySlot.nonceBytes
  private static func context(_ library: String) -> String { "flatbed state 2 \(library)" }

  /// The state as it stands in the library's header.
  package func sealed(with key: LibraryKey, library: String) throws(KeyError) -> [UInt8] {
    let phase = phase.rawValue
    let previous = previous?.secret
    let content = try unsafe SecretBytes(count: 1 + (previous?.count ?? 0)) { memory in
      unsafe memory[0] = phase
      if let previous {
        unsafe previous.read { bytes in
          for index in 0..<previous.count { unsafe memory[1 + index] = unsafe bytes[index] }
        }
      }
      return 0
    }
    let nonce = randomBytes(Self.nonceBytes)
    return unsafe nonce
      + content.read { bytes in
        unsafe encrypted(
          bytes, count: content.count, key: key.state, nonce: nonce, context: Self.context(library))
      }
  }

  /// Opens the state in a library's header.
  ///
  /// - Throws: `foreignState` when the key is not the library's.
  package init(opening sealed: [UInt8], with key: LibraryKey, library: String) throws(KeyError) {
    guard sealed.count > Self.nonceBytes,
      let content = try decrypted(
        Array(sealed[Self.nonceBytes...]), key: key.state, nonce: Array(sealed[..<Self.nonceBytes]),
        context: Self.context(library)),
      content.count == 1 || content.count == 1 + LibraryKey.byteCount,
      let phase = Phase(rawValue: unsafe content.read { unsafe $0[0] })
    else { throw .foreignState }
    self.phase = phase
    guard content.count > 1 else { return }
    previous = try LibraryKey(
      try unsafe SecretBytes(count: LibraryKey.byteCount) { memory in
        unsafe content.read { bytes in
          for index in 0..<LibraryKey.byteCount { unsafe memory[index] = unsafe bytes[1 + index] }
        }
        return 0
      })
  }
}
