private import ChildProcesses
private import Glibc

/// A program that is run to its end, with bytes for its input and a bound on its silence.
///
/// Its three standard streams are socket pairs rather than pipes: writing to a socket whose reader is gone can be told to
/// raise no SIGPIPE, and the pair is made closed-on-exec in one step, so that no other child can inherit it.
struct ChildProcess {
  /// What a program left behind.
  struct Outcome: Sendable, Hashable {
    /// The exit status; a program that a signal ended has 128 and the signal's number.
    var status: Int32
    var output: String
    var errors: String
  }

  /// The most that is kept of either output; more is read and dropped.
  private static let outputLimit = 1 << 20
  /// How often to look whether the program has ended while something else keeps its output open.
  private static let glance = Duration.milliseconds(100)

  private let program: String
  private let process: pid_t
  /// Our ends of its standard input, output and error; −1 once closed.
  private var ends: [Int32]
  private var outputs: [[UInt8]] = [[], []]
  /// How the program ended, as `waitpid` tells it, once it has been asked and has ended.
  private var ending: Int32?

  /// Runs a program found on the PATH of `environment`.
  ///
  /// - Parameters:
  ///   - input: pieces of its standard input.
  ///   - silence: it is ended after this time in which it neither took input nor gave output nor ended.
  static func run(
    _ program: String, _ arguments: [String], environment: [String: String], input: [[UInt8]] = [],
    silence: Duration
  ) throws(PrintError) -> Outcome {
    var child = try ChildProcess(program, arguments, environment: environment)
    return try child.converse(input: input, silence: silence)
  }

  private init(_ program: String, _ arguments: [String], environment: [String: String]) throws(PrintError) {
    guard let path = ChildProgram.path(of: program, in: environment) else {
      throw .programMissing(program)
    }
    self.program = program
    var ours: [Int32] = []
    var theirs: [Int32] = []
    defer { theirs.forEach { close($0) } }
    for _ in 0..<3 {
      var pair: [Int32] = [-1, -1]
      let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
      guard unsafe socketpair(AF_UNIX, kind, 0, &pair) == 0 else {
        let code = errno
        ours.forEach { close($0) }
        throw .system(program: program, code: code)
      }
      ours.append(pair[0])
      theirs.append(pair[1])
      _ = fcntl(pair[0], F_SETFL, O_NONBLOCK)
    }
    ends = ours
    do throws(ChildProgram.StartError) {
      // The numbers of `theirs` only rise, so that none of the copies overwrites one that is still to be made.
      process = try ChildProgram(path, [program] + arguments, environment: environment)
        .start(theirs.enumerated().map { ChildProgram.Stream($1, as: Int32($0)) })
    } catch {
      ours.forEach { close($0) }
      throw error.code == ENOENT ? .programMissing(program) : .system(program: program, code: error.code)
    }
  }

  // MARK: While it runs

  private mutating func converse(input: [[UInt8]], silence: Duration) throws(PrintError) -> Outcome {
    let clock = ContinuousClock()
    var deadline = clock.now + silence
    var rest = input[...]
    var sent = 0
    if rest.isEmpty { closeEnd(0) }
    while ends[1] >= 0 || ends[2] >= 0 || ends[0] >= 0 {
      let left = deadline - clock.now
      guard left > .zero else { throw stop(after: silence) }
      var polled = ends.enumerated().map { index, end in
        pollfd(fd: end, events: Int16(index == 0 ? POLLOUT : POLLIN), revents: 0)
      }
      let ready = unsafe poll(&polled, 3, min(left, Self.glance).wholeMilliseconds)
      if ready < 0, errno != EINTR { throw abandon(code: errno) }
      if ready <= 0 {
        // A program of its own that inherited the output could keep it open for long after the end.
        if hasEnded() { break }
        continue
      }
      deadline = clock.now + silence
      if polled[0].revents != 0 { send(&rest, &sent) }
      for stream in 1...2 where polled[stream].revents != 0 { receive(stream) }
    }
    for stream in 1...2 where ends[stream] >= 0 { receive(stream) }
    for index in ends.indices { closeEnd(index) }
    while !hasEnded() {
      guard clock.now < deadline else { throw stop(after: silence) }
      pause()
    }
    return Outcome(
      status: exitStatus, output: String(decoding: outputs[0], as: UTF8.self),
      errors: String(decoding: outputs[1], as: UTF8.self))
  }

  /// Sends what the program takes of its input now, and closes it after the last byte, or when nobody reads any more.
  private mutating func send(_ rest: inout ArraySlice<[UInt8]>, _ sent: inout Int) {
    while let piece = rest.first {
      let count = unsafe piece.withUnsafeBytes { bytes in
        unsafe Glibc.send(
          ends[0], bytes.baseAddress?.advanced(by: sent), bytes.count - sent, Int32(MSG_NOSIGNAL))
      }
      if count < 0 {
        if errno == EAGAIN || errno == EINTR { return }
        break
      }
      sent += count
      if sent == piece.count {
        rest.removeFirst()
        sent = 0
      }
    }
    closeEnd(0)
  }

  /// Reads what there is, and closes at the end.
  private mutating func receive(_ stream: Int) {
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = unsafe read(ends[stream], &buffer, buffer.count)
      if count > 0 {
        let room = Self.outputLimit - outputs[stream - 1].count
        outputs[stream - 1] += buffer[..<min(count, room)]
        continue
      }
      if count < 0, errno == EAGAIN || errno == EINTR { return }
      closeEnd(stream)
      return
    }
  }

  private mutating func closeEnd(_ index: Int) {
    guard ends[index] >= 0 else { return }
    close(ends[index])
    ends[index] = -1
  }

  // MARK: Its end

  /// Whether the program has ended; once it has, it is no longer in the process table.
  private mutating func hasEnded() -> Bool {
    if ending != nil { return true }
    var status: Int32 = 0
    let result = unsafe waitpid(process, &status, WNOHANG)
    if result == process {
      ending = status
    } else if result < 0, errno != EINTR {
      // Somebody else has collected it, so nothing is known but that it is over.
      ending = 127 << 8
    }
    return ending != nil
  }

  private var exitStatus: Int32 {
    guard let ending else { return 127 }
    let signal = ending & 0x7F
    return signal == 0 ? (ending >> 8) & 0xFF : 128 + signal
  }

  private func pause() {
    var time = timespec(tv_sec: 0, tv_nsec: 5_000_000)
    unsafe nanosleep(&time, nil)
  }

  /// Ends a program that keeps silent.
  private mutating func stop(after silence: Duration) -> PrintError {
    end()
    return .timedOut(program: program, seconds: Int(silence.components.seconds))
  }

  private mutating func abandon(code: Int32) -> PrintError {
    end()
    return .system(program: program, code: code)
  }

  /// Kills the program, and only then lets go of its input: the end of it would look like the end of the document.
  private mutating func end() {
    if !hasEnded() {
      kill(process, SIGKILL)
      while !hasEnded() { pause() }
    }
    for index in ends.indices { closeEnd(index) }
  }
}

extension Duration {
  /// Milliseconds as `poll` takes them, rounded up and at least 1.
  fileprivate var wholeMilliseconds: Int32 {
    let (seconds, attoseconds) = components
    return Int32(clamping: max(1, seconds * 1000 + attoseconds / 1_000_000_000_000_000 + 1))
  }
}
