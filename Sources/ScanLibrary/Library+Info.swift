/// The file that asks backup programs to pass the library over.
enum BackupMark {
  /// The name that restic, borg and rsync are told to look for.
  static let fileName = ".nobackup"
  /// For restic and borg the file's being there is enough; rsync reads it as a list of filter rules.
  static let content = "# Backup programs pass this folder over.\n- *\n"
}

/// What there is to say about a library as a whole.
package struct LibraryInfo: Sendable, Hashable {
  package var path: String
  package var id: ScanID
  package var format: Int
  /// `owner-only`: files that only their owner can read, not encrypted; `passphrase`: sealed.
  package var protection: String
  package var scans: Int
  package var damagedScans: Int
  package var pages: Int
  package var photos: Int
  /// Of all files of the scans, records included.
  package var bytes: Int
  /// Whether `.nobackup` asks backup programs to pass the library over.
  package var isExcludedFromBackup: Bool
}

extension Library {
  /// Counts scans, pages and bytes.
  package func info() throws(LibraryError) -> LibraryInfo {
    let listing = try scans()
    var bytes = 0
    for scan in listing.scans {
      bytes += try scansFolder.status(of: scan.id.text + "/" + ScanRecord.fileName)?.bytes ?? 0
      bytes += scan.photos.reduce(0) { $0 + $1.file.bytes }
      bytes += scan.pages.reduce(0) { $0 + $1.file.bytes }
    }
    return LibraryInfo(
      path: path, id: id, format: format, protection: protection.name,
      scans: listing.scans.count, damagedScans: listing.damaged.count,
      pages: listing.scans.reduce(0) { $0 + $1.pages.count },
      photos: listing.scans.reduce(0) { $0 + $1.photos.count }, bytes: bytes,
      isExcludedFromBackup: try root.status(of: BackupMark.fileName) != nil)
  }

  /// Asks backup programs to pass the library over, or no longer.
  package func setBackup(excluded: Bool) throws(LibraryError) {
    try asWriter { _ throws(LibraryError) in
      if excluded {
        if try root.status(of: BackupMark.fileName) == nil {
          try root.create(BackupMark.fileName, Array(BackupMark.content.utf8))
        }
      } else {
        try root.removeFile(BackupMark.fileName)
      }
      try root.sync()
    }
  }
}
