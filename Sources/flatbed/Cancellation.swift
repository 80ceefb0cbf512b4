import CommandLineKit
import Synchronization

/// What a signal cancels, and which signal it was.
final class Cancellation: Sendable {
  private let state = Mutex<(signal: Int32?, task: Task<ExitStatus, Never>?)>((nil, nil))

  /// The signal that came, if one did.
  var signal: Int32? { state.withLock { $0.signal } }

  /// Cancels the task, or, when it isn't there yet, as soon as it is.
  func cancel(bySignal number: Int32) {
    state.withLock { state in
      state.signal = number
      state.task?.cancel()
    }
  }

  /// The task that a signal cancels.
  func watch(_ task: Task<ExitStatus, Never>) {
    state.withLock { state in
      state.task = task
      if state.signal != nil { task.cancel() }
    }
  }
}
