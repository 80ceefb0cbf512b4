/// The name of a folder in `trash/` or `aside/`: a scan, and when it came there.
struct TrashEntry: Hashable {
  static let folderName = "trash"

  var scan: ScanID
  /// Seconds since 1970.
  var seconds: Int

  init(scan: ScanID, seconds: Int) {
    self.scan = scan
    self.seconds = seconds
  }

  init?(name: String) {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, let scan = ScanID(String(parts[0])), let seconds = Int(parts[1]), seconds >= 0,
      String(seconds) == parts[1]
    else { return nil }
    self.init(scan: scan, seconds: seconds)
  }

  var name: String { "\(scan).\(seconds)" }
}

/// A scan in the trash.
package struct TrashedScan: Sendable, Hashable {
  package var id: ScanID
  /// When it was deleted.
  package var deletedAt: Timestamp
  /// What it is, or why that can't be told.
  package var record: Result<ScanRecord, LibraryError>

  var entry: TrashEntry { TrashEntry(scan: id, seconds: deletedAt.milliseconds / 1000) }
}

extension Library {
  /// How long deleted scans are kept.
  package static let trashDays = 30

  /// Moves a scan to the trash, whether its record can be read or not.
  ///
  /// It is gone from the library in one step, and all of it can be restored.
  /// - Throws: `noSuchScan`, or why it couldn't be moved.
  package func delete(_ id: ScanID, at moment: Timestamp = .now()) throws(LibraryError) {
    try asWriter { _ throws(LibraryError) in
      guard try scansFolder.status(of: id.text) != nil else {
        throw .noSuchScan(reference: id.text, near: [])
      }
      let trash = try root.ensureFolder(TrashEntry.folderName)
      var entry = TrashEntry(scan: id, seconds: moment.milliseconds / 1000)
      // Only a scan that was restored and deleted within a second has a name already.
      while try trash.status(of: entry.name) != nil { entry.seconds += 1 }
      try scansFolder.rename(id.text, to: trash, as: entry.name)
      do throws(LibraryError) {
        try trash.sync()
        try scansFolder.sync()
      } catch {
        // Nobody knows whether the move is on the disk. It will be told as failed, so it must not have been made.
        try trash.rename(entry.name, to: scansFolder, as: id.text)
        throw error
      }
    }
  }

  /// What is in the trash, deleted last comes last.
  package func trashedScans() throws(LibraryError) -> [TrashedScan] {
    guard let trash = try root.folderIfThere(TrashEntry.folderName) else { return [] }
    var scans: [TrashedScan] = []
    for entry in try trash.names().compactMap(TrashEntry.init(name:)) {
      let record: Result<ScanRecord, LibraryError>
      do throws(LibraryError) {
        guard let folder = try trash.folderIfThere(entry.name) else { continue }
        record = .success(try readRecord(entry.scan, in: folder).record)
      } catch {
        record = .failure(error)
      }
      scans.append(
        TrashedScan(
          id: entry.scan, deletedAt: Timestamp(milliseconds: entry.seconds * 1000), record: record))
    }
    return scans.sorted { ($0.deletedAt, $0.id) < ($1.deletedAt, $1.id) }
  }

  /// Puts a scan back.
  ///
  /// - Throws: `noSuchScan` when it isn't in the trash any more.
  package func restore(_ scan: TrashedScan) throws(LibraryError) {
    try asWriter { _ throws(LibraryError) in
      guard let trash = try root.folderIfThere(TrashEntry.folderName) else {
        throw .noSuchScan(reference: scan.id.text, near: [])
      }
      guard try scansFolder.status(of: scan.id.text) == nil else {
        throw .unfit("the scan is in the library already")
      }
      do throws(LibraryError) {
        try trash.rename(scan.entry.name, to: scansFolder, as: scan.id.text)
      } catch .system(_, _, missingCode) {
        throw .noSuchScan(reference: scan.id.text, near: [])
      }
      do throws(LibraryError) {
        try scansFolder.sync()
        try trash.sync()
      } catch {
        try scansFolder.rename(scan.id.text, to: trash, as: scan.entry.name)
        throw error
      }
    }
  }

  /// Removes a scan from the trash, with all its files, for good.
  package func removeForGood(_ scan: TrashedScan) throws(LibraryError) {
    try asWriter { staging throws(LibraryError) in try remove(scan.entry, through: staging) }
  }

  /// Removes what has been in the trash for long enough; called by every writer.
  func emptyTrash(through staging: Folder, now: Timestamp = .now()) throws(LibraryError) {
    guard let trash = try root.folderIfThere(TrashEntry.folderName) else { return }
    let limit = now.milliseconds / 1000 - Self.trashDays * 86_400
    for entry in try trash.names().compactMap(TrashEntry.init(name:)) where entry.seconds < limit {
      try remove(entry, through: staging)
    }
  }

  private func remove(_ entry: TrashEntry, through staging: Folder) throws(LibraryError) {
    guard let trash = try root.folderIfThere(TrashEntry.folderName) else { return }
    let name = StagingEntry.trash(entry.scan).name
    try staging.removeAll(name)
    do throws(LibraryError) {
      try trash.rename(entry.name, to: staging, as: name)
    } catch .system(_, _, missingCode) {
      throw .noSuchScan(reference: entry.scan.text, near: [])
    }
    try trash.sync()
    try staging.removeAll(name)
  }
}
