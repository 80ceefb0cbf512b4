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

  let root: Folder
  let scansFolder: Folder
  let vault: Vault
  let patience: LockPatience
  let cache = RecordCache()

  static let scansFolderName = "scans"

  private init(
    path: String, header: LibraryHeader, root: Folder, scans: Folder, patience: LockPatience
  ) {
    self.path = path
    id = header.id
    format = header.format
    self.root = root
    scansFolder = scans
    vault = Vault()
    self.patience = patience
  }

  /// Opens the library at a path; nothing is written, so a read-only one will do.
  /// - Throws: `noLibrary` when there is nothing, `notALibrary` when there is something else.
  package static func open(
    at path: String, patience: LockPatience = LockPatience(), calls: FileCalls = FileCalls()
  ) throws(LibraryError) -> Library {
    let root: Folder
    do {
      root = try Folder.open(at: path, calls: calls)
    } catch .system(_, _, missingCode) {
      throw .noLibrary(path: path)
    }
    return try open(root, path: path, patience: patience)
  }

  /// Opens the library at a path, or makes one there: the folder may be missing or empty.
  /// - Throws: `notALibrary` when there are other files in the folder.
  package static func openOrCreate(
    at path: String, patience: LockPatience = LockPatience(), calls: FileCalls = FileCalls()
  ) throws(LibraryError) -> Library {
    do {
      return try open(at: path, patience: patience, calls: calls)
    } catch .noLibrary {
      try Folder.makePath(path, calls: calls)
    } catch .notALibrary(_, holdsOtherFiles: false) {
      // Empty, or left by a program that died on the way: made now.
    }
    let root = try Folder.open(at: path, calls: calls)
    try create(in: root, patience: patience)
    return try open(root, path: path, patience: patience)
  }

  private static func open(
    _ root: Folder, path: String, patience: LockPatience
  ) throws(LibraryError) -> Library {
    let header: LibraryHeader
    do {
      let bytes = try root.read(LibraryHeader.fileName, limit: LibraryHeader.maximumBytes).bytes
      header = try readHeader(bytes, path: path)
    } catch .system(_, _, missingCode) {
      let others = Set(try root.names()).subtracting(ownNames)
      throw .notALibrary(path: path, holdsOtherFiles: !others.isEmpty)
    }
    guard header.protection == LibraryHeader.ownerOnly else {
      throw .unknownProtection(path: path, name: header.protection)
    }
    let scans: Folder
    do {
      scans = try root.folder(scansFolderName)
    } catch .system(_, _, missingCode) {
      throw .damagedLibrary(path: path, reason: "its folder \"scans\" is missing")
    }
    return Library(path: path, header: header, root: root, scans: scans, patience: patience)
  }

  private static func readHeader(
    _ bytes: [UInt8], path: String
  ) throws(LibraryError) -> LibraryHeader {
    do {
      return try LibraryHeader(json: bytes)
    } catch {
      throw .damagedLibrary(path: path, reason: error.reason)
    }
  }

  /// What a half-made library may hold.
  private static let ownNames: Set<String> = [
    FileLock.writerFileName, StagingEntry.folderName, scansFolderName, BackupMark.fileName,
  ]

  /// Makes a library of an empty folder; `library.json` comes last, by one rename.
  private static func create(in root: Folder, patience: LockPatience) throws(LibraryError) {
    try root.makePrivate()
    let lock = try FileLock.waiting(in: root, patience: patience)
    defer { withExtendedLifetime(lock) {} }
    // Another program may have been faster.
    if try root.status(of: LibraryHeader.fileName) != nil { return }
    let staging = try root.ensureFolder(StagingEntry.folderName)
    _ = try root.ensureFolder(scansFolderName)
    try staging.removeFile(LibraryHeader.fileName)
    try staging.create(LibraryHeader.fileName, LibraryHeader(id: ScanID()).json)
    try root.sync()
    try staging.rename(LibraryHeader.fileName, to: root, as: LibraryHeader.fileName)
    try root.sync()
  }
}
