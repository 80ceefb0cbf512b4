private import Glibc

/// What a call to the system does, as far as an error message or a test cares.
package enum FileOperation: String, Sendable, CaseIterable {
  case open
  case create
  case makeFolder
  case setPermissions
  case read
  case write
  case sync
  case rename
  case remove
  case list
  case status
  case lock
}

/// What to do in place of one call to the system: tests make disks full and programs die with it.
package enum FileFault: Sendable {
  /// The call isn't made and fails with this `errno`.
  case fail(Int32)
  /// A write puts half of its bytes on the disk and then fails with this `errno`; any other call just fails.
  case tear(Int32)
}

/// The one way from the library to the system: repeats interrupted calls, turns `errno` into errors, lets tests step in.
package struct FileCalls: Sendable {
  /// Asked before each call with the operation and the path; `nil` lets the call through.
  package typealias Interceptor = @Sendable (FileOperation, String) -> FileFault?

  private let interceptor: Interceptor?

  /// Calls that go straight to the system, or through `interceptor` first.
  package init(interceptor: Interceptor? = nil) { self.interceptor = interceptor }

  func fault(_ operation: FileOperation, _ path: String) -> FileFault? {
    interceptor?(operation, path)
  }

  /// Makes a call that returns −1 and sets `errno` when it fails, again as long as a signal interrupts it.
  ///
  /// - Parameter path: for messages; put together only when it is needed.
  @discardableResult
  func perform(
    _ operation: FileOperation, _ path: @autoclosure () -> String, _ call: () -> Int
  ) throws(LibraryError) -> Int {
    if let interceptor {
      switch interceptor(operation, path()) {
      case .fail(let code)?, .tear(let code)?: throw .system(operation, path: path(), code: code)
      case nil: break
      }
    }
    while true {
      let result = call()
      if result != -1 { return result }
      let code = errno
      if code != EINTR { throw .system(operation, path: path(), code: code) }
    }
  }

  /// As the other, for calls that return a C `int`.
  @discardableResult
  func perform(
    _ operation: FileOperation, _ path: @autoclosure () -> String, _ call: () -> Int32
  ) throws(LibraryError) -> Int32 {
    Int32(truncatingIfNeeded: try perform(operation, path()) { Int(call()) })
  }

  /// Makes a write beyond a file-size limit fail with EFBIG instead of killing the program.
  ///
  /// A handler that the program has set itself is left in place.
  static let survivesFileSizeLimit: Bool = {
    let previous = signal(SIGXFSZ, SIG_IGN)
    // SIG_DFL is the null pointer.
    if let previous { _ = signal(SIGXFSZ, previous) }
    return previous == nil
  }()
}
