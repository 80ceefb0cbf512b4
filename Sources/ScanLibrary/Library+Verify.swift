extension Library {
  /// Reads every file of the library and compares it with what the records say.
  ///
  /// Writers may go on meanwhile: a scan that changes under the reader's hands is looked at again. Nothing is written.
  /// - Parameter progress: called after each scan.
  /// - Throws: only when the library as a whole can't be read; what is wrong with a scan is in the report.
  package func verify(
    progress: (VerifyProgress) -> Void = { _ in }
  ) throws(LibraryError) -> VerifyReport {
    var report = VerifyReport()
    let listing = try scans()
    var state = VerifyProgress(
      scans: 0, totalScans: listing.scans.count + listing.damaged.count, bytes: 0,
      totalBytes: listing.scans.reduce(0) { sum, scan in
        sum + scan.photos.reduce(0) { $0 + $1.file.bytes } + scan.pages.reduce(0) { $0 + $1.file.bytes }
      })
    try checkTop(&report)
    for name in try scansFolder.names().sorted() {
      guard let id = ScanID(name) else {
        report.findings.append(
          VerifyFinding(
            gravity: .stray, scan: nil, file: "\(Self.scansFolderName)/\(name)",
            text: "is not a scan"))
        continue
      }
      try checkScan(id, &report)
      state.scans += 1
      state.bytes = report.bytes
      progress(state)
    }
    try checkTrash(&report)
    return report
  }

  /// Looks at deleted scans, which are to be whole as long as they can be restored.
  private func checkTrash(_ report: inout VerifyReport) throws(LibraryError) {
    guard let trash = try root.folderIfThere(TrashEntry.folderName) else { return }
    for name in try trash.names().sorted() {
      let path = "\(TrashEntry.folderName)/\(name)"
      guard let entry = TrashEntry(name: name) else {
        report.findings.append(
          VerifyFinding(gravity: .stray, scan: nil, file: path, text: "is not a deleted scan"))
        continue
      }
      var scanReport = VerifyReport()
      try check(entry.scan, in: trash, name, path, &scanReport)
      // It may have been restored or removed meanwhile.
      guard try trash.status(of: name) != nil else { continue }
      report.scans += 1
      report.files += scanReport.files
      report.bytes += scanReport.bytes
      report.findings += scanReport.findings
    }
  }

  /// Looks at the library's own files and folders.
  private func checkTop(_ report: inout VerifyReport) throws(LibraryError) {
    checkAccess(try root.status(), "the library's folder", nil, &report)
    for name in header.keys == nil ? [] : [LibraryHeader.fileName, LibraryHeader.copyName] {
      do throws(LibraryError) {
        if try Self.readHeader(name, in: root, path: path) == header { continue }
      } catch {
        // Told of below; the other one was used.
      }
      report.findings.append(
        VerifyFinding(gravity: .damage, scan: nil, file: name, text: "is missing, damaged or out of date"))
    }
    for name in try root.names().sorted() {
      guard let status = try root.status(of: name) else { continue }
      switch name {
      case Self.scansFolderName, StagingEntry.folderName, LibraryHeader.fileName, LibraryHeader.copyName,
        FileLock.writerFileName, BackupMark.fileName, TrashEntry.folderName, Self.asideFolderName:
        checkAccess(status, name, nil, &report)
      default:
        report.findings.append(
          VerifyFinding(gravity: .stray, scan: nil, file: name, text: "is not a file of the library"))
      }
    }
  }

  /// Looks at a scan, again if it may have been changed meanwhile, and takes what is found twice for true.
  private func checkScan(_ id: ScanID, _ report: inout VerifyReport) throws(LibraryError) {
    let clock = ContinuousClock()
    let start = clock.now
    var previous: [VerifyFinding]?
    while true {
      var scanReport = VerifyReport()
      let before = try recordStatus(id)
      try check(id, in: scansFolder, id.text, "\(Self.scansFolderName)/\(id)", &scanReport)
      let after = try recordStatus(id)
      let gone = try scansFolder.status(of: id.text) == nil
      if gone { return }
      let findings = scanReport.findings
      let isSettled = before == after && (findings.isEmpty || findings == previous)
      let isAlive = findings.isEmpty ? false : try isChanging(id)
      if isSettled && !isAlive || start.duration(to: clock.now) > patience.limit {
        report.scans += 1
        report.files += scanReport.files
        report.bytes += scanReport.bytes
        report.findings += findings
        return
      }
      previous = findings
      if isAlive { FileLock.pause() }
    }
  }

  private func recordStatus(_ id: ScanID) throws(LibraryError) -> FileStatus? {
    try scansFolder.status(of: id.text + "/" + ScanRecord.fileName)
  }

  /// Whether someone alive is changing the scan: its mark stands in the staging folder, and the writer's lock is held.
  ///
  /// A change puts its new files there first and removes old ones last, and these are not to be taken for strays.
  private func isChanging(_ id: ScanID) throws(LibraryError) -> Bool {
    let mark = StagingEntry.folderName + "/" + StagingEntry.change(id).name
    guard try root.status(of: mark) != nil else { return false }
    return try FileLock.isHeld(in: root)
  }

  private func check(
    _ id: ScanID, in container: Folder, _ folderName: String, _ scanPath: String, _ report: inout VerifyReport
  ) throws(LibraryError) {
    func note(_ gravity: VerifyFinding.Gravity, _ name: String?, _ text: String) {
      let file = name.map { "\(scanPath)/\($0)" } ?? scanPath
      report.findings.append(VerifyFinding(gravity: gravity, scan: id, file: file, text: text))
    }
    let folder: Folder
    let record: ScanRecord
    do {
      folder = try container.folder(folderName)
      checkAccess(try folder.status(), scanPath, id, &report)
      record = try readRecord(id, in: folder).record
    } catch .system(_, _, missingCode) {
      return
    } catch .damagedScan(_, let reason) {
      return note(.damage, nil, "is damaged: \(reason)")
    } catch {
      return note(.damage, nil, "can't be read: \(error)")
    }
    if record.format > ScanRecord.currentFormat {
      note(.stray, ScanRecord.fileName, "was written by a newer Flatbed and is only partly understood")
    }
    report.files += 1
    for photo in record.photos where !photo.isLost {
      if let damage = try check(photo.fileName, photo.file, in: folder, of: id, &report).damage {
        note(.damage, photo.fileName, "\(damage)")
      }
    }
    for page in record.pages {
      let (content, damage) = try check(page.fileName, page.file, in: folder, of: id, &report)
      if let damage {
        note(.damage, page.fileName, "\(damage)")
      } else if PageRecord.size(ofPNG: content) != page.size {
        note(.damage, page.fileName, "is not a PNG of \(page.size) pixels, as its record says")
      }
    }
    let known = Set(record.fileNames)
    for name in try folder.names().sorted() {
      guard let status = try folder.status(of: name) else { continue }
      checkAccess(status, "\(scanPath)/\(name)", id, &report)
      if !known.contains(name) { note(.stray, name, "is not named by the scan's record") }
    }
  }

  /// Reads a file whole and tells what is wrong with it.
  private func check(
    _ name: String, _ file: StoredFile, in folder: Folder, of id: ScanID,
    _ report: inout VerifyReport
  ) throws(LibraryError) -> (content: [UInt8], damage: FileDamage?) {
    report.files += 1
    do {
      let content = try vault.read(name, in: folder, of: id, expecting: file)
      report.bytes += content.count
      return (content, nil)
    } catch .damagedFile(_, _, let damage) {
      return ([], damage)
    } catch .system(_, _, let code) {
      return ([], .unreadable(code: code))
    }
  }

  private func checkAccess(
    _ status: FileStatus, _ file: String, _ scan: ScanID?, _ report: inout VerifyReport
  ) {
    guard status.kind != .other, status.permissions & 0o077 != 0 else { return }
    let digits = "0" + String(status.permissions, radix: 8)
    report.findings.append(
      VerifyFinding(
        gravity: .exposed, scan: scan, file: file,
        text: "may be used by others than its owner (permissions \(digits))"))
  }
}
