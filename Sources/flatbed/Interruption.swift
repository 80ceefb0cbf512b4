import Glibc

/// Ctrl-C, and its relatives: the first one asks for an orderly end, the second one ends at once.
///
/// The signals are blocked in every thread and taken by the main one, so that the answer runs as ordinary code and not inside
/// of a signal handler, where almost nothing is allowed. The main thread must do nothing else: left to Swift's concurrency it
/// would wait with all signals let through, and the first would end the process.
struct Interruption: Sendable {
  private static let signals = [SIGINT, SIGTERM, SIGHUP]
  private let set: sigset_t

  /// Blocks the signals, but for those that whoever started the program has it ignore, as `nohup` does; has to come before any other thread is started, since those inherit what is blocked.
  init() {
    var set = sigset_t()
    unsafe sigemptyset(&set)
    for signal in Self.signals where !Self.isIgnored(signal) { unsafe sigaddset(&set, signal) }
    unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
    self.set = set
  }

  private static func isIgnored(_ signal: Int32) -> Bool {
    var action = sigaction()
    guard unsafe sigaction(signal, nil, &action) == 0 else { return false }
    return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// Waits for signals as long as the process lives.
  ///
  /// - Parameter respond: called once, with the signal's number.
  func wait(_ respond: (Int32) -> Void) -> Never {
    respond(next())
    _exit(128 + next())
  }

  private func next() -> Int32 {
    var set = set
    var number: Int32 = 0
    while unsafe sigwait(&set, &number) != 0 {}
    return number
  }
}
