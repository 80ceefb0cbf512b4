/// The one place through which files of scans are read, written and moved, each of them whole.
///
/// Whatever protects their content belongs here: callers hand in and get back plain content, and say which scan a file
/// belongs to, so that content can be bound to its place.
struct Vault: Sendable {
  /// Writes a new file and sees it safe on the disk; its name is safe after the folder's own `sync()`.
  func write(
    _ content: [UInt8], as name: String, in folder: Folder, of scan: ScanID
  ) throws(LibraryError) {
    try folder.create(name, content)
  }

  /// The content of a file of at most `limit` bytes, with the status of the file that holds it.
  func read(
    _ name: String, in folder: Folder, of scan: ScanID, limit: Int
  ) throws(LibraryError) -> (bytes: [UInt8], status: FileStatus) {
    try folder.read(name, limit: limit)
  }

  /// The content of a file that a record names, checked against size and hash.
  func read(
    _ name: String, in folder: Folder, of scan: ScanID, expecting file: StoredFile
  ) throws(LibraryError) -> [UInt8] {
    func damaged(_ damage: FileDamage) -> LibraryError {
      .damagedFile(scan: scan, file: name, damage: damage)
    }
    let content: [UInt8]
    do {
      content = try folder.read(name, limit: file.bytes).bytes
    } catch .system(_, _, code: missingCode) {
      throw damaged(.missing)
    } catch .system(_, _, code: symbolicLinkCode) {
      throw damaged(.notAFile)
    } catch .notAFile {
      throw damaged(.notAFile)
    } catch .tooLarge(_, let bytes, _) {
      throw damaged(.wrongSize(found: bytes, recorded: file.bytes))
    }
    if content.isEmpty && file.bytes > 0 { throw damaged(.empty) }
    guard content.count == file.bytes else {
      throw damaged(.wrongSize(found: content.count, recorded: file.bytes))
    }
    guard ContentHash(of: content) == file.sha256 else { throw damaged(.altered) }
    return content
  }

  /// Moves a file from one scan into another.
  func move(
    _ name: String, from source: Folder, of sourceScan: ScanID,
    to target: Folder, of targetScan: ScanID, as newName: String
  ) throws(LibraryError) {
    try source.rename(name, to: target, as: newName)
  }
}
