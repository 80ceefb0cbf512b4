package import LibraryKeys
private import Raster

/// A library of scans: a folder that only its owner can read.
///
/// Reading needs no lock and never sees half a scan; writers in any number of programs wait for each other. The layout,
/// the order of writes and what a crash may leave are in `docs/library-format.md`. A value may be used from several threads.
package final class Library: Sendable {
  /// The path as it was given.
  package let path: String
  /// The library's own id.
  package let id: ScanID
  /// The format version of the library; it can be changed only if this version of Flatbed knows it.
  package let format: Int
  /// How content is protected.
  package let protection: LibraryProtection
  /// The key of a sealed library.
  package let key: LibraryKey?
  /// Whether it is being rekeyed or converted.
  package let isChangingKey: Bool

  let header: LibraryHeader
  let root: Folder
  let scansFolder: Folder
  let vault: Vault
  let patience: LockPatience
  let cache = RecordCache()
  /// Whether it has still to be looked at for sealed records, which a library that lies open can't have.
  let isUnchecked: Bool

  static let scansFolderName = "scans"

  private init(
    path: String, header: LibraryHeader, sealing: (key: LibraryKey, state: KeyState)?, root: Folder,
    scans: Folder, isUnchecked: Bool, patience: LockPatience
  ) throws(LibraryError) {
    self.path = path
    self.header = header
    id = header.id
    format = header.format
    protection = try LibraryProtection(header, path: path)
    key = sealing?.key
    isChangingKey = sealing.map { $0.state.phase == .converting || $0.state.previous != nil } ?? false
    self.root = root
    scansFolder = scans
    vault = Vault(library: header.id, sealing: sealing.map { Vault.Sealing($0.key, $0.state) })
    self.isUnchecked = isUnchecked
    self.patience = patience
  }

  /// Opens the library at a path; nothing is written, so a read-only one will do.
  ///
  /// - Parameters:
  ///   - key: for a sealed library; see `door(at:)`.
  ///   - isListed: whether all scans are going to be listed before anything else is done. A sealed scan in a library that isn't is
  ///     then noticed by that, and not looked for beforehand.
  /// - Throws: `noLibrary` when there is nothing, `notALibrary` when there is something else; `locked` when a key is needed, and
  ///   `wrongKey` when it is another one; `sealedBesideOpen`.
  package static func open(
    at path: String, key: LibraryKey? = nil, isListed: Bool = false, patience: LockPatience = LockPatience(),
    calls: FileCalls = FileCalls()
  ) throws(LibraryError) -> Library {
    try open(
      try openRoot(path, calls: calls), path: path, key: key, isListed: isListed, patience: patience)
  }

  /// Opens the library at a path, or makes one there: the folder may be missing or empty.
  ///
  /// - Parameters:
  ///   - making: how a new one is to be protected.
  ///   - key: for a sealed library that is there already.
  /// - Throws: `notALibrary` when there are other files in the folder.
  package static func openOrCreate(
    at path: String, making: NewLibrary = .ownerOnly, key: LibraryKey? = nil,
    patience: LockPatience = LockPatience(), calls: FileCalls = FileCalls()
  ) throws(LibraryError) -> Library {
    do {
      return try open(at: path, key: key ?? making.key, patience: patience, calls: calls)
    } catch .noLibrary {
      try Folder.makePath(path, calls: calls)
    } catch .notALibrary(_, holdsOtherFiles: false) {
      // Empty, or left by a program that died on the way: made now.
    }
    let root = try Folder.open(at: path, calls: calls)
    try create(in: root, path: path, making: making, patience: patience)
    return try open(root, path: path, key: key ?? making.key, isListed: false, patience: patience)
  }

  static func openRoot(_ path: String, calls: FileCalls) throws(LibraryError) -> Folder {
    do {
      return try Folder.open(at: path, calls: calls)
    } catch .system(_, _, missingCode) {
      throw .noLibrary(path: path)
    }
  }

  private static func open(
    _ root: Folder, path: String, key: LibraryKey?, isListed: Bool, patience: LockPatience
  ) throws(LibraryError) -> Library {
    let header = try readHeader(in: root, path: path)
    var sealing: (LibraryKey, KeyState)?
    switch try LibraryProtection(header, path: path) {
    case .ownerOnly: break
    case .passphrase:
      guard let key else { throw .locked(path: path) }
      do {
        sealing = (key, try KeyState(opening: header.keys?.state ?? [], with: key, library: header.id.text))
      } catch .foreignState {
        throw .wrongKey(path: path)
      } catch {
        throw .key(error)
      }
    }
    let scans: Folder
    do {
      scans = try root.folder(scansFolderName)
    } catch .system(_, _, missingCode) {
      throw .damagedLibrary(path: path, reason: "its folder \"scans\" is missing")
    }
    if sealing == nil, try hasSealedRecord(root, isListed ? nil : scans) {
      throw .sealedBesideOpen(path: path)
    }
    return try Library(
      path: path, header: header, sealing: sealing, root: root, scans: scans,
      isUnchecked: sealing == nil && isListed, patience: patience)
  }

  /// Whether there is a sealed scan, which an open library can't have.
  private static func hasSealedRecord(_ root: Folder, _ scans: Folder?) throws(LibraryError) -> Bool {
    if let scans, hasSealedRecord(scans, try scans.names().filter { ScanID($0) != nil }) { return true }
    guard let trash = try root.folderIfThere(TrashEntry.folderName) else { return false }
    return hasSealedRecord(trash, try trash.names().filter { TrashEntry(name: $0) != nil })
  }

  private static func hasSealedRecord(_ folder: Folder, _ names: [String]) -> Bool {
    mapInParallel(pieces: (names.count + scansPerPiece - 1) / scansPerPiece) { piece in
      names[(piece * scansPerPiece)...].prefix(scansPerPiece).contains { name in
        do {
          return try Vault.isSealed(below: name + "/" + ScanRecord.fileName, in: folder)
        } catch {
          // A record that can't be opened is told of by who reads it.
          return false
        }
      }
    }.contains(true)
  }

  /// Refuses an open library when one of the scans that couldn't be read is a sealed one.
  func checkForSealed(_ damaged: [DamagedScan]) throws(LibraryError) {
    if damaged.contains(where: { if case .sealedBesideOpen = $0.error { true } else { false } }) {
      throw .sealedBesideOpen(path: path)
    }
  }

  /// As many records are read by one thread at a time: some hundred microseconds' work.
  static let scansPerPiece = 32

  /// What a half-made library may hold.
  private static let ownNames: Set<String> = [
    FileLock.writerFileName, StagingEntry.folderName, scansFolderName, BackupMark.fileName,
    TrashEntry.folderName, asideFolderName,
  ]

  /// Reads `library.json`, or its copy when that is lost or damaged.
  static func readHeader(in root: Folder, path: String) throws(LibraryError) -> LibraryHeader {
    do throws(LibraryError) {
      return try readHeader(LibraryHeader.fileName, in: root, path: path)
    } catch {
      switch error {
      case .damagedLibrary, .system(_, _, missingCode):
        do {
          return try readHeader(LibraryHeader.copyName, in: root, path: path)
        } catch {
          // No copy that helps: the first error counts.
        }
      default: break
      }
      guard case .system(_, _, missingCode) = error else { throw error }
      let others = Set(try root.names()).subtracting(ownNames)
      throw .notALibrary(path: path, holdsOtherFiles: !others.isEmpty)
    }
  }

  static func readHeader(
    _ name: String, in root: Folder, path: String
  ) throws(LibraryError) -> LibraryHeader {
    let bytes = try root.read(name, limit: LibraryHeader.maximumBytes).bytes
    do {
      return try LibraryHeader(json: bytes)
    } catch {
      throw .damagedLibrary(path: path, reason: error.reason)
    }
  }

  /// Makes a library of an empty folder; `library.json` comes last, by one rename.
  private static func create(
    in root: Folder, path: String, making: NewLibrary, patience: LockPatience
  ) throws(LibraryError) {
    try root.makePrivate()
    let lock = try FileLock.waiting(in: root, patience: patience)
    defer { withExtendedLifetime(lock) {} }
    // Another program may have been faster.
    if try root.status(of: LibraryHeader.fileName) != nil { return }
    let staging = try root.ensureFolder(StagingEntry.folderName)
    let scans = try root.ensureFolder(scansFolderName)
    // Made while there is room: on a full disk deleting must work.
    _ = try root.ensureFolder(TrashEntry.folderName)
    // A header that is lost can be made anew only if it was open, and stays so.
    if try hasSealedRecord(root, scans) {
      throw .damagedLibrary(
        path: path, reason: "library.json is missing, and without it its sealed scans can't be read")
    }
    if making.key != nil, try scans.names().contains(where: { ScanID($0) != nil }) {
      throw .damagedLibrary(
        path: path, reason: "library.json is missing, and there are scans that are not protected")
    }
    try staging.removeFile(LibraryHeader.fileName)
    try writeHeader(making.header(), to: root, through: staging)
  }

  /// Puts a new header into the place of the old one, and then of its copy.
  static func writeHeader(
    _ header: LibraryHeader, to root: Folder, through staging: Folder
  ) throws(LibraryError) {
    // Only what is lost with its header needs a copy of it.
    let names = [LibraryHeader.fileName] + (header.keys == nil ? [] : [LibraryHeader.copyName])
    for name in names {
      try staging.removeFile(LibraryHeader.fileName)
      try staging.create(LibraryHeader.fileName, header.json)
      try root.sync()
      try staging.rename(LibraryHeader.fileName, to: root, as: name)
      try root.sync()
    }
  }
}
