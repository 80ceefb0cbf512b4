import Glibc

/// An open file or folder, closed when the last reference goes: with it go the locks it holds.
final class FileDescriptor: Sendable {
  let number: Int32

  init(adopting number: Int32) { self.number = number }

  deinit {
    // Everything written has been synced by then, so a failing close has nothing to tell.
    _ = close(number)
  }
}

/// What the system tells of a file.
struct FileStatus: Sendable, Hashable {
  enum Kind: Sendable { case file, folder, other }

  var kind: Kind
  /// The permission bits, without the kind.
  var permissions: UInt32
  var bytes: Int
  var inode: UInt64
  /// Nanoseconds since 1970; with inode and size it tells one version of a file from the next.
  var changed: Int64

  init(_ status: stat) {
    switch status.st_mode & S_IFMT {
    case S_IFREG: kind = .file
    case S_IFDIR: kind = .folder
    default: kind = .other
    }
    permissions = status.st_mode & 0o7777
    bytes = Int(status.st_size)
    inode = UInt64(status.st_ino)
    changed = Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
  }
}
