private import Glibc
private import SystemErrors

/// Why an exported file could not be written.
package enum ExportError: Error, Hashable {
  /// There is a file of this name, and it was not to be overwritten.
  case fileExists
  /// The name is that of a folder.
  case isFolder
  /// The folder to write to, or something on the way to it, is a file.
  case notFolder
  /// The folder to write to is not there.
  case folderMissing
  /// A system call failed.
  ///
  /// - Parameter code: its `errno`.
  case system(code: Int32)

  init(code: Int32) {
    self =
      switch code {
      case EEXIST: .fileExists
      case EISDIR: .isFolder
      case ENOTDIR: .notFolder
      case ENOENT: .folderMissing
      default: .system(code: code)
      }
  }
}

extension ExportError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .fileExists: "the file exists"
    case .isFolder: "it is a folder"
    case .notFolder: "a part of the path is not a folder"
    case .folderMissing: "the folder does not exist"
    case .system(let code): systemErrorText(code)
    }
  }
}
