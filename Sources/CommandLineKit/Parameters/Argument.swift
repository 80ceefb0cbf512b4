/// A word by its place.
///
/// `Value` is exactly what `arguments[argument]` gives.
///
///     static let scan = Argument("SCAN", .string("SCAN"), help: "…")                  // Argument<String>
///     static let target = Argument(optional: "FILE", .file, help: "…")                // Argument<String?>
///     static let photos = Argument(repeating: "PHOTO", .file, help: "…")              // Argument<[String]>, one or more
///     static let scans = Argument(repeating: "SCAN", atLeast: 0, .string("SCAN"), …)  // Argument<[String]>, zero or more
///
/// In a command's description, required ones come first, then optional ones, and a repeating one last.
package struct Argument<Value: Sendable>: Parameter {
  package let definition: ParameterDefinition
  package var definitions: [ParameterDefinition] { [definition] }

  /// An argument that must be given.
  package init(_ name: String, _ type: ValueType<Value>, help: String) {
    var info = type.info(.argument, name: name, help: help)
    info.isRequired = true
    definition = ParameterDefinition(info: info) { (uses: [[String]]) throws(InvalidValue) -> any Sendable in
      guard let words = uses.first else { throw InvalidValue("is missing") }
      return Box(value: try type.readUse(words))
    }
  }

  /// An argument that may be left out, and is `nil` then.
  package init<Wrapped: Sendable>(
    optional name: String, _ type: ValueType<Wrapped>, help: String
  ) where Value == Wrapped? {
    let info = type.info(.argument, name: name, help: help)
    definition = ParameterDefinition(info: info) { (uses: [[String]]) throws(InvalidValue) -> any Sendable in
      try type.readOptional(uses)
    }
  }

  /// An argument that takes all words that are left; `minimum` is 0 or 1.
  package init<Element: Sendable>(
    repeating name: String, atLeast minimum: Int = 1, _ type: ValueType<Element>, help: String
  ) where Value == [Element] {
    var info = type.info(.argument, name: name, help: help)
    info.isRequired = minimum > 0
    info.isRepeating = true
    definition = ParameterDefinition(info: info) { (uses: [[String]]) throws(InvalidValue) -> any Sendable in
      try type.readAll(uses)
    }
  }
}
