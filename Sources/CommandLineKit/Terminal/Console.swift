private import Glibc
private import Synchronization

/// Where a program prints and asks: results to standard output, everything else to standard error.
///
/// Printing doesn't throw: work goes on when nobody reads any more, and the first failure is kept in `outputFailure` for the
/// end. Text is written as it is; names of files go through `printable` first. All calls may come from any thread.
package final class Console: Sendable {
  package let programName: String
  package let outputFacts: TerminalFacts
  package let errorFacts: TerminalFacts
  private let output: any ByteSink
  private let errors: any ByteSink
  fileprivate let input: any AnswerSource
  /// Seconds on a clock that never goes back.
  let now: @Sendable () -> Double
  private let state = Mutex(State())

  private struct State {
    var isQuiet = false
    var failure: OutputFailure?
    /// The progress line that stands on the terminal now.
    var progressLine: String?
  }

  package init(
    programName: String, output: any ByteSink, errors: any ByteSink, input: any AnswerSource = NobodyToAsk(),
    outputFacts: TerminalFacts = .plain, errorFacts: TerminalFacts = .plain,
    now: @escaping @Sendable () -> Double = { monotonicSeconds() }
  ) {
    self.programName = programName
    self.output = output
    self.errors = errors
    self.input = input
    self.outputFacts = outputFacts
    self.errorFacts = errorFacts
    self.now = now
  }

  /// The console of this process: its standard streams, and its terminal for questions.
  ///
  /// From then on the process ignores `SIGPIPE`. A child started by `posix_spawn` must set it back to its default.
  package static func standard(programName: String, environment: [String: String]) -> Console {
    _ = signal(SIGPIPE, SIG_IGN)
    return Console(
      programName: programName, output: FileDescriptorSink(STDOUT_FILENO),
      errors: FileDescriptorSink(STDERR_FILENO),
      input: TerminalInput(),
      outputFacts: .of(descriptor: STDOUT_FILENO, environment: environment),
      errorFacts: .of(descriptor: STDERR_FILENO, environment: environment))
  }

  // MARK: Printing

  /// Prints a result and a newline to standard output.
  package func print(_ text: String) {
    do {
      try write(Array((text + "\n").utf8))
    } catch {
      // Kept in `outputFailure`, which the program looks at when it ends.
    }
  }

  /// Prints results, each with a newline, at once: for thousands of them a call each would take longer than they do.
  package func printLines(_ lines: [String]) {
    if !lines.isEmpty { print(lines.joined(separator: "\n")) }
  }

  /// Writes bytes to standard output, all of them or throws; for pictures and other large results.
  package func write(_ bytes: [UInt8]) throws(OutputFailure) {
    let failure = state.withLock { state -> OutputFailure? in
      if let failure = state.failure { return failure }
      eraseProgress(state)
      do throws(OutputFailure) {
        try output.write(bytes)
      } catch {
        state.failure = error
      }
      redrawProgress(state)
      return state.failure
    }
    if let failure { throw failure }
  }

  /// The first failure to write a result, if there was one.
  ///
  /// After `.closedPipe` the program should end quietly, after `.system` it should say what happened.
  package var outputFailure: OutputFailure? { state.withLock { $0.failure } }

  /// Tells something worth knowing on standard error, unless the user wants quiet.
  package func note(_ text: String) {
    if !isQuiet { printError(text) }
  }

  /// Tells of something that may be wrong, in quiet too: `flatbed: warning: …`.
  package func warn(_ text: String) {
    let style = TextStyle(isStyled: errorFacts.isStyled)
    printError("\(programName): \(style.warning("warning:")) \(text)")
  }

  /// Tells what failed, and what would help: `flatbed: error: …`, `flatbed: hint: …`.
  package func printFailure(_ text: String, hints: [String] = []) {
    let style = TextStyle(isStyled: errorFacts.isStyled)
    let lines =
      ["\(programName): \(style.error("error:")) \(text)"] + hints.map { "\(programName): hint: \($0)" }
    printError(lines.joined(separator: "\n"))
  }

  /// Prints text and a newline to standard error, as it is.
  package func printError(_ text: String) {
    state.withLock { state in
      eraseProgress(state)
      writeError(text + "\n")
      redrawProgress(state)
    }
  }

  private func writeError(_ text: String) {
    do {
      try errors.write(Array(text.utf8))
    } catch {
      // Nobody can be told that nobody can be told.
    }
  }

  // MARK: Quiet

  /// Whether notes and progress are silenced.
  package var isQuiet: Bool { state.withLock { $0.isQuiet } }

  /// From now on notes and progress are dropped; warnings and failures still come.
  package func silenceNotes() { state.withLock { $0.isQuiet = true } }

  // MARK: Progress

  /// Whether a progress line would be seen.
  var showsProgress: Bool { errorFacts.canRedraw && !isQuiet }

  /// Puts up a line in place of the one before; `nil` takes it away.
  func showProgress(_ line: String?) {
    state.withLock { state in
      eraseProgress(state)
      state.progressLine = line
      redrawProgress(state)
    }
  }

  private func eraseProgress(_ state: borrowing State) {
    // Carriage return and "erase to the end of the line" (ECMA-48, EL).
    if state.progressLine != nil { writeError("\r\u{1b}[K") }
  }

  private func redrawProgress(_ state: borrowing State) {
    if let line = state.progressLine { writeError(line) }
  }

  // MARK: Asking

  /// Whether there is somebody to ask.
  package var canAsk: Bool { input.canAsk }

  /// Asks a question that is answered by yes or no; an empty answer is no.
  ///
  /// Gives `nil` when nobody can be asked or the answer is broken off.
  package func confirm(_ question: String) -> Bool? {
    while true {
      guard case .line(let answer) = ask("\(question) [y/N] ") else { return nil }
      switch answer.lowercased().filter({ !$0.isWhitespace }) {
      case "y", "yes": return true
      case "n", "no", "": return false
      default: continue
      }
    }
  }

  /// Asks for a line of text.
  package func ask(_ prompt: String) -> Answer {
    showProgress(nil)
    return input.readLine(prompt: prompt, isSecret: false)
  }

  /// Asks for a line of text that isn't shown while it is typed.
  package func askSecret(_ prompt: String) -> Answer {
    showProgress(nil)
    return input.readLine(prompt: prompt, isSecret: true)
  }
}

extension Console {
  /// Asks for a secret that isn't shown while it is typed, and that the caller overwrites after use.
  package func askSecretBytes(_ prompt: String) -> SecretAnswer {
    showProgress(nil)
    return input.readSecret(prompt: prompt)
  }
}

/// Seconds of the system's monotonic clock.
package func monotonicSeconds() -> Double {
  var time = timespec()
  // It can't fail for this clock and a valid address.
  _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
