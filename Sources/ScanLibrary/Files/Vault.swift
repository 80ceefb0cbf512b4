internal import LibraryKeys

/// The one place through which files of scans are read, written and moved, each of them whole.
///
/// Whatever protects their content belongs here: callers hand in and get back plain content, and say which scan a file
/// belongs to, so that content can be bound to its place.
struct Vault: Sendable {
  /// The library, to which sealed content is bound.
  let library: ScanID
  /// What content is sealed with; `nil` leaves it open.
  let sealing: Sealing?

  struct Sealing: Sendable {
    let key: LibraryKey
    /// The library's key, and the one before while the library is being rekeyed.
    let keys: [LibraryKey]
    /// Whether files that lie open are taken for the library's, which is being converted.
    let acceptsOpen: Bool

    init(_ key: LibraryKey, _ state: KeyState) {
      self.key = key
      keys = [key] + (state.previous.map { [$0] } ?? [])
      acceptsOpen = state.phase == .converting
    }
  }

  private func place(_ name: String, _ scan: ScanID) -> String { "\(library)/\(scan)/\(name)" }

  /// The content of what was read.
  private func content(
    of stored: [UInt8], _ name: String, in folder: Folder, of scan: ScanID
  ) throws(LibraryError) -> [UInt8] {
    guard let sealing else {
      guard !SealedFile.isSealed(stored) else { throw .sealedBesideOpen(path: folder.path(of: name)) }
      return stored
    }
    if sealing.acceptsOpen, !SealedFile.isSealed(stored) { return stored }
    do {
      return try SealedFile.open(stored, with: sealing.keys, place: place(name, scan))
    } catch {
      throw .damagedFile(scan: scan, file: name, damage: .seal(error))
    }
  }

  /// How many bytes a file may have that holds so much content.
  private func storedLimit(_ contentBytes: Int) -> Int {
    sealing == nil ? contentBytes : SealedFile.sealedBytes(ofContent: contentBytes)
  }

  /// Writes a new file and sees it safe on the disk; its name is safe after the folder's own `sync()`.
  func write(
    _ content: [UInt8], as name: String, in folder: Folder, of scan: ScanID
  ) throws(LibraryError) {
    guard let sealing else { return try folder.create(name, content) }
    let count = SealedFile.sealedBytes(ofContent: content.count)
    try folder.create(name, bytes: count) { file throws(LibraryError) in
      try SealedFile.seal(content, with: sealing.key, place: place(name, scan)) {
        piece throws(LibraryError) in try file.write(piece)
      }
    }
  }

  /// The content of a file of at most `limit` bytes, with the status of the file that holds it.
  func read(
    _ name: String, in folder: Folder, of scan: ScanID, limit: Int
  ) throws(LibraryError) -> (bytes: [UInt8], status: FileStatus) {
    let (bytes, status) = try folder.read(name, limit: storedLimit(limit))
    if bytes.isEmpty { return (bytes, status) }
    return (try content(of: bytes, name, in: folder, of: scan), status)
  }

  /// The same of a file that has been opened, in the scan's folder in `scans`.
  func read(
    _ file: FileDescriptor, _ name: String, below scans: Folder, of scan: ScanID, limit: Int
  ) throws(LibraryError) -> (bytes: [UInt8], status: FileStatus) {
    let (bytes, status) = try scans.read(file, scan.text + "/" + name, limit: storedLimit(limit))
    if bytes.isEmpty { return (bytes, status) }
    return (try content(of: bytes, name, in: scans, of: scan), status)
  }

  /// The content of a file that a record names, checked against size and hash.
  func read(
    _ name: String, in folder: Folder, of scan: ScanID, expecting file: StoredFile
  ) throws(LibraryError) -> [UInt8] {
    func damaged(_ damage: FileDamage) -> LibraryError {
      .damagedFile(scan: scan, file: name, damage: damage)
    }
    func wrongSize(_ stored: Int) -> LibraryError {
      let found = sealing == nil ? stored : SealedFile.contentBytes(ofSealed: stored)
      return damaged(.wrongSize(found: found, recorded: file.bytes))
    }
    let stored: [UInt8]
    do {
      stored = try folder.read(name, limit: storedLimit(file.bytes)).bytes
    } catch .system(_, _, code: missingCode) {
      throw damaged(.missing)
    } catch .system(_, _, code: symbolicLinkCode) {
      throw damaged(.notAFile)
    } catch .notAFile {
      throw damaged(.notAFile)
    } catch .tooLarge(_, let bytes, _) {
      throw wrongSize(bytes)
    }
    if stored.isEmpty && (file.bytes > 0 || sealing != nil) { throw damaged(.empty) }
    if SealedFile.isSealed(stored), sealing != nil, stored.count != storedLimit(file.bytes) {
      throw wrongSize(stored.count)
    }
    let content = try content(of: stored, name, in: folder, of: scan)
    guard content.count == file.bytes else {
      throw damaged(.wrongSize(found: content.count, recorded: file.bytes))
    }
    guard ContentHash(of: content) == file.sha256 else { throw damaged(.altered) }
    return content
  }

  /// Brings a file of one scan into another.
  ///
  /// Sealed content is bound to its place, so it is sealed anew, and the old file stays for the caller to remove.
  func move(
    _ name: String, _ file: StoredFile, from source: Folder, of sourceScan: ScanID,
    to target: Folder, of targetScan: ScanID, as newName: String
  ) throws(LibraryError) {
    guard sealing != nil else { return try source.rename(name, to: target, as: newName) }
    let content = try read(name, in: source, of: sourceScan, expecting: file)
    try write(content, as: newName, in: target, of: targetScan)
  }

  // MARK: Sealing anew

  /// Whether a file is sealed with the library's own key, as far as its first bytes tell.
  func isSealedAnew(_ name: String, in folder: Folder) throws(LibraryError) -> Bool {
    guard let sealing else { return false }
    return SealedFile.isSealed(try folder.readStart(name, count: Self.startBytes), with: sealing.key)
  }

  /// What tells a file's key: the magic number and the key's name.
  private static let startBytes = SealedFile.magic.count + LibraryKey.nameBytes

  /// Whether a file in a folder of `folder` is sealed, with whatever key; `path` is the names of both.
  static func isSealed(below path: String, in folder: Folder) throws(LibraryError) -> Bool {
    let quick = try folder.openFile(below: path)
    let file = if let quick { quick } else { try folder.openFile(path) }
    return SealedFile.isSealed(try folder.readStart(file, path, count: SealedFile.magic.count))
  }

  /// Puts content into the place of an older form of the same file, after it has been read back from `staged`.
  func replace(
    _ content: [UInt8], as name: String, in folder: Folder, of scan: ScanID, through staged: Folder
  ) throws(LibraryError) {
    try staged.removeFile(name)
    try write(content, as: name, in: staged, of: scan)
    guard try read(name, in: staged, of: scan, limit: content.count).bytes == content else {
      throw .damagedFile(scan: scan, file: name, damage: .altered)
    }
    try staged.rename(name, to: folder, as: name)
  }
}
