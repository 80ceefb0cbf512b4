/// What kind of value an option or an argument takes: how it is written, read, shown and completed.
package struct ValueType<Value: Sendable>: Sendable {
  /// What stands for one value in help, in capitals.
  package var placeholder: String
  package var choices: [Choice]
  package var completion: CompletionKind
  /// How many words make up one value.
  package let wordCount: Int
  /// Reads exactly `wordCount` words.
  let read: @Sendable ([String]) throws(InvalidValue) -> Value
  /// Writes a value as it would be typed; used to show defaults.
  let describe: @Sendable (Value) -> String

  /// A value made of one word.
  ///
  /// `parse` throws an `InvalidValue` whose reason completes the sentence "invalid value 'x' for --name: …".
  package init(
    _ placeholder: String, choices: [Choice] = [], completion: CompletionKind = .none,
    describe: @escaping @Sendable (Value) -> String = { "\($0)" },
    parse: @escaping @Sendable (String) throws(InvalidValue) -> Value
  ) {
    self.init(
      placeholder, choices: choices, completion: completion, wordCount: 1, describe: describe
    ) { (words: [String]) throws(InvalidValue) -> Value in
      try parse(words.first ?? "")
    }
  }

  /// A value made of several words, which may also come as one argument with spaces between them.
  package init(
    _ placeholder: String, choices: [Choice] = [], completion: CompletionKind = .none, wordCount: Int,
    describe: @escaping @Sendable (Value) -> String = { "\($0)" },
    read: @escaping @Sendable ([String]) throws(InvalidValue) -> Value
  ) {
    self.placeholder = placeholder
    self.choices = choices
    self.completion = completion
    self.wordCount = wordCount
    self.describe = describe
    self.read = read
  }

  /// The same type, completed by what the program prints when called with these arguments.
  package func completed(by arguments: [String]) -> Self {
    var changed = self
    changed.completion = .dynamic(arguments)
    return changed
  }

  /// The same type, read on into another value, such as words into a quad.
  package func map<Result: Sendable>(
    describe: @escaping @Sendable (Result) -> String = { "\($0)" },
    _ transform: @escaping @Sendable (Value) throws(InvalidValue) -> Result
  ) -> ValueType<Result> {
    let read = read
    return ValueType<Result>(
      placeholder, choices: choices, completion: completion, wordCount: wordCount, describe: describe
    ) { (words: [String]) throws(InvalidValue) -> Result in
      try transform(try read(words))
    }
  }
}

/// A word that isn't a value of the wanted type.
package struct InvalidValue: Error, Sendable, Equatable, CustomStringConvertible {
  /// What is wanted instead, as the end of a sentence: `must be a whole number from 0 to 10`.
  package var reason: String
  /// What was probably meant, if there is a good guess.
  package var suggestion: String?
  /// The words at fault; filled in by the parser.
  var text: String?

  package init(_ reason: String, suggestion: String? = nil) {
    self.reason = reason
    self.suggestion = suggestion
  }

  package var description: String { reason }
}
