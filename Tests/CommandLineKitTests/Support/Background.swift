import Dispatch
import Foundation
import Synchronization

/// Blocking work on a thread of its own.
///
/// Swift's own tasks share a few threads; a test that blocks one until another does something could wait for ever.
final class Background<Value: Sendable>: Sendable {
  private let result = Mutex<Value?>(nil)
  private let done = DispatchSemaphore(value: 0)

  init(_ work: @escaping @Sendable () -> Value) {
    Thread.detachNewThread { [self] in
      let value = work()
      result.withLock { $0 = value }
      done.signal()
    }
  }

  /// Waits for the work; to be called once.
  func value() -> Value? {
    done.wait()
    return result.withLock { $0 }
  }
}
