import Glibc

/// The content of a new file while it is written.
struct NewFile {
  private let file: FileDescriptor
  private let path: String
  private let fault: FileFault?
  /// Bytes until a test's fault comes about.
  private var untilFault: Int

  /// - Parameter count: how many bytes will be written in all.
  init(file: FileDescriptor, path: String, fault: FileFault?, count: Int) {
    self.file = file
    self.path = path
    self.fault = fault
    untilFault =
      switch fault {
      case nil: .max
      case .fail?: 0
      case .tear?: count / 2
      }
  }

  /// Writes the next bytes.
  mutating func write(_ bytes: [UInt8]) throws(LibraryError) {
    let end = min(bytes.count, untilFault)
    var written = 0
    while written < end {
      let count = unsafe bytes.withUnsafeBytes { buffer in
        unsafe Glibc.write(file.number, buffer.baseAddress?.advanced(by: written), end - written)
      }
      if count > 0 {
        written += count
      } else if count == 0 {
        throw .system(.write, path: path, code: EIO)
      } else if errno != EINTR {
        throw .system(.write, path: path, code: errno)
      }
    }
    untilFault -= end
    if untilFault == 0 { try finish() }
  }

  /// Has a fault that a test wants come about, at the latest now.
  func finish() throws(LibraryError) {
    switch fault {
    case .fail(let code)?, .tear(let code)?: throw .system(.write, path: path, code: code)
    case nil: break
    }
  }
}
