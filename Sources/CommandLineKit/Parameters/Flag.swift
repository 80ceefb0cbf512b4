/// An option without a value, as in `--name`, and for negatable ones `--no-name` too.
///
/// `arguments[flag]` is a `Bool`. A flag may be given more than once; the last one counts, so that a shell alias can be overridden.
package struct Flag: Parameter {
  package let definition: ParameterDefinition
  package var definitions: [ParameterDefinition] { [definition] }

  /// A flag that is off unless given.
  package init(_ name: String, short: Character? = nil, help: String, hidden: Bool = false) {
    self.init(name, short: short, help: help, default: false, negatable: false, hidden: hidden)
  }

  /// A flag that can be given as `--name` and `--no-name`.
  package init(
    _ name: String, short: Character? = nil, help: String, negatableWithDefault value: Bool,
    hidden: Bool = false
  ) {
    self.init(name, short: short, help: help, default: value, negatable: true, hidden: hidden)
  }

  private init(
    _ name: String, short: Character?, help: String, default value: Bool, negatable: Bool, hidden: Bool
  ) {
    let info = ParameterInfo(
      kind: .flag, name: name, short: short.map(String.init), help: help,
      defaultText: value ? "on" : nil, isNegatable: negatable, isHidden: hidden)
    definition = ParameterDefinition(info: info) { (uses: [[String]]) throws(InvalidValue) -> any Sendable in
      guard let last = uses.last else { return Box(value: value) }
      return Box(value: last != Flag.negated)
    }
  }

  /// How the parser notes a use as `--no-name`; a plain use has no words.
  static let negated = ["no"]
}
