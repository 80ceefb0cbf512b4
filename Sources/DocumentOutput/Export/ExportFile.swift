private import Glibc

/// What to do when there is a file of the name already.
package enum ExistingFile: Sendable, Hashable {
  /// Leave it as it is, and fail.
  case keep
  /// Put the new one in its place.
  case replace
}

/// Writing of files that the user asked for: whole or not at all.
package enum ExportFile {
  /// Writes a file so that nobody ever sees a part of it.
  ///
  /// The bytes go into a nameless file of the same folder (or, where the file system has none, one with a temporary
  /// name), are synced, and only then get the name. A file that is there is never touched under `.keep`, even if it
  /// appears while this runs. Permissions are what the umask leaves, as for any file of the user's.
  /// A device, pipe or `/dev/stdout` is written to directly.
  package static func write(
    _ bytes: [UInt8], to path: String, existing: ExistingFile = .keep
  ) throws(ExportError) {
    switch try kind(of: path) {
    case .folder: throw .isFolder
    case .stream: try writeDirectly(bytes, to: path)
    case .file where existing == .keep: throw .fileExists
    case .file: try place(bytes, at: resolved(path), existing: existing)
    case .absent: try place(bytes, at: path, existing: existing)
    }
  }

  /// Makes a folder and those above it that are missing; one that exists is fine.
  package static func makeFolder(at path: String) throws(ExportError) {
    if unsafe mkdir(path, 0o777) == 0 { return }
    switch errno {
    case ENOENT:
      let parent = folder(of: path)
      guard parent != path, !path.isEmpty else { throw .folderMissing }
      try makeFolder(at: parent)
      guard unsafe mkdir(path, 0o777) == 0 || errno == EEXIST else { throw ExportError(code: errno) }
    case EEXIST:
      guard try kind(of: path) == .folder else { throw .notFolder }
    case let code:
      // A read-only file system says so even of a folder that is there.
      if try kind(of: path) == .folder { return }
      throw ExportError(code: code)
    }
  }

  /// The part of a path before its last slash: `.` for a bare name.
  static func folder(of path: String) -> String {
    var trimmed = path[...]
    while trimmed.count > 1, trimmed.hasSuffix("/") { trimmed.removeLast() }
    guard let slash = trimmed.lastIndex(of: "/") else { return "." }
    var folder = trimmed[..<slash]
    while folder.count > 1, folder.hasSuffix("/") { folder.removeLast() }
    return folder.isEmpty ? "/" : String(folder)
  }

  private enum Kind { case absent, file, folder, stream }

  /// Names that stand for an open file of this process; replacing what they lead to would miss the point.
  private static let openFiles = ["/dev/stdout", "/dev/stderr", "/dev/fd/", "/proc/self/fd/"]

  private static func kind(of path: String) throws(ExportError) -> Kind {
    if openFiles.contains(where: path.hasPrefix) { return .stream }
    var status = stat()
    guard unsafe stat(path, &status) == 0 else {
      // A link that leads nowhere is absent here; giving it a file is refused below, unless it is to be replaced.
      if errno == ENOENT { return .absent }
      throw ExportError(code: errno)
    }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: return .folder
    case S_IFREG: return .file
    default: return .stream
    }
  }

  /// The file that a path leads to through symbolic links, so that a link stays one.
  private static func resolved(_ path: String) throws(ExportError) -> String {
    guard let real = unsafe realpath(path, nil) else { throw ExportError(code: errno) }
    defer { unsafe free(real) }
    return unsafe String(cString: real)
  }

  private static func writeDirectly(_ bytes: [UInt8], to path: String) throws(ExportError) {
    let file = unsafe open(path, O_WRONLY | O_CLOEXEC)
    guard file >= 0 else { throw ExportError(code: errno) }
    let written = writeAll(bytes, to: file)
    // What a close reports of a device or pipe, the write has reported before.
    close(file)
    if let code = written { throw .system(code: code) }
  }

  private static func place(
    _ bytes: [UInt8], at path: String, existing: ExistingFile
  ) throws(ExportError) {
    do throws(ExportError) {
      let temporary = try TemporaryFile(in: folder(of: path))
      try temporary.fill(with: bytes)
      try temporary.publish(as: path, existing: existing)
    } catch .system(let code) where code == EOPNOTSUPP {
      let temporary = try TemporaryFile(namedIn: folder(of: path))
      try temporary.fill(with: bytes)
      try temporary.publish(as: path, existing: existing)
    }
  }

  /// Writes all bytes to an open file.
  ///
  /// - Returns: the `errno` of the write that failed, or `nil`.
  static func writeAll(_ bytes: [UInt8], to file: Int32) -> Int32? {
    unsafe bytes.withUnsafeBytes { buffer in
      var done = 0
      while done < buffer.count {
        let count = unsafe Glibc.write(file, buffer.baseAddress?.advanced(by: done), buffer.count - done)
        if count < 0 {
          if errno == EINTR { continue }
          return errno
        }
        done += count
      }
      return nil
    }
  }
}
