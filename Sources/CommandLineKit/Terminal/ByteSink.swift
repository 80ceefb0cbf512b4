private import Glibc
private import Synchronization
private import SystemErrors

/// Where bytes go: a file descriptor, or memory in tests.
package protocol ByteSink: Sendable {
  /// Takes all of the bytes or throws.
  func write(_ bytes: [UInt8]) throws(OutputFailure)
}

/// Why output couldn't be written.
package enum OutputFailure: Error, Sendable, Equatable, CustomStringConvertible {
  /// Nobody reads any more (`EPIPE`), such as after `| head -1`. This is no fault: end quietly.
  case closedPipe
  /// The system's error number, such as `ENOSPC` for a full disk.
  case system(Int32)

  package var description: String {
    switch self {
    case .closedPipe: "nobody reads the output any more"
    case .system(let number): systemErrorText(number)
    }
  }
}

/// Writes to an open file descriptor, which it doesn't close.
///
/// `SIGPIPE` must be ignored in the process, or a closed pipe ends it; `Console.standard` sees to that.
package struct FileDescriptorSink: ByteSink {
  package let descriptor: Int32

  package init(_ descriptor: Int32) { self.descriptor = descriptor }

  package func write(_ bytes: [UInt8]) throws(OutputFailure) {
    var done = 0
    while done < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { all in
        unsafe Glibc.write(
          descriptor, UnsafeRawBufferPointer(rebasing: all[done...]).baseAddress, all.count - done)
      }
      if count >= 0 {
        done += count
        continue
      }
      switch errno {
      case EINTR: continue
      case EAGAIN: waitUntilWritable()
      case EPIPE: throw .closedPipe
      default: throw .system(errno)
      }
    }
  }

  /// Someone set the descriptor to non-blocking, which is a property of the terminal they share with us.
  private func waitUntilWritable() {
    var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    _ = unsafe poll(&request, 1, -1)
  }
}

/// Keeps what is written, and can be told to fail.
package final class MemorySink: ByteSink {
  private let state = Mutex((bytes: [UInt8](), failure: OutputFailure?.none))

  package init() {}

  package func write(_ bytes: [UInt8]) throws(OutputFailure) {
    let failure = state.withLock { state in
      if state.failure == nil { state.bytes += bytes }
      return state.failure
    }
    if let failure { throw failure }
  }

  /// From now on nothing is taken.
  package func fail(with failure: OutputFailure) { state.withLock { $0.failure = failure } }

  package var bytes: [UInt8] { state.withLock { $0.bytes } }
  package var text: String { String(decoding: bytes, as: UTF8.self) }
}
