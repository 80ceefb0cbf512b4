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

  /// The record of a scan, if the file that holds it is still the one with this status.
  func record(_ id: ScanID, ifStill status: FileStatus) -> ScanRecord? {
    entries.withLock { entries in
      guard let entry = entries[id], entry.status == status else { return nil }
      return entry.record
    }
  }

  func keep(_ entry: Entry) {
    entries.withLock { $0[entry.record.id] = entry }
  }
}
