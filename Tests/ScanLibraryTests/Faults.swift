import Foundation
import Glibc
import ScanLibrary
import Synchronization

/// Lets calls through, and fails or dies at the n-th.
final class Faults: Sendable {
  enum Kind: Sendable, CaseIterable, CustomStringConvertible {
    case noSpace, inputOutput, denied, tornWrite, crash

    var description: String {
      switch self {
      case .noSpace: "no space"
      case .inputOutput: "an input/output error"
      case .denied: "no permission"
      case .tornWrite: "a torn write"
      case .crash: "a crash"
      }
    }
  }

  private struct State {
    var count = 0
    var hasFired = false
  }

  private let state = Mutex(State())
  private let at: Int
  private let kind: Kind

  init(at number: Int, _ kind: Kind) {
    at = number
    self.kind = kind
  }

  /// Whether there were as many calls as that.
  var hasFired: Bool { state.withLock(\.hasFired) }

  var calls: FileCalls {
    FileCalls { [self] _, _ in
      state.withLock { state in
        state.count += 1
        if state.count == at {
          state.hasFired = true
          switch kind {
          case .noSpace: return .fail(ENOSPC)
          case .inputOutput: return .fail(EIO)
          case .denied: return .fail(EACCES)
          case .tornWrite, .crash: return .tear(ENOSPC)
          }
        }
        // After a crash nothing is done any more, tidying up included.
        return state.hasFired && kind == .crash ? .fail(EIO) : nil
      }
    }
  }
}

/// Writes down what the library asks of the system.
final class CallLog: Sendable {
  struct Entry: Hashable, CustomStringConvertible {
    var operation: FileOperation
    var path: String

    var description: String { "\(operation) \(path)" }
  }

  private let list = Mutex<[Entry]>([])

  var entries: [Entry] { list.withLock { $0 } }

  var calls: FileCalls {
    FileCalls { [self] operation, path in
      list.withLock { $0.append(Entry(operation: operation, path: path)) }
      return nil
    }
  }
}

/// A temporary folder in memory where there is one, for tests that make thousands of files and need no real disk.
final class MemoryFolder: Sendable {
  let path: String

  init() throws {
    let manager = FileManager.default
    let shared = "/dev/shm"
    let parent = manager.isWritableFile(atPath: shared) ? shared : manager.temporaryDirectory.path
    path = parent + "/flatbed-test-\(UUID().uuidString)"
    try manager.createDirectory(atPath: path, withIntermediateDirectories: false)
  }

  func path(_ name: String) -> String { path + "/" + name }

  deinit {
    // What is left is the system's to clean.
    try? FileManager.default.removeItem(atPath: path)
  }
}
