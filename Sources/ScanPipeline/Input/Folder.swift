private import Glibc

/// What a folder holds, in the natural order of names.
struct Folder {
  /// Which file system object it is, however it was reached.
  struct Identity: Hashable {
    let device: UInt
    let inode: UInt
  }

  enum Entry {
    case file(name: String)
    case folder(name: String)
    /// A name that starts with a dot.
    case hidden
    /// A device, a socket or a link that leads nowhere or to a folder: following those could go round in circles.
    case other
    /// A name that isn't UTF-8, with the bytes that aren't replaced by U+FFFD.
    case unreadableName(String)
  }

  let entries: [Entry]

  /// Reads a folder.
  ///
  /// - Throws: `PhotoFileError.system` when it can't be opened or read.
  init(path: String) throws(PhotoFileError) {
    guard let stream = unsafe opendir(path) else { throw .system(errno: errno) }
    defer { unsafe closedir(stream) }
    var found: [(name: String, entry: Entry)] = []
    while true {
      errno = 0
      guard let record = unsafe readdir(stream) else { break }
      let (name, isUTF8) = unsafe Self.name(of: record)
      if name == "." || name == ".." { continue }
      found.append((name, isUTF8 ? Self.entry(named: name, in: path) : .unreadableName(name)))
    }
    guard errno == 0 else { throw .system(errno: errno) }
    entries = found.sorted { precedesNaturally($0.name, $1.name) }.map(\.entry)
  }

  /// The identity of whatever a path leads to, or `nil` when nothing is there.
  static func identity(of path: String) -> Identity? {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    return Identity(device: UInt(status.st_dev), inode: UInt(status.st_ino))
  }

  /// Whether a path leads to a folder.
  static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  private static func entry(named name: String, in folder: String) -> Entry {
    if name.hasPrefix(".") { return .hidden }
    let path = join(folder, name)
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { return .other }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return .file(name: name)
    case S_IFDIR: return .folder(name: name)
    case S_IFLNK:
      var target = stat()
      let isFile = unsafe stat(path, &target) == 0 && target.st_mode & S_IFMT == S_IFREG
      return isFile ? .file(name: name) : .other
    default: return .other
    }
  }

  private static func name(of record: UnsafeMutablePointer<dirent>) -> (String, isUTF8: Bool) {
    // d_name is imported as a tuple, of which only the pointer to its start is of use.
    let offset = MemoryLayout<dirent>.offset(of: \dirent.d_name) ?? 0
    let start = unsafe UnsafeRawPointer(record).advanced(by: offset).assumingMemoryBound(to: CChar.self)
    if let name = unsafe String(validatingCString: start) { return (name, true) }
    return (unsafe String(cString: start), false)
  }
}

/// A path with one more component.
func join(_ folder: String, _ name: String) -> String {
  folder.hasSuffix("/") ? folder + name : folder + "/" + name
}

/// The absolute path without links, or `nil` when it leads nowhere.
func resolvedPath(_ path: String) -> String? {
  guard let resolved = unsafe realpath(path, nil) else { return nil }
  defer { unsafe free(resolved) }
  return unsafe String(cString: resolved)
}
