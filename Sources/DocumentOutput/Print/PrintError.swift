private import SystemErrors

/// Why something could not be printed, or the printers could not be listed.
package enum PrintError: Error, Hashable {
  /// A program of the print system is not on the PATH.
  case programMissing(String)
  /// There are programs, but the CUPS scheduler does not answer them.
  case notRunning
  /// The print system has no printer at all.
  case noPrinter
  /// No printer was named and none is the default; `known` are those there are.
  case noDefault(known: [String])
  /// There is no printer of this name.
  case unknownPrinter(String, known: [String])
  /// The printer's queue is stopped; what is sent there would wait for an unknown time.
  case stopped(printer: String, reason: String?)
  /// The printer's queue takes no jobs.
  case rejecting(printer: String, reason: String?)
  /// The printer has no such paper, tray or kind of paper; `known` are the papers it has.
  case unknownMedia(String, printer: String, known: [String])
  /// Fewer than 1 copy, or more than CUPS takes.
  case copiesOutOfRange(Int)
  /// There is no page to print.
  case noPages
  /// A program ended with an error; `message` is what it said.
  case failed(program: String, message: String)
  /// A program did not end, or stopped reading, for this many seconds, and was ended.
  case timedOut(program: String, seconds: Int)
  /// There is too little memory to compress a page.
  case outOfMemory
  /// A system call failed while a program was started or spoken to.
  case system(program: String, code: Int32)
}

extension PrintError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .programMissing(let program):
      "the program \(program) is not installed; it belongs to CUPS (Debian's package cups-client)"
    case .notRunning: "the print system (CUPS) is not running"
    case .noPrinter: "no printer is set up"
    case .noDefault(let known): "no default printer is set; there \(Self.list(known))"
    case .unknownPrinter(let name, let known):
      "there is no printer called \(shown(name)); there \(Self.list(known))"
    case .stopped(let printer, let reason):
      "the printer \(printer) is stopped" + Self.because(reason)
    case .rejecting(let printer, let reason):
      "the printer \(printer) takes no jobs" + Self.because(reason)
    case .unknownMedia(let media, let printer, let known):
      "the printer \(printer) has no paper called \(shown(media)); there \(Self.list(known))"
    case .copiesOutOfRange(let copies):
      "\(copies) copies can't be printed, only 1 to \(PrintOptions.mostCopies)"
    case .noPages: "there is no page to print"
    case .failed(let program, let message):
      message.isEmpty ? "\(program) failed and did not say why" : "\(program) says: \(message)"
    case .timedOut(let program, let seconds):
      "the print system (CUPS) does not answer: \(program) was ended after \(seconds) seconds"
    case .outOfMemory: "there is not enough memory"
    case .system(let program, let code): "\(program) could not be run: \(systemErrorText(code))"
    }
  }

  private static func list(_ names: [String]) -> String {
    names.count == 1 ? "is only \(names[0])" : "are " + names.joined(separator: ", ")
  }

  private static func because(_ reason: String?) -> String { reason.map { ": \($0)" } ?? "" }
}

/// A name that a user typed, safe to show: control characters are left out.
private func shown(_ name: String) -> String {
  name.isEmpty
    ? "\"\"" : String(name.filter { !($0.isNewline || $0.unicodeScalars.contains { $0.value < 32 }) })
}
