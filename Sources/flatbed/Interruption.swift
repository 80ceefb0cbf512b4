import Glibc

/// Ctrl-C, and its relatives: the first one asks for an orderly end, the second one ends at once.
///
/// The signals are blocked in every thread and taken by one of their own, so that the answer runs as ordinary code and
/// not inside of a signal handler, where almost nothing is allowed.
enum Interruption {
  private static let signals = [SIGINT, SIGTERM, SIGHUP]

  /// Has to be called before any other thread is started, since those inherit what is blocked.
  ///
  /// - Parameter respond: called once, from another thread, with the signal's number.
  static func catchSignals(_ respond: @escaping @Sendable (Int32) -> Void) {
    var set = sigset_t()
    unsafe sigemptyset(&set)
    for signal in signals { unsafe sigaddset(&set, signal) }
    unsafe pthread_sigmask(SIG_BLOCK, &set, nil)

    let context = Context(signals: set, respond: respond)
    var thread = pthread_t()
    let started = unsafe pthread_create(
      &thread, nil,
      { raw in
        guard let raw = unsafe raw else { return nil }
        let context = unsafe Unmanaged<Context>.fromOpaque(raw).takeRetainedValue()
        var set = context.signals
        var number: Int32 = 0
        unsafe sigwait(&set, &number)
        context.respond(number)
        unsafe sigwait(&set, &number)
        _exit(128 + number)
      }, Unmanaged.passRetained(context).toOpaque())
    precondition(started == 0, "no thread can be started")
    pthread_detach(thread)
  }

  private final class Context: Sendable {
    let signals: sigset_t
    let respond: @Sendable (Int32) -> Void

    init(signals: sigset_t, respond: @escaping @Sendable (Int32) -> Void) {
      self.signals = signals
      self.respond = respond
    }
  }
}
