private import Glibc

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
    case .system(let code): systemReason(code)
    }
  }
}

/// What the C library says of an `errno`, as a lower-case sentence without full stop.
func systemReason(_ code: Int32) -> String {
  // glibc keeps the text of known codes for ever and that of unknown ones per thread.
  guard let text = unsafe strerror(code) else { return "system error \(code)" }
  let sentence = unsafe String(cString: text)
  // "Input/output error", "Is a directory", but also "RFS specific error".
  let second = sentence.dropFirst().first
  if let second, second.isUppercase { return sentence }
  return sentence.prefix(1).lowercased() + sentence.dropFirst()
}
