private import Glibc
package import Foundation

/// A folder of a test's own, gone when the last reference to it is, and at the latest when the process ends.
package final class TemporaryFolder: Sendable {
  package let url: URL

  package init() throws {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("flatbed-test-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    Self.remember(url)
  }

  package var path: String { url.path }

  /// The path of something in the folder.
  package func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  deinit {
    // A test that made a folder read-only has undone that itself; what is left is the system's to clean.
    try? FileManager.default.removeItem(at: url)
    _ = Self.withLiving { $0.remove(url) }
  }

  /// Folders that are there; those that a static property holds are never let go.
  ///
  /// Guarded by a lock that the thread sanitizer knows, which it doesn't know of `Mutex`.
  nonisolated(unsafe) private static var living: Set<URL> = []
  private static let lock = NSLock()

  private static func withLiving<Result>(_ body: (inout Set<URL>) -> Result) -> Result {
    lock.withLock { unsafe body(&living) }
  }

  private static func remember(_ url: URL) {
    _ = removesAtExit
    _ = withLiving { $0.insert(url) }
  }

  private static let removesAtExit = atexit {
    for url in TemporaryFolder.withLiving({ $0 }) { try? FileManager.default.removeItem(at: url) }
  }
}
