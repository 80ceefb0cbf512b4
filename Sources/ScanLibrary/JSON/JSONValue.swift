/// A JSON value that gives back what it read: numbers keep their digits, objects the order of their keys.
///
/// Foundation's coders turn numbers into `Double` and forget keys they don't know; a record must keep both.
package enum JSONValue: Sendable, Hashable {
  case null
  case bool(Bool)
  /// The number as it was or will be written.
  case number(String)
  case string(String)
  case array([JSONValue])
  case object(JSONObject)

  static func integer(_ value: Int) -> JSONValue { .number(String(value)) }

  /// A finite number: with the fewest digits that give back the same `Double`.
  static func double(_ value: Double) throws(LibraryError) -> JSONValue {
    guard value.isFinite else { throw .unfit("a number to store is infinite or not a number") }
    return .number(value == value.rounded() && abs(value) < 1e15 ? String(Int(value)) : "\(value)")
  }

  /// The value as a whole number that was written as one.
  var integer: Int? {
    if case .number(let text) = self { Int(text) } else { nil }
  }

  /// The value as a finite number.
  var double: Double? {
    guard case .number(let text) = self, let value = Double(text), value.isFinite else { return nil }
    return value
  }

  var string: String? {
    if case .string(let text) = self { text } else { nil }
  }

  var array: [JSONValue]? {
    if case .array(let values) = self { values } else { nil }
  }

  var object: JSONObject? {
    if case .object(let object) = self { object } else { nil }
  }
}

/// Keys and values in the order in which they were read or set.
///
/// Objects of a record have a dozen keys, so they are searched one by one.
package struct JSONObject: Sendable, Hashable {
  package struct Member: Sendable, Hashable {
    package var key: String
    package var value: JSONValue
  }

  package private(set) var members: [Member] = []

  init() {}

  /// Members whose keys are known to differ.
  init(distinct members: [Member]) { self.members = members }

  /// The value of a key; setting `nil` removes it, setting anew keeps its place.
  subscript(key: String) -> JSONValue? {
    get { members.first { $0.key == key }?.value }
    set {
      if let index = members.firstIndex(where: { $0.key == key }) {
        if let newValue { members[index].value = newValue } else { members.remove(at: index) }
      } else if let newValue {
        members.append(Member(key: key, value: newValue))
      }
    }
  }
}
