/// Something that isn't as it should be.
package struct VerifyFinding: Sendable, Hashable {
  /// How bad it is.
  package enum Gravity: String, Sendable, CaseIterable {
    /// Content is lost, altered or can't be read.
    case damage
    /// Others than the owner may read or change it.
    case exposed
    /// Something that belongs to no scan; the content is whole.
    case stray
  }

  package var gravity: Gravity
  /// The scan it concerns, if it is one.
  package var scan: ScanID?
  /// The path within the library's folder.
  package var file: String
  /// What is wrong, as the rest of a sentence that begins with the path: `is missing`.
  package var text: String

  /// Whether it concerns a deleted scan.
  package var isInTrash: Bool { file.hasPrefix(TrashEntry.folderName + "/") }
}

extension VerifyFinding: CustomStringConvertible {
  package var description: String { "\(file) \(text)" }
}

/// What `verify` has looked at, and what it found.
package struct VerifyReport: Sendable {
  package var findings: [VerifyFinding] = []
  /// Scans looked at, damaged ones included.
  package var scans = 0
  /// Files of scans looked at, records included.
  package var files = 0
  /// Bytes of photos and pages that were read and hashed.
  package var bytes = 0

  /// Whether all content is there and what was stored.
  package var isSound: Bool { !findings.contains { $0.gravity == .damage } }
}

/// How far `verify` has come.
package struct VerifyProgress: Sendable, Hashable {
  package var scans: Int
  package var totalScans: Int
  package var bytes: Int
  /// As the records say it; more or less may be found.
  package var totalBytes: Int
}
