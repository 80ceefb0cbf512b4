/// What lies in the library's `staging` folder: the only place for things that are not whole.
///
/// Each entry is named after a scan, with an ending that tells what it is. Endings that this version doesn't know are left alone.
enum StagingEntry: Hashable {
  /// `ID`: a scan being built. Its builder holds a lock on `ID.lock`.
  case building(ScanID)
  /// `ID.lock`: the mark of the builder.
  case mark(ScanID)
  /// `ID.change`: a folder that stands there while the files of a stored scan change, for the new record.
  case change(ScanID)
  /// `ID.trash`: a scan that is being removed for good.
  case trash(ScanID)

  static let folderName = "staging"

  init?(name: String) {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard let first = parts.first, let id = ScanID(String(first)) else { return nil }
    switch parts.dropFirst().joined(separator: ".") {
    case "" where parts.count == 1: self = .building(id)
    case "lock": self = .mark(id)
    case "change": self = .change(id)
    case "trash": self = .trash(id)
    default: return nil
    }
  }

  var name: String {
    switch self {
    case .building(let id): id.text
    case .mark(let id): id.text + ".lock"
    case .change(let id): id.text + ".change"
    case .trash(let id): id.text + ".trash"
    }
  }
}

extension Library {
  /// Runs `body` as the only writer, after what dead writers left has been swept; it is given the staging folder.
  func asWriter<Result>(
    _ body: (Folder) throws(LibraryError) -> Result
  ) throws(LibraryError) -> Result {
    guard format <= LibraryHeader.currentFormat else {
      throw .newerFormat(path: path, found: format, known: LibraryHeader.currentFormat)
    }
    let lock = try FileLock.waiting(in: root, patience: patience)
    defer { withExtendedLifetime(lock) {} }
    let staging = try root.ensureFolder(StagingEntry.folderName)
    try recheckHeader()
    try sweep(staging)
    do {
      try healHeader(through: staging)
      try emptyTrash(through: staging)
    } catch {
      // What can't be done now is done by a later writer.
    }
    return try body(staging)
  }

  /// Removes what a writer left that was killed, unplugged or out of space.
  private func sweep(_ staging: Folder) throws(LibraryError) {
    let names = Set(try staging.names())
    if names.contains(LibraryHeader.fileName) { try staging.removeFile(LibraryHeader.fileName) }
    for name in names {
      guard let entry = StagingEntry(name: name) else { continue }
      do {
        try sweep(entry, in: staging, beside: names)
      } catch {
        // Remains that can't be removed harm no scan, and must not keep anyone from writing; the next writer tries again.
      }
    }
  }

  private func sweep(
    _ entry: StagingEntry, in staging: Folder, beside names: Set<String>
  ) throws(LibraryError) {
    switch entry {
    case .building(let id):
      if names.contains(StagingEntry.mark(id).name) { return }
      try staging.removeAll(entry.name)
    case .mark(let id):
      // Whoever builds the scan holds this lock as long as it lives.
      guard let lock = try FileLock.tryTaking(entry.name, in: staging) else { return }
      try staging.removeAll(StagingEntry.building(id).name)
      try staging.removeFile(entry.name)
      withExtendedLifetime(lock) {}
    case .change(let id):
      try sweepScan(id)
      try staging.removeAll(entry.name)
    case .trash:
      try staging.removeAll(entry.name)
    }
  }

  /// Removes files in a scan's folder that its record doesn't name.
  func sweepScan(_ id: ScanID) throws(LibraryError) {
    let folder: Folder
    let record: ScanRecord
    do {
      folder = try scansFolder.folder(id.text)
      record = try readRecord(id, in: folder).record
    } catch .system(_, _, missingCode) {
      return
    } catch .damagedScan, .newerFormat {
      // Without a record that can be understood, nobody knows which files matter.
      return
    }
    let known = Set(record.fileNames)
    for name in try folder.names() where !known.contains(name) && isFileOfOurs(name) {
      try folder.removeFile(name)
    }
  }

  /// Whether a name is one that the library gives to files of a scan; anything else in there is not ours to remove.
  func isFileOfOurs(_ name: String) -> Bool {
    name.hasPrefix("photo-") || name.hasPrefix("page-")
  }
}
