/// One option, flag or argument as plain data.
package struct ParameterInfo: Codable, Sendable, Equatable {
  package enum Kind: String, Codable, Sendable {
    /// `--name VALUE`
    case option
    /// `--name`
    case flag
    /// A word by its place.
    case argument
  }

  package var kind: Kind
  /// Without dashes for options and flags; as shown, in capitals, for arguments.
  package var name: String
  /// One character without its dash.
  package var short: String?
  /// What stands for the value in help; empty for flags.
  package var placeholder = ""
  /// A sentence or more; the first says all in short.
  package var help: String
  /// The default as it would be typed.
  package var defaultText: String?
  package var choices: [Choice] = []
  package var completion = CompletionKind.none
  /// How many values follow one use of the option.
  package var valuesPerUse = 1
  package var isRequired = false
  package var isRepeating = false
  /// A flag that also has a `--no-name` form.
  package var isNegatable = false
  package var isHidden = false
  /// The heading under which the command's help shows it; empty for the usual one.
  package var section = ""

  /// How it is spoken of: `--name` or `NAME`.
  package var displayName: String { kind == .argument ? name : "--\(name)" }

  /// The placeholder as often as there are values: `X,Y X,Y`.
  package var fullPlaceholder: String {
    Array(repeating: placeholder, count: valuesPerUse).joined(separator: " ")
  }

  /// `--help`, which every command has.
  package static let help = ParameterInfo(
    kind: .flag, name: "help", short: "h", help: "Show help and exit.")
  /// `--version`, which only the program itself has.
  package static let version = ParameterInfo(
    kind: .flag, name: "version", help: "Show the version and exit.")
}

/// One of the words an option accepts.
package struct Choice: Codable, Sendable, Equatable {
  package var name: String
  /// A few words without a full stop; may be empty.
  package var help: String

  package init(_ name: String, help: String = "") {
    self.name = name
    self.help = help
  }
}

/// How a shell finds candidates for a value.
package enum CompletionKind: Codable, Sendable, Equatable {
  /// No candidates.
  case none
  /// The choices of the parameter.
  case choices
  /// Any file.
  case file
  /// Folders only.
  case folder
  /// What the program prints when it is called with these arguments: a candidate a line, after a tab what it is.
  case dynamic([String])
}
