/// The values of one command line, read through the typed keys that declared them.
package struct ParsedArguments: Sendable {
  /// The names of the command below the program's.
  package let commandPath: [String]
  /// Boxes of the values, by display name.
  private let values: [String: any Sendable]
  /// The display names of what was really given.
  private let given: Set<String>

  init(commandPath: [String], values: [String: any Sendable], given: Set<String>) {
    self.commandPath = commandPath
    self.values = values
    self.given = given
  }

  /// The value of an option.
  ///
  /// The command must list the option in its description; otherwise this traps.
  package subscript<Value>(_ option: Option<Value>) -> Value { value(of: option.definition) }

  /// The value of an argument.
  ///
  /// The command must list the argument in its description; otherwise this traps.
  package subscript<Value>(_ argument: Argument<Value>) -> Value { value(of: argument.definition) }

  /// Whether a flag is on.
  ///
  /// The command must list the flag in its description; otherwise this traps.
  package subscript(_ flag: Flag) -> Bool { value(of: flag.definition) }

  /// Whether a parameter stands on the command line, rather than having its default.
  package func isGiven(_ parameter: some Parameter) -> Bool {
    parameter.definitions.contains { given.contains($0.info.displayName) }
  }

  private func value<Value: Sendable>(of definition: ParameterDefinition) -> Value {
    let name = definition.info.displayName
    guard let box = values[name] as? Box<Value> else {
      preconditionFailure("'\(commandPath.joined(separator: " "))' reads \(name) without declaring it")
    }
    return box.value
  }
}
