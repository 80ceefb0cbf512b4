/// Takes typed values out of an object of a record, and tells in words which one is missing or wrong.
struct RecordFields {
  let object: JSONObject
  /// What the object is, for the message: `the record`, `page 3`.
  let subject: String

  func fault(_ reason: String) -> RecordFault { RecordFault(reason: "\(subject) \(reason)") }

  /// The value of a key; a missing one and `null` are the same.
  private func value(_ key: String) -> JSONValue? {
    guard let value = object[key], value != .null else { return nil }
    return value
  }

  func optional<Value>(
    _ key: String, _ kind: String, _ read: (JSONValue) -> Value?
  ) throws(RecordFault) -> Value? {
    guard let value = value(key) else { return nil }
    guard let result = read(value) else { throw fault("has a \(quoted(key)) that is not \(kind)") }
    return result
  }

  func required<Value>(
    _ key: String, _ kind: String, _ read: (JSONValue) -> Value?
  ) throws(RecordFault) -> Value {
    guard let result = try optional(key, kind, read) else { throw fault("has no \(quoted(key))") }
    return result
  }

  func string(_ key: String) throws(RecordFault) -> String {
    try required(key, "text", \.string)
  }

  func integer(_ key: String, in range: ClosedRange<Int>) throws(RecordFault) -> Int {
    try required(key, "a whole number from \(range.lowerBound) to \(range.upperBound)") { value in
      value.integer.flatMap { range.contains($0) ? $0 : nil }
    }
  }

  func objects(_ key: String) throws(RecordFault) -> [JSONObject] {
    try required(key, "a list of objects") { value in
      guard let values = value.array else { return nil }
      let objects = values.compactMap(\.object)
      return objects.count == values.count ? objects : nil
    }
  }
}

/// What is wrong with a record, as a sentence.
struct RecordFault: Error, Hashable {
  var reason: String
}
