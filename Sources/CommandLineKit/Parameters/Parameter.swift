/// An option, a flag, an argument, or a group of them: what a command's description lists.
package protocol Parameter: Sendable {
  /// The single parameters it stands for, in order.
  var definitions: [ParameterDefinition] { get }
}

/// A parameter without its type: the plain description, and how the words given are read.
package struct ParameterDefinition: Sendable {
  package var info: ParameterInfo
  /// Turns the words of every use into a `Box` of the value that the typed key reads; no use gives the default.
  let read: @Sendable (_ uses: [[String]]) throws(InvalidValue) -> any Sendable
}

/// Parameters shown under a heading of their own in help.
package struct ParameterGroup: Parameter {
  package let definitions: [ParameterDefinition]

  package init(_ heading: String, _ parameters: [any Parameter]) {
    definitions = parameters.flatMap(\.definitions).map { definition in
      var changed = definition
      changed.info.section = heading
      return changed
    }
  }
}

/// Keeps the static type of a value through an erased store, optionals included.
struct Box<Value: Sendable>: Sendable {
  let value: Value
}

extension ValueType {
  /// Reads one use, and names its words in the fault.
  func readUse(_ words: [String]) throws(InvalidValue) -> Value {
    do {
      return try read(words)
    } catch {
      var named = error
      named.text = words.joined(separator: " ")
      throw named
    }
  }

  /// The plain description of a parameter of this type.
  func info(
    _ kind: ParameterInfo.Kind, name: String, short: Character? = nil, help: String, isHidden: Bool = false
  ) -> ParameterInfo {
    ParameterInfo(
      kind: kind, name: name, short: short.map(String.init), placeholder: placeholder, help: help,
      choices: choices, completion: completion, valuesPerUse: wordCount, isHidden: isHidden)
  }

  func readOptional(_ uses: [[String]]) throws(InvalidValue) -> Box<Value?> {
    guard let words = uses.first else { return Box(value: nil) }
    return Box(value: try readUse(words))
  }

  func readAll(_ uses: [[String]]) throws(InvalidValue) -> Box<[Value]> {
    var values: [Value] = []
    for words in uses { values.append(try readUse(words)) }
    return Box(value: values)
  }
}
