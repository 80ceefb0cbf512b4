extension Library {
  /// Changes a stored scan: all of what `body` does, or, when it or the writing fails, nothing.
  ///
  /// The scan is read anew under the writer's lock, so changes of other programs are never lost. Other writers wait meanwhile: slow
  /// work belongs before the call.
  /// - Returns: the scan as it is now.
  /// - Throws: what `body` throws; `noSuchScan`, `newerFormat`, or why it couldn't be written.
  @discardableResult
  package func change(
    _ id: ScanID, _ body: (inout ScanChange) throws(LibraryError) -> Void
  ) throws(LibraryError) -> ScanRecord {
    try asWriter { staging throws(LibraryError) in
      let folder: Folder
      do throws(LibraryError) {
        folder = try scansFolder.folder(id.text)
      } catch .system(_, _, missingCode) {
        throw .noSuchScan(reference: id.text, near: [])
      }
      let old = try readRecord(id, in: folder).record
      guard old.format <= ScanRecord.currentFormat else {
        throw .newerFormat(
          path: folder.path(of: ScanRecord.fileName), found: old.format,
          known: ScanRecord.currentFormat)
      }
      // A power cut may have taken the mark of an interrupted change and left its files, whose names are needed now.
      try sweepScan(id)
      let mark = StagingEntry.change(id).name
      try staging.removeAll(mark)
      let changeFolder = try staging.makeFolder(mark)
      try staging.sync()
      var new = old
      do throws(LibraryError) {
        var change = ScanChange(record: old, library: self, folder: folder)
        try body(&change)
        if change.record != old {
          new = try replaceRecord(of: folder, by: change.record, through: changeFolder)
        }
      } catch {
        tidyUp(id, mark, in: staging)
        throw error
      }
      tidyUp(id, mark, in: staging)
      return new
    }
  }

  /// New files are safe before the record that names them, and old ones go only after it (by the caller).
  func replaceRecord(
    of folder: Folder, by record: ScanRecord, through staged: Folder
  ) throws(LibraryError) -> ScanRecord {
    let (json, stored) = try record.encoded()
    try vault.write(json, as: ScanRecord.fileName, in: staged, of: record.id)
    try folder.sync()
    try staged.rename(ScanRecord.fileName, to: folder, as: ScanRecord.fileName)
    try folder.sync()
    return stored
  }

  /// Removes the files that the record, whichever is in place, doesn't name, and then the mark of the change.
  private func tidyUp(_ id: ScanID, _ mark: String, in staging: Folder) {
    do {
      try sweepScan(id)
      try staging.removeAll(mark)
    } catch {
      // The scan itself is whole; the mark, still there, makes the next writer try again.
    }
  }
}
