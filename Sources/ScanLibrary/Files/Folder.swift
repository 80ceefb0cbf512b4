private import CFileShims
import Glibc

/// An open folder: files in it are reached by name from here, never by a path that someone could bend meanwhile.
///
/// Nothing inside is ever followed if it is a symbolic link.
final class Folder: Sendable {
  /// Owner-only, whatever the umask.
  static let folderPermissions: mode_t = 0o700
  static let filePermissions: mode_t = 0o600

  /// For messages only.
  let path: String
  let calls: FileCalls
  private let descriptor: FileDescriptor

  private init(path: String, calls: FileCalls, descriptor: FileDescriptor) {
    self.path = path
    self.calls = calls
    self.descriptor = descriptor
  }

  func path(of name: String) -> String { path + "/" + name }

  // MARK: Folders

  /// Opens the folder at a path of the user's, which may be a symbolic link.
  static func open(at path: String, calls: FileCalls) throws(LibraryError) -> Folder {
    let number: Int32 = try calls.perform(.open, path) {
      unsafe Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    }
    return Folder(path: path, calls: calls, descriptor: FileDescriptor(adopting: number))
  }

  /// Opens a folder in this one.
  func folder(_ name: String) throws(LibraryError) -> Folder {
    let path = path(of: name)
    let number: Int32 = try calls.perform(.open, path) {
      unsafe openat(descriptor.number, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    }
    return Folder(path: path, calls: calls, descriptor: FileDescriptor(adopting: number))
  }

  /// The folder of that name, or `nil` when there is none.
  func folderIfThere(_ name: String) throws(LibraryError) -> Folder? {
    do {
      return try folder(name)
    } catch .system(_, _, ENOENT) {
      return nil
    }
  }

  /// Makes a new folder in this one, for the owner only.
  func makeFolder(_ name: String) throws(LibraryError) -> Folder {
    let path = path(of: name)
    try calls.perform(.makeFolder, path) {
      unsafe mkdirat(descriptor.number, name, Self.folderPermissions)
    }
    // The umask may have taken even the owner's bits, without which the folder couldn't be opened.
    try calls.perform(.setPermissions, path) {
      unsafe fchmodat(descriptor.number, name, Self.folderPermissions, 0)
    }
    return try folder(name)
  }

  /// The folder of that name, made if it isn't there.
  func ensureFolder(_ name: String) throws(LibraryError) -> Folder {
    do {
      return try makeFolder(name)
    } catch .system(_, _, EEXIST) {
      return try folder(name)
    }
  }

  /// Makes this folder the owner's alone.
  func makePrivate() throws(LibraryError) {
    try calls.perform(.setPermissions, path) { fchmod(descriptor.number, Self.folderPermissions) }
  }

  /// The names in the folder, without `.` and `..`, in no order.
  func names() throws(LibraryError) -> [String] {
    let number: Int32 = try calls.perform(.list, path) {
      unsafe openat(descriptor.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    }
    guard let stream = unsafe fdopendir(number) else {
      let code = errno
      _ = close(number)
      throw .system(.list, path: path, code: code)
    }
    defer { unsafe _ = closedir(stream) }
    let nameOffset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 19
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = unsafe readdir(stream) else {
        if errno != 0 { throw .system(.list, path: path, code: errno) }
        return names
      }
      let bytes = unsafe UnsafeRawPointer(entry).advanced(by: nameOffset)
      let name = unsafe String(cString: bytes.assumingMemoryBound(to: CChar.self))
      if name != "." && name != ".." { names.append(name) }
    }
  }

  /// Makes names that were added, moved or removed here last through a power cut.
  func sync() throws(LibraryError) {
    do {
      try calls.perform(.sync, path) { fsync(descriptor.number) }
    } catch .system(_, _, EINVAL) {
      // Some network file systems can't sync a folder and have nothing to lose by it.
    }
  }

  // MARK: Files

  /// What a name stands for, or `nil` when there is nothing of that name.
  func status(of name: String) throws(LibraryError) -> FileStatus? {
    var status = stat()
    do {
      try calls.perform(.status, path(of: name)) {
        unsafe fstatat(descriptor.number, name, &status, AT_SYMLINK_NOFOLLOW)
      }
    } catch .system(_, _, ENOENT) {
      return nil
    }
    return FileStatus(status)
  }

  /// What the folder itself is.
  func status() throws(LibraryError) -> FileStatus {
    var status = stat()
    try calls.perform(.status, path) { unsafe fstat(descriptor.number, &status) }
    return FileStatus(status)
  }

  /// Opens or makes a file that is only there to be locked.
  func lockFile(_ name: String) throws(LibraryError) -> FileDescriptor {
    let path = path(of: name)
    let number: Int32 = try calls.perform(.create, path) {
      unsafe openat(
        descriptor.number, name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK,
        Self.filePermissions)
    }
    let file = FileDescriptor(adopting: number)
    try calls.perform(.setPermissions, path) { fchmod(number, Self.filePermissions) }
    return file
  }

  /// Opens a file for reading.
  func openFile(_ name: String) throws(LibraryError) -> FileDescriptor {
    // Without O_NONBLOCK, opening a pipe that someone put there would wait for ever.
    let number: Int32 = try calls.perform(.open, path(of: name)) {
      unsafe openat(descriptor.number, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    }
    return FileDescriptor(adopting: number)
  }

  /// Opens a file in a folder of this one for reading, in one step, or gives `nil` when the system knows no such step.
  ///
  /// - Parameter path: the names of both, with a slash between them.
  func openFile(below path: String) throws(LibraryError) -> FileDescriptor? {
    do throws(LibraryError) {
      let number: Int32 = try calls.perform(.open, self.path(of: path)) {
        unsafe flatbed_open_below(descriptor.number, path)
      }
      return FileDescriptor(adopting: number)
    } catch .system(_, _, ENOSYS) {
      return nil
    } catch .system(_, _, EPERM) {
      // Sandboxes answer so to calls that they don't know.
      return nil
    }
  }

  /// The whole content of a regular file of at most `limit` bytes, and its status.
  func read(_ name: String, limit: Int) throws(LibraryError) -> (bytes: [UInt8], status: FileStatus) {
    try read(try openFile(name), name, limit: limit)
  }

  /// The same of a file that has been opened; `name` is for messages.
  func read(
    _ file: FileDescriptor, _ name: String, limit: Int
  ) throws(LibraryError) -> (bytes: [UInt8], status: FileStatus) {
    var raw = stat()
    try calls.perform(.status, path(of: name)) { unsafe fstat(file.number, &raw) }
    let status = FileStatus(raw)
    guard status.kind == .file else { throw .notAFile(path: path(of: name)) }
    guard status.bytes <= limit else {
      throw .tooLarge(path: path(of: name), bytes: status.bytes, limit: limit)
    }
    var bytes = [UInt8](repeating: 0, count: status.bytes)
    var filled = 0
    while filled < bytes.count {
      let count: Int = try calls.perform(.read, path(of: name)) {
        unsafe bytes.withUnsafeMutableBytes { buffer in
          unsafe Glibc.read(file.number, buffer.baseAddress?.advanced(by: filled), buffer.count - filled)
        }
      }
      if count == 0 { break }
      filled += count
    }
    bytes.removeLast(bytes.count - filled)
    return (bytes, status)
  }

  /// The first bytes of a regular file, fewer if it has no more.
  func readStart(_ name: String, count: Int) throws(LibraryError) -> [UInt8] {
    try readStart(try openFile(name), name, count: count)
  }

  /// The same of a file that has been opened; `name` is for messages.
  func readStart(_ file: FileDescriptor, _ name: String, count: Int) throws(LibraryError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let filled: Int = try calls.perform(.read, path(of: name)) {
      unsafe bytes.withUnsafeMutableBytes { unsafe Glibc.read(file.number, $0.baseAddress, $0.count) }
    }
    return Array(bytes[..<filled])
  }

  /// Makes a new file with this content and sees it safe on the disk.
  ///
  /// The name is on the disk only after the folder's own `sync()`. On failure a part of the file may stay behind.
  func create(_ name: String, _ bytes: [UInt8]) throws(LibraryError) {
    try create(name, bytes: bytes.count) { file throws(LibraryError) in try file.write(bytes) }
  }

  /// Makes a new file of so many bytes, which `fill` writes piece by piece, and sees it safe on the disk.
  func create(
    _ name: String, bytes count: Int, fill: (inout NewFile) throws(LibraryError) -> Void
  ) throws(LibraryError) {
    _ = FileCalls.survivesFileSizeLimit
    let path = path(of: name)
    let number: Int32 = try calls.perform(.create, path) {
      unsafe openat(
        descriptor.number, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
        Self.filePermissions)
    }
    let file = FileDescriptor(adopting: number)
    try calls.perform(.setPermissions, path) { fchmod(file.number, Self.filePermissions) }
    var content = NewFile(file: file, path: path, fault: calls.fault(.write, path), count: count)
    try fill(&content)
    try content.finish()
    try calls.perform(.sync, path) { fsync(file.number) }
  }

  /// Moves a file or folder, in one step that nobody sees half done.
  func rename(_ name: String, to folder: Folder, as newName: String) throws(LibraryError) {
    try calls.perform(.rename, folder.path(of: newName)) {
      unsafe renameat(descriptor.number, name, folder.descriptor.number, newName)
    }
  }

  // MARK: Removing

  /// Removes a file; it is fine if there is none.
  func removeFile(_ name: String) throws(LibraryError) {
    do {
      try calls.perform(.remove, path(of: name)) { unsafe unlinkat(descriptor.number, name, 0) }
    } catch .system(_, _, ENOENT) {
      // Someone else has swept it away.
    }
  }

  /// Removes a file, or a folder with the files in it; it is fine if there is none.
  ///
  /// Folders within that folder are removed too, down to a few levels: the library makes none, and whatever else lies
  /// there is no reason for going on for ever.
  func removeAll(_ name: String, depth: Int = 4) throws(LibraryError) {
    guard let status = try status(of: name) else { return }
    guard status.kind == .folder else { return try removeFile(name) }
    do {
      if depth > 0 {
        let inner = try folder(name)
        for child in try inner.names() { try inner.removeAll(child, depth: depth - 1) }
      }
      try calls.perform(.remove, path(of: name)) {
        unsafe unlinkat(descriptor.number, name, AT_REMOVEDIR)
      }
    } catch .system(_, _, ENOENT) {
      // Someone else has swept it away.
    }
  }
}

extension Folder {
  /// Makes the folder at a path and those above it, as far as they are missing, for the owner only.
  static func makePath(_ path: String, calls: FileCalls) throws(LibraryError) {
    var made = ""
    var above: Folder?
    for part in path.split(separator: "/", omittingEmptySubsequences: false) {
      made += part
      defer { made += "/" }
      if part.isEmpty { continue }
      let parent: Folder
      if let above {
        parent = above
      } else {
        parent = try Folder.open(at: path.hasPrefix("/") ? "/" : ".", calls: calls)
      }
      do {
        above = try Folder.open(at: made, calls: calls)
      } catch .system(_, _, missingCode) {
        above = try parent.ensureFolder(String(part))
        try parent.sync()
      }
    }
  }
}
