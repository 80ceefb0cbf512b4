/// A command line that can't be understood, or that makes no sense.
package struct UsageError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What is wrong, as a lower-case sentence without a full stop.
  package var message: String
  /// What to do instead, such as `did you mean '--mode'?`, if there is a good guess.
  package var suggestion: String?
  /// The names of the command below the program's, as far as it was recognised; the program fills it in.
  package var commandPath: [String]

  package init(_ message: String, suggestion: String? = nil, commandPath: [String] = []) {
    self.message = message
    self.suggestion = suggestion
    self.commandPath = commandPath
  }

  package var description: String { message }

  /// The same fault with the question whether a word was meant.
  static func unknown(_ message: String, meant: String?, commandPath: [String]) -> UsageError {
    UsageError(message, suggestion: meant.map { "did you mean '\($0)'?" }, commandPath: commandPath)
  }
}
