private import CKeyShims
private import Glibc

/// The keyring that the kernel keeps for a login session, and forgets with it.
struct SessionKeyring: Sendable {
  /// Whether this process has one that isn't shared with all sessions of the user: those would keep the key after log-out.
  var isAtHand: Bool { flatbed_has_session_keyring() == 1 }

  private func name(_ library: String) -> String { "flatbed:\(library)" }

  func keep(_ secret: SecretBytes, library: String, seconds: Int) -> Bool {
    unsafe secret.read {
      unsafe flatbed_keyring_put(name(library), $0, secret.count, UInt32(clamping: seconds)) == 0
    }
  }

  func find(library: String) -> SecretBytes? {
    do {
      return try unsafe SecretBytes(count: LibraryKey.byteCount) { memory in
        unsafe flatbed_keyring_get(name(library), memory, LibraryKey.byteCount) == LibraryKey.byteCount
          ? 0 : -1
      }
    } catch {
      return nil
    }
  }

  /// Revokes the library's key in every session of the user's: a screen's locker may run in another one than the shell.
  func drop(library: String) -> Bool {
    var dropped = false
    for key in keys(named: name(library)) where flatbed_keyring_revoke(key) == 0 { dropped = true }
    return dropped
  }

  /// The numbers of the keys of that name that this user can see.
  private func keys(named name: String) -> [Int32] {
    guard let text = textFile("/proc/keys") else { return [] }
    return text.split(separator: "\n").compactMap { line in
      // 1a2b3c4d I--Q---     1 7h 3f050000  1000  1000 user      flatbed:ID: 32
      let words = line.split(separator: " ", omittingEmptySubsequences: true)
      guard words.count > 8, words[7] == "user", words[8] == "\(name):", words[5] == "\(geteuid())" else {
        return nil
      }
      return Int32(truncatingIfNeeded: UInt32(words[0], radix: 16) ?? 0)
    }
  }
}

private func textFile(_ path: String) -> String? {
  let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
  guard file >= 0 else { return nil }
  defer { close(file) }
  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 16384)
  while true {
    let count = unsafe read(file, &buffer, buffer.count)
    if count < 0, errno == EINTR { continue }
    guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
    bytes += buffer[..<count]
  }
}
