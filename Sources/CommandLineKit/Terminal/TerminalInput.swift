private import Glibc

/// Asks on the process's terminal (`/dev/tty`), whatever standard input and output are.
package struct TerminalInput: AnswerSource {
  private let path: String

  /// - Parameter path: The terminal to ask on; another one than the process's own in tests.
  package init(path: String = "/dev/tty") { self.path = path }

  package var canAsk: Bool {
    guard let terminal = open() else { return false }
    close(terminal)
    return true
  }

  package func readLine(prompt: String, isSecret: Bool) -> Answer {
    switch readBytes(prompt: prompt, isSecret: isSecret) {
    case .bytes(let line): String(validating: line, as: UTF8.self).map { .line($0) } ?? .none
    case .none: .none
    case .cancelled: .cancelled
    }
  }

  package func readSecret(prompt: String) -> SecretAnswer { readBytes(prompt: prompt, isSecret: true) }

  private func readBytes(prompt: String, isSecret: Bool) -> SecretAnswer {
    guard let terminal = open() else { return .none }
    defer { close(terminal) }
    var before = termios()
    guard unsafe tcgetattr(terminal, &before) == 0 else { return .none }
    // Keys come one by one, without echo and without signals, so that a Ctrl-C can't leave the terminal mute.
    var during = before
    during.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
    guard unsafe tcsetattr(terminal, TCSADRAIN, &during) == 0 else { return .none }
    defer { _ = unsafe tcsetattr(terminal, TCSADRAIN, &before) }
    show(prompt, on: terminal)
    let answer = readKeys(on: terminal, isSecret: isSecret)
    show("\n", on: terminal)
    return answer
  }

  private func open() -> Int32? {
    let terminal = unsafe Glibc.open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard terminal >= 0 else { return nil }
    if isatty(terminal) == 1 { return terminal }
    close(terminal)
    return nil
  }

  private func show(_ text: String, on terminal: Int32) {
    do {
      try FileDescriptorSink(terminal).write(Array(text.utf8))
    } catch {
      // The terminal is gone; reading from it will say so.
    }
  }

  /// An answer longer than this is no answer.
  private static let longestLine = 4096

  private func readKeys(on terminal: Int32, isSecret: Bool) -> SecretAnswer {
    var line: [UInt8] = []
    // Never moved, so that no copy of a secret is left behind.
    if isSecret { line.reserveCapacity(Self.longestLine) }
    while true {
      var key: UInt8 = 0
      let count = unsafe read(terminal, &key, 1)
      if count < 0, errno == EINTR { continue }
      guard count == 1 else { return .none }
      switch key {
      case 0x0A, 0x0D:  // Enter
        return .bytes(line)
      case 0x03:  // Ctrl-C
        return .cancelled
      case 0x04:  // Ctrl-D: the end, on an empty line
        if line.isEmpty { return .none }
      case 0x15:  // Ctrl-U: the whole line
        erase(String(decoding: line, as: UTF8.self).count, on: terminal, isSecret: isSecret)
        line = []
      case 0x08, 0x7F:  // Backspace: one character
        guard let last = String(decoding: line, as: UTF8.self).last else { continue }
        erase(1, on: terminal, isSecret: isSecret)
        line.removeLast(min(line.count, last.utf8.count))
      case 0..<0x20:
        continue
      default:
        guard line.count < Self.longestLine else { return .none }
        line.append(key)
        if !isSecret { echo(key, on: terminal) }
      }
    }
  }

  private func erase(_ count: Int, on terminal: Int32, isSecret: Bool) {
    if !isSecret { show(String(repeating: "\u{8} \u{8}", count: count), on: terminal) }
  }

  private func echo(_ key: UInt8, on terminal: Int32) {
    do {
      try FileDescriptorSink(terminal).write([key])
    } catch {
      // As in `show`.
    }
  }
}
