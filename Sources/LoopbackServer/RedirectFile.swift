private import Glibc

/// A file that leads a browser to an address which must not stand in any list of processes.
///
/// Whoever opens it is sent on. Only its owner can read it; it goes with the last reference.
package final class RedirectFile: Sendable {
  package let path: String
  /// A folder that was made for the file alone, when there was no private one.
  private let ownFolder: String?

  /// Makes the file in the user's runtime folder, or in a folder of its own under the temporary one.
  ///
  /// - Throws: why it couldn't be written.
  package init(to address: String, environment: [String: String]) throws(LoopbackError) {
    var folder = environment["XDG_RUNTIME_DIR"] ?? ""
    if folder.hasPrefix("/"), Self.isPrivate(folder) {
      ownFolder = nil
    } else {
      var template = Array("\(environment["TMPDIR"] ?? "/tmp")/flatbed-XXXXXX".utf8CString)
      let made = unsafe template.withUnsafeMutableBufferPointer { buffer in
        unsafe buffer.baseAddress.flatMap { unsafe mkdtemp($0) } != nil
      }
      guard made else { throw .system(call: "mkdtemp", code: errno) }
      folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
      ownFolder = folder
    }
    path = "\(folder)/flatbed-review-\(getpid())-\(UInt32.random(in: 0...UInt32.max)).html"
    let file = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw .system(call: "open", code: errno) }
    defer { close(file) }
    let text = Array(
      """
      <!doctype html>
      <meta charset="utf-8">
      <meta name="referrer" content="no-referrer">
      <meta http-equiv="refresh" content="0; url=\(address)">
      <title>Flatbed</title>
      <a href="\(address)">Open Flatbed's review</a>

      """.utf8)
    guard unsafe write(file, text, text.count) == text.count else {
      throw .system(call: "write", code: errno)
    }
  }

  deinit { remove() }

  /// Removes the file; once the address has been used it is of no use any more.
  package func remove() {
    _ = unsafe unlink(path)
    if let ownFolder { _ = unsafe rmdir(ownFolder) }
  }

  /// Whether a folder is this user's, and no one else's.
  private static func isPrivate(_ folder: String) -> Bool {
    var status = stat()
    return unsafe stat(folder, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
      && status.st_uid == geteuid() && status.st_mode & 0o077 == 0
  }
}
