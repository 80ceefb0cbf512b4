private import CSystemSodium

/// A way to the library key: the key, wrapped by a passphrase or by a recovery key.
package struct KeySlot: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    case passphrase(PassphraseCost)
    case recovery
  }

  package var kind: Kind
  package var salt: [UInt8]
  package var nonce: [UInt8]
  package var wrapped: [UInt8]

  package static let saltBytes = 16
  package static let nonceBytes = 24
  package static let wrappedBytes = LibraryKey.byteCount + 16

  package init(kind: Kind, salt: [UInt8], nonce: [UInt8], wrapped: [UInt8]) {
    self.kind = kind
    self.salt = salt
    self.nonce = nonce
    self.wrapped = wrapped
  }

  /// Wraps a library's key with a passphrase.
  package init(
    passphrase: Passphrase, for key: LibraryKey, library: String, cost: PassphraseCost = .standard
  ) throws(KeyError) {
    let salt = randomBytes(Self.saltBytes)
    self = try KeySlot(
      kind: .passphrase(cost), salt: salt, key: key, library: library,
      wrapping: Self.wrappingKey(passphrase, salt: salt, cost: cost))
  }

  /// Wraps a library's key with a recovery key.
  package init(recovery: RecoveryKey, for key: LibraryKey, library: String) throws(KeyError) {
    let salt = randomBytes(Self.saltBytes)
    self = try KeySlot(
      kind: .recovery, salt: salt, key: key, library: library,
      wrapping: Self.wrappingKey(recovery, salt: salt))
  }

  /// The library's key, or `nil` when the passphrase is not this slot's.
  ///
  /// - Throws: `unfitCost` when the slot asks for too much or too little; nothing has been computed then.
  package func open(
    _ passphrase: Passphrase, library: String, limits: PassphraseLimits
  ) throws(KeyError) -> LibraryKey? {
    guard case .passphrase(let cost) = kind else { return nil }
    guard limits.allow(cost) else { throw .unfitCost(memory: cost.memory, passes: cost.passes) }
    return try unwrap(Self.wrappingKey(passphrase, salt: salt, cost: cost), library: library)
  }

  /// The library's key, or `nil` when the recovery key is not this slot's.
  package func open(_ recovery: RecoveryKey, library: String) throws(KeyError) -> LibraryKey? {
    guard kind == .recovery else { return nil }
    return try unwrap(Self.wrappingKey(recovery, salt: salt), library: library)
  }

  // MARK: Wrapping

  private init(
    kind: Kind, salt: [UInt8], key: LibraryKey, library: String, wrapping: SecretBytes
  ) throws(KeyError) {
    nonce = randomBytes(Self.nonceBytes)
    self.kind = kind
    self.salt = salt
    wrapped = []
    wrapped = unsafe key.secret.read { secret in
      unsafe encrypted(
        secret, count: LibraryKey.byteCount, key: wrapping, nonce: nonce, context: context(library))
    }
  }

  private func unwrap(_ wrapping: SecretBytes, library: String) throws(KeyError) -> LibraryKey? {
    guard wrapped.count == Self.wrappedBytes, nonce.count == Self.nonceBytes else { return nil }
    guard let secret = try decrypted(wrapped, key: wrapping, nonce: nonce, context: context(library)) else {
      return nil
    }
    return try LibraryKey(secret)
  }

  /// What the wrapped key is bound to.
  private func context(_ library: String) -> String {
    switch kind {
    case .passphrase(let cost): "flatbed slot 2 \(library) passphrase \(cost.memory) \(cost.passes)"
    case .recovery: "flatbed slot 2 \(library) recovery 0 0"
    }
  }

  private static func wrappingKey(
    _ passphrase: Passphrase, salt: [UInt8], cost: PassphraseCost
  ) throws(KeyError) -> SecretBytes {
    guard salt.count == saltBytes else { throw .foreignState }
    return try unsafe SecretBytes(count: LibraryKey.byteCount) { memory in
      unsafe passphrase.bytes.read { bytes in
        unsafe bytes.withMemoryRebound(to: CChar.self, capacity: passphrase.bytes.count) { text in
          unsafe crypto_pwhash(
            memory, UInt64(LibraryKey.byteCount), text, UInt64(passphrase.bytes.count), salt,
            UInt64(cost.passes), cost.memory, crypto_pwhash_ALG_ARGON2ID13)
        }
      }
    }
  }

  private static func wrappingKey(_ recovery: RecoveryKey, salt: [UInt8]) throws(KeyError) -> SecretBytes {
    try keyedHash(Array("flatbed recovery".utf8) + salt, key: recovery.bytes, count: LibraryKey.byteCount)
  }
}

extension [KeySlot] {
  /// The library's key.
  ///
  /// - Throws: `wrongPassphrase` when no slot opens with it.
  package func open(
    _ passphrase: Passphrase, library: String, limits: PassphraseLimits = .program
  ) throws(KeyError) -> LibraryKey {
    for slot in self {
      if let key = try slot.open(passphrase, library: library, limits: limits) { return key }
    }
    throw .wrongPassphrase
  }

  /// The library's key.
  ///
  /// - Throws: `wrongRecoveryKey` when no slot opens with it.
  package func open(_ recovery: RecoveryKey, library: String) throws(KeyError) -> LibraryKey {
    for slot in self {
      if let key = try slot.open(recovery, library: library) { return key }
    }
    throw .wrongRecoveryKey
  }
}
