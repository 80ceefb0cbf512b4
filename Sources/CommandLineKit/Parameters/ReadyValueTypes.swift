extension ValueType where Value == String {
  /// Any text, the empty one included.
  package static func string(_ placeholder: String) -> Self {
    Self(placeholder, describe: { $0 }, parse: { (text: String) throws(InvalidValue) in text })
  }

  /// The path of a file, or whatever the command takes for one, such as `-`; completed by files.
  package static var file: Self { path("FILE", completion: .file) }

  /// The path of a file or a folder; completed by files.
  package static var path: Self { path("PATH", completion: .file) }

  /// The path of a folder; completed by folders.
  package static var folder: Self { path("DIR", completion: .folder) }

  /// A path that isn't empty.
  package static func path(_ placeholder: String, completion: CompletionKind) -> Self {
    Self(placeholder, completion: completion, describe: { $0 }) { (text: String) throws(InvalidValue) in
      if text.isEmpty { throw InvalidValue("a path can't be empty") }
      return text
    }
  }

  /// One of some words that are known only as text.
  package static func choice(_ placeholder: String, _ choices: [Choice]) -> Self {
    Self(placeholder, choices: choices, completion: .choices, describe: { $0 }) {
      (text: String) throws(InvalidValue) in
      guard choices.contains(where: { $0.name == text }) else {
        throw InvalidValue(notAChoice: text, of: choices.map(\.name))
      }
      return text
    }
  }
}

extension ValueType where Value == Int {
  /// A whole number in decimal digits.
  package static func integer(_ range: ClosedRange<Int>, _ placeholder: String = "N") -> Self {
    Self(placeholder) { (text: String) throws(InvalidValue) in
      guard let value = Int(text), range.contains(value) else {
        throw InvalidValue(
          "must be a whole number \(wanted(range.lowerBound, range.upperBound, Int.min, Int.max))")
      }
      return value
    }
  }
}

extension ValueType where Value == Double {
  /// A decimal number such as `1.5`, `-2` or `1e-3`; never an infinity or not-a-number.
  package static func number(
    _ range: ClosedRange<Double>, _ placeholder: String = "NUMBER"
  ) -> Self {
    Self(placeholder, describe: { shortest($0) }) { (text: String) throws(InvalidValue) in
      let isDecimal = text.utf8.allSatisfy { "0123456789+-.eE".utf8.contains($0) }
      guard isDecimal, let value = Double(text), value.isFinite, range.contains(value) else {
        let limits = wanted(
          shortest(range.lowerBound), shortest(range.upperBound), shortest(-.greatestFiniteMagnitude),
          shortest(.greatestFiniteMagnitude))
        throw InvalidValue("must be a number \(limits)")
      }
      return value
    }
  }
}

extension ValueType
where Value: CaseIterable & RawRepresentable & Sendable, Value.RawValue == String {
  /// One of the cases of an enumeration, by its raw value.
  ///
  /// `help` tells each case in a few words; completions and help show it.
  package static func choice(
    of type: Value.Type, _ placeholder: String, help: (Value) -> String = { _ in "" }
  ) -> Self {
    let choices = type.allCases.map { Choice($0.rawValue, help: help($0)) }
    return Self(placeholder, choices: choices, completion: .choices, describe: { $0.rawValue }) {
      (text: String) throws(InvalidValue) in
      guard let value = Value(rawValue: text) else {
        throw InvalidValue(notAChoice: text, of: choices.map(\.name))
      }
      return value
    }
  }
}

extension ValueType {
  /// Exactly `count` values of a type after one option, such as four corners.
  ///
  /// They may also come as one argument with spaces between them.
  package static func several<Element: Sendable>(
    _ count: Int, of element: ValueType<Element>
  ) -> Self where Value == [Element] {
    let describe = element.describe
    let read = element.read
    return Self(
      element.placeholder, choices: element.choices, completion: element.completion, wordCount: count,
      describe: { $0.map(describe).joined(separator: " ") }
    ) { (words: [String]) throws(InvalidValue) in
      var values: [Element] = []
      for word in words { values.append(try read([word])) }
      return values
    }
  }
}

extension InvalidValue {
  /// The fault for a word that is none of the choices, with the nearest as suggestion.
  package init(notAChoice text: String, of names: [String]) {
    self.init("must be \(listed(names))", suggestion: nearest(to: text, among: names))
  }
}

/// The number as short as it can be written: without a fraction when it has none.
private func shortest(_ value: Double) -> String {
  if value == value.rounded(), abs(value) < 1e15 { return String(Int(value)) }
  return String(value)
}

/// The limits of a range in words; limits that are as far as the type goes are left out.
private func wanted<Bound: Equatable>(_ low: Bound, _ high: Bound, _ least: Bound, _ most: Bound) -> String {
  switch (low == least, high == most) {
  case (false, false): "from \(low) to \(high)"
  case (false, true): "not below \(low)"
  case (true, false): "not above \(high)"
  case (true, true): "in decimal digits"
  }
}

/// A list in words: `a`, `a or b`, `a, b or c`.
func listed(_ words: [String]) -> String {
  guard let last = words.last, words.count > 1 else { return words.first ?? "" }
  return words.dropLast().joined(separator: ", ") + " or " + last
}
