private import Glibc

/// A file being written, which has no name yet or a temporary one, and is gone unless it gets its own.
package struct TemporaryFile: ~Copyable {
  private let descriptor: Int32
  private let folder: String
  /// Where it lies for now; `nil` for a file without a name.
  private var name: String?

  /// `O_TMPFILE`, a macro of casts and sums that Swift does not see; the first number is Linux's `__O_TMPFILE`, the same
  /// on every machine Swift runs on.
  private static let nameless = 0o20_000_000 | O_DIRECTORY

  /// Opens a file without a name, which the kernel removes even when this process is killed.
  ///
  /// - Throws: `.system(EOPNOTSUPP)` where the file system or kernel has no such files.
  package init(in folder: String) throws(ExportError) {
    let file = unsafe open(folder.isEmpty ? "." : folder, Self.nameless | O_WRONLY | O_CLOEXEC, 0o666)
    guard file >= 0 else {
      // Old kernels take the flag for O_DIRECTORY alone.
      throw ExportError(code: errno == EISDIR || errno == EINVAL ? EOPNOTSUPP : errno)
    }
    descriptor = file
    self.folder = folder
    name = nil
  }

  /// Opens a file with a temporary name, which only a kill of this process can leave behind.
  package init(namedIn folder: String) throws(ExportError) {
    let path = Self.temporaryName(in: folder)
    let file = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
    guard file >= 0 else { throw ExportError(code: errno) }
    descriptor = file
    self.folder = folder
    name = path
  }

  private static func temporaryName(in folder: String) -> String {
    "\(folder)/.flatbed-\(String(UInt64.random(in: 0...UInt64.max), radix: 16)).part"
  }

  /// Writes the bytes and waits until they are on the disk.
  package borrowing func fill(with bytes: [UInt8]) throws(ExportError) {
    if let code = ExportFile.writeAll(bytes, to: descriptor) { throw ExportError(code: code) }
    guard fsync(descriptor) == 0 else { throw ExportError(code: errno) }
  }

  /// Gives the file its name.
  ///
  /// - Throws: `.fileExists` under `.keep`; `.system(EOPNOTSUPP)` when a nameless file can't be given a name here.
  package consuming func publish(as path: String, existing: ExistingFile) throws(ExportError) {
    switch existing {
    case .keep: try link(to: path)
    case .replace:
      if name == nil {
        let path = Self.temporaryName(in: folder)
        try link(to: path)
        name = path
      }
      guard let from = name, unsafe rename(from, path) == 0 else { throw ExportError(code: errno) }
      name = nil
    }
    syncFolder()
  }

  /// Gives the file one more name, which must be free.
  private borrowing func link(to path: String) throws(ExportError) {
    guard let name else {
      guard unsafe linkat(AT_FDCWD, "/proc/self/fd/\(descriptor)", AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0
      else {
        // Without /proc, or where the file system refuses hard links, the caller starts anew with a named file.
        throw ExportError(code: errno == EEXIST ? EEXIST : Self.linkless.contains(errno) ? EOPNOTSUPP : errno)
      }
      return
    }
    if unsafe Glibc.link(name, path) == 0 { return }
    guard Self.linkless.contains(errno) else { throw ExportError(code: errno) }
    // No hard links, as on FAT: take the name with an empty file, which only we can do, and put ours in its place.
    let reserved = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard reserved >= 0 else { throw ExportError(code: errno) }
    close(reserved)
    guard unsafe rename(name, path) == 0 else {
      let code = errno
      _ = unsafe unlink(path)
      throw ExportError(code: code)
    }
  }

  /// What `link` and `linkat` say where there are no hard links, or no /proc to reach a nameless file through.
  private static let linkless: Set<Int32> = [EPERM, EOPNOTSUPP, ENOSYS, EMLINK, ENOENT, EACCES, EXDEV]

  private borrowing func syncFolder() {
    let file = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard file >= 0 else { return }
    // The file is whole whatever this says; some network file systems can't sync a folder.
    _ = fsync(file)
    close(file)
  }

  deinit {
    close(descriptor)
    // After a rename there is nothing of this name, which is as good.
    if let name { _ = unsafe unlink(name) }
  }
}
