/// Where the key of an unlocked library is: in the session's keyring in the kernel, or in a keeper of ours where there is none.
///
/// Both lose it when its time is over, at log-out, and on `drop`.
package struct KeyStore: Sendable {
  private let keyring: SessionKeyring
  private let keeper: KeyKeeper?

  /// - Parameter environment: `XDG_RUNTIME_DIR` is where a keeper's socket is.
  package init(environment: [String: String]) {
    keyring = SessionKeyring()
    keeper = environment["XDG_RUNTIME_DIR"].flatMap { $0.hasPrefix("/") ? KeyKeeper(runtimeFolder: $0) : nil }
  }

  /// The key of a library, or `nil` when it is locked.
  package func find(library: String) -> LibraryKey? {
    guard let secret = keyring.find(library: library) ?? keeper?.find(library: library) else { return nil }
    do {
      return try LibraryKey(secret)
    } catch {
      // What isn't a key doesn't unlock anything.
      return nil
    }
  }

  /// Keeps the key of a library for a time.
  ///
  /// - Throws: `noPlace` when there is nothing to keep it in.
  package func keep(_ key: LibraryKey, library: String, seconds: Int) throws(KeyError) {
    drop(library: library)
    if keyring.isAtHand, keyring.keep(key.secret, library: library, seconds: seconds) { return }
    guard let keeper else { throw .noPlace }
    try keeper.keep(key.secret, library: library, seconds: seconds)
  }

  /// Forgets the key of a library, wherever it is.
  ///
  /// - Returns: whether there was one.
  @discardableResult
  package func drop(library: String) -> Bool {
    let fromKeyring = keyring.drop(library: library)
    let fromKeeper = keeper?.drop(library: library) ?? false
    return fromKeyring || fromKeeper
  }
}
