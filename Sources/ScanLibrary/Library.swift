package import LibraryKeys
private import Synchronization

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

  static let scansFolderName = "scans"

  private init(
    path: String, header: LibraryHeader, sealing: (key: LibraryKey, state: KeyState)?, root: Folder,
    scans: Folder, patience: LockPatience
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
    self.patience = patience
  }

  /// Opens the library at a path; nothing is written, so a read-only one will do.
  ///
  /// - Parameter key: for a sealed library; see `door(at:)`.
  /// - Throws: `noLibrary` when there is nothing, `notALibrary` when there is something else; `locked` when a key is needed, and
  ///   `wrongKey` when it is another one.
  package static func open(
    at path: String, key: LibraryKey? = nil, patience: LockPatience = LockPatience(),
    calls: FileCalls = FileCalls()
  ) throws(LibraryError) -> Library {
    try open(try openRoot(path, calls: calls), path: path, key: key, patience: patience)
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
    return try open(root, path: path, key: key ?? making.key, patience: patience)
  }

  static func openRoot(_ path: String, calls: FileCalls) throws(LibraryError) -> Folder {
    do {
      return try Folder.open(at: path, calls: calls)
    } catch .system(_, _, missingCode) {
      throw .noLibrary(path: path)
    }
  }

  private static func open(
    _ root: Folder, path: String, key: LibraryKey?, patience: LockPatience
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
    if sealing == nil, try hasSealedRecord(root, scans) { throw .sealedBesideOpen(path: path) }
    return try Library(
      path: path, header: header, sealing: sealing, root: root, scans: scans, patience: patience)
  }

  /// Whether there is a sealed scan, which an open library can't have.
  private static func hasSealedRecord(_ root: Folder, _ scans: Folder) throws(LibraryError) -> Bool {
    var folders: [(Folder, [String])] = [(scans, try scans.names().filter { ScanID($0) != nil })]
    if let trash = try root.folderIfThere(TrashEntry.folderName) {
      folders.append((trash, try trash.names().filter { TrashEntry(name: $0) != nil }))
    }
    for (folder, names) in folders {
      for name in names {
        do {
          if try Vault.isSealed(name + "/" + ScanRecord.fileName, in: folder) { return true }
        } catch {
          // A record that can't be opened is told of by who reads it.
        }
      }
    }
    return false
  }

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
