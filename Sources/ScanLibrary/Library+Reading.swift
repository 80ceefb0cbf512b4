extension Library {
  /// The scan with exactly this id.
  /// - Throws: `noSuchScan`, or what is wrong with it.
  package func scan(_ id: ScanID) throws(LibraryError) -> ScanRecord {
    guard let record = try currentRecord(id) else {
      throw .noSuchScan(reference: id.text, near: [])
    }
    return record
  }

  /// The content of a photo, as it was given; checked against its hash.
  /// - Throws: `damagedFile`, or `noSuchPhoto` when the scan has changed meanwhile.
  package func photoBytes(_ scan: ScanRecord, photo number: Int) throws(LibraryError) -> [UInt8] {
    guard let photo = scan.photo(number), !photo.isLost else {
      throw .noSuchPhoto(scan: scan.id, number: number)
    }
    return try content(photo.fileName, photo.file, of: scan) { current in
      current.photo(number) == nil ? .noSuchPhoto(scan: scan.id, number: number) : nil
    }
  }

  /// The PNG of a page, neither enhanced nor turned; checked against its hash.
  /// - Throws: `damagedFile`, or `noSuchPage` when the scan has changed meanwhile.
  package func pageBytes(_ scan: ScanRecord, page number: Int) throws(LibraryError) -> [UInt8] {
    guard let page = scan.page(number) else { throw .noSuchPage(scan: scan.id, number: number) }
    return try content(page.fileName, page.file, of: scan) { current in
      current.page(number) == nil ? .noSuchPage(scan: scan.id, number: number) : nil
    }
  }

  /// Reads a file of a scan; if it is missing because the scan has changed since the record was read, `gone` says so.
  private func content(
    _ name: String, _ file: StoredFile, of scan: ScanRecord, gone: (ScanRecord) -> LibraryError?
  ) throws(LibraryError) -> [UInt8] {
    do {
      let folder = try scansFolder.folder(scan.id.text)
      return try vault.read(name, in: folder, of: scan.id, expecting: file)
    } catch .system(.open, _, missingCode) {
      throw .noSuchScan(reference: scan.id.text, near: [])
    } catch {
      guard case .damagedFile(_, _, .missing) = error else { throw error }
      throw gone(try self.scan(scan.id)) ?? error
    }
  }

  /// The record of a scan as it is now, or `nil` when there is no such scan.
  func currentRecord(_ id: ScanID) throws(LibraryError) -> ScanRecord? {
    if let known = cache.all[id], try isCurrent(known) { return known.record }
    guard let entry = try currentEntry(id) else { return nil }
    cache.keep([entry])
    return entry.record
  }

  /// Whether a record is still in the file that it was read from.
  func isCurrent(_ entry: RecordCache.Entry) throws(LibraryError) -> Bool {
    try scansFolder.status(of: ScanRecord.path(of: entry.record.id)) == entry.status
  }

  /// The record of a scan, read now, or `nil` when there is no such scan.
  func currentEntry(_ id: ScanID) throws(LibraryError) -> RecordCache.Entry? {
    let folder: Folder
    do {
      folder = try scansFolder.folder(id.text)
    } catch .system(_, _, missingCode) {
      return nil
    }
    do {
      return try readRecord(id, in: folder)
    } catch .damagedScan(_, Self.missingRecord) {
      // A scan that was deleted just now has lost its files while the open folder lives on.
      if try scansFolder.status(of: id.text) == nil { return nil }
      throw .damagedScan(id, reason: Self.missingRecord)
    }
  }

  private static let missingRecord = "record.json is missing"

  /// Reads the record in a scan's folder.
  func readRecord(_ id: ScanID, in folder: Folder) throws(LibraryError) -> RecordCache.Entry {
    let bytes: [UInt8]
    let status: FileStatus
    do {
      (bytes, status) = try vault.read(
        ScanRecord.fileName, in: folder, of: id, limit: ScanRecord.maximumBytes)
    } catch .damagedFile(_, _, let damage) {
      throw .damagedScan(id, reason: "record.json \(damage)")
    } catch .system(_, _, missingCode) {
      throw .damagedScan(id, reason: Self.missingRecord)
    } catch .system(_, _, symbolicLinkCode) {
      throw .damagedScan(id, reason: "record.json is a symbolic link")
    } catch .notAFile {
      throw .damagedScan(id, reason: "record.json is not a regular file")
    } catch .tooLarge(_, let size, _) {
      throw .damagedScan(id, reason: "record.json has \(size) bytes, which is too many")
    }
    if bytes.isEmpty { throw .damagedScan(id, reason: "record.json is empty") }
    do {
      return RecordCache.Entry(record: try ScanRecord(json: bytes, id: id), status: status)
    } catch {
      if let version = ScanRecord.version(json: bytes), version > ScanRecord.currentFormat {
        throw .newerFormat(
          path: folder.path(of: ScanRecord.fileName), found: version,
          known: ScanRecord.currentFormat)
      }
      throw .damagedScan(id, reason: error.reason)
    }
  }
}
