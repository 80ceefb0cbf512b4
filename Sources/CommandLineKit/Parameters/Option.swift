/// An option with a value, as in `--name VALUE`.
///
/// `Value` is exactly what `arguments[option]` gives.
///
/// Without a default that is an optional, with one it is the value, and for repeatable options an array:
///
///     static let paper = Option("paper", .choice(of: Paper.self, "SIZE"), help: "…")                // Option<Paper?>
///     static let amount = Option("amount", .number(0...10), help: "…", default: 1)                  // Option<Double>
///     static let tags = Option(repeating: "tag", .string("TAG"), help: "…")                         // Option<[String]>
///     static let corners = Option("corners", .several(4, of: point), help: "…")                     // Option<[Point]?>
package struct Option<Value: Sendable>: Parameter {
  package let definition: ParameterDefinition
  package var definitions: [ParameterDefinition] { [definition] }

  /// An option that may be left out, and is `nil` then.
  package init<Wrapped: Sendable>(
    _ name: String, short: Character? = nil, _ type: ValueType<Wrapped>, help: String, hidden: Bool = false
  ) where Value == Wrapped? {
    let info = type.info(.option, name: name, short: short, help: help, isHidden: hidden)
    definition = ParameterDefinition(info: info) { (uses: [[String]]) throws(InvalidValue) -> any Sendable in
      try type.readOptional(uses)
    }
  }

  /// An option with a default, which help shows.
  package init(
    _ name: String, short: Character? = nil, _ type: ValueType<Value>, help: String, default value: Value,
    hidden: Bool = false
  ) {
    var info = type.info(.option, name: name, short: short, help: help, isHidden: hidden)
    info.defaultText = type.describe(value)
    definition = ParameterDefinition(info: info) { (uses: [[String]]) throws(InvalidValue) -> any Sendable in
      Box(value: try type.readOptional(uses).value ?? value)
    }
  }

  /// An option that must be given.
  package init(
    required name: String, short: Character? = nil, _ type: ValueType<Value>, help: String
  ) {
    var info = type.info(.option, name: name, short: short, help: help)
    info.isRequired = true
    definition = ParameterDefinition(info: info) { (uses: [[String]]) throws(InvalidValue) -> any Sendable in
      guard let words = uses.first else { throw InvalidValue("is missing") }
      return Box(value: try type.readUse(words))
    }
  }

  /// An option that may be given several times; the values come in their order.
  package init<Element: Sendable>(
    repeating name: String, short: Character? = nil, _ type: ValueType<Element>, help: String,
    hidden: Bool = false
  ) where Value == [Element] {
    var info = type.info(.option, name: name, short: short, help: help, isHidden: hidden)
    info.isRepeating = true
    definition = ParameterDefinition(info: info) { (uses: [[String]]) throws(InvalidValue) -> any Sendable in
      try type.readAll(uses)
    }
  }
}
