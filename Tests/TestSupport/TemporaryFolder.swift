private import Glibc
package import Foundation

/// A folder of a test's own, gone when the last reference to it is.
package final class TemporaryFolder: Sendable {
  package let url: URL

  package init() throws {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("flatbed-test-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  package var path: String { url.path }

  /// The path of something in the folder.
  package func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  deinit {
    // A test that made a folder read-only has undone that itself; what is left is the system's to clean.
    try? FileManager.default.removeItem(at: url)
  }
}
