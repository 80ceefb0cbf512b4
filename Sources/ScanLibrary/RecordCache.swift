private import Synchronization

/// Records that have been read, each with the status of the file it was read from.
///
/// A record is only ever replaced by a new file, so the same inode, size and time of change mean the same content.
final class RecordCache: Sendable {
  struct Entry: Sendable {
    var record: ScanRecord
    var status: FileStatus
  }

  private let entries = Mutex<[ScanID: Entry]>([:])

  /// All of them, by scan.
  var all: [ScanID: Entry] { entries.withLock { $0 } }

  func keep(_ new: [Entry]) {
    entries.withLock { entries in
      for entry in new { entries[entry.record.id] = entry }
    }
  }
}
