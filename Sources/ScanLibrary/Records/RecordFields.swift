/// Takes typed values out of an object of a record, and tells in words which one is missing or wrong.
struct RecordFields {
  let object: JSONView
  let subject: Subject

  /// What an object is, for the message.
  enum Subject: CustomStringConvertible {
    case file(StaticString)
    case photo(Int)
    case page(Int)

    var description: String {
      switch self {
      case .file(let name): "\(name)"
      case .photo(let number): "photo \(number) of record.json"
      case .page(let number): "page \(number) of record.json"
      }
    }
  }

  func fault(_ reason: String) -> RecordFault { RecordFault(reason: "\(subject) \(reason)") }

  /// The value of a key; a missing one and `null` are the same.
  private func value(_ key: StaticString) -> JSONView? {
    guard let value = object[key], !value.isNull else { return nil }
    return value
  }

  func optional<Value>(
    _ key: StaticString, _ kind: @autoclosure () -> String, _ read: (JSONView) -> Value?
  ) throws(RecordFault) -> Value? {
    guard let value = value(key) else { return nil }
    guard let result = read(value) else { throw fault("has a \(quoted("\(key)")) that is not \(kind())") }
    return result
  }

  func required<Value>(
    _ key: StaticString, _ kind: @autoclosure () -> String, _ read: (JSONView) -> Value?
  ) throws(RecordFault) -> Value {
    guard let result = try optional(key, kind(), read) else { throw fault("has no \(quoted("\(key)"))") }
    return result
  }

  func string(_ key: StaticString) throws(RecordFault) -> String {
    try required(key, "text", \.string)
  }

  func integer(_ key: StaticString, in range: ClosedRange<Int>) throws(RecordFault) -> Int {
    try required(key, "a whole number from \(range.lowerBound) to \(range.upperBound)") { value in
      value.integer.flatMap { range.contains($0) ? $0 : nil }
    }
  }

  func objects(_ key: StaticString) throws(RecordFault) -> [JSONView] {
    try required(key, "a list of objects") { value in
      guard let values = value.elements else { return nil }
      var objects: [JSONView] = []
      for value in values {
        guard value.isObject else { return nil }
        objects.append(value)
      }
      return objects
    }
  }
}

/// What is wrong with a record, as a sentence.
struct RecordFault: Error, Hashable {
  var reason: String
}

/// The fields that an object was read with, kept so that the ones this version doesn't know survive a rewrite.
struct KeptFields: Sendable {
  /// As they were read.
  private var view: JSONView?
  /// As they are after a change.
  private var changed: JSONObject?

  /// Those of something new: none.
  init() {}

  init(_ view: JSONView) { self.view = view }

  var object: JSONObject { changed ?? view?.object ?? JSONObject() }

  /// Whether a field is there and `true`.
  func isTrue(_ key: StaticString) -> Bool {
    if let changed { return changed["\(key)"] == .bool(true) }
    return view?[key]?.value == .bool(true)
  }

  mutating func set(_ key: String, _ value: JSONValue) {
    var object = object
    object[key] = value
    changed = object
  }
}

extension KeptFields: Hashable {
  static func == (left: KeptFields, right: KeptFields) -> Bool {
    if left.changed == nil, right.changed == nil, let one = left.view, let other = right.view,
      one.isIdentical(to: other)
    {
      return true
    }
    return left.object == right.object
  }

  func hash(into hasher: inout Hasher) { hasher.combine(object) }
}
