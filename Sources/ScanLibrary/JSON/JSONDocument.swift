private import Glibc

/// JSON that has been read: its bytes, and where in them each value lies.
///
/// Values are made only of what is asked for: a library's listing needs little of each of its records.
final class JSONDocument: Sendable {
  /// Where a value lies, and what it is.
  struct Mark: Sendable {
    enum Kind: UInt8, Sendable {
      case null, yes, no, number, array, object
      case string
      /// A string with a backslash in it.
      case escapedString
    }

    var kind: Kind
    /// The first byte, and the one behind the last; those of a string are between its quotes.
    var start: Int32
    var end: Int32
    /// The place of the next mark that isn't of a value within this one.
    var next: Int32
  }

  let bytes: [UInt8]
  /// A mark for each value and each key, in the order in which they begin.
  let marks: [Mark]

  /// Reads the one value that the bytes hold.
  init(parsing bytes: [UInt8]) throws(JSONSyntaxError) {
    self.bytes = bytes
    marks = try JSONScanner.marks(of: bytes)
  }

  var root: JSONView { JSONView(document: self, index: 0) }

  fileprivate func withBytes<Result>(of mark: Mark, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result
  {
    unsafe bytes.withUnsafeBufferPointer { buffer in
      unsafe body(UnsafeBufferPointer(rebasing: buffer[Int(mark.start)..<Int(mark.end)]))
    }
  }

  fileprivate func text(of mark: Mark) -> String {
    if mark.kind == .escapedString { return JSONScanner.unescaped(bytes[Int(mark.start)..<Int(mark.end)]) }
    return unsafe withBytes(of: mark) { unsafe String(decoding: $0, as: UTF8.self) }
  }
}

/// A value in a document.
struct JSONView: Sendable {
  let document: JSONDocument
  fileprivate let index: Int

  fileprivate var mark: JSONDocument.Mark { document.marks[index] }

  fileprivate init(document: JSONDocument, index: Int) {
    self.document = document
    self.index = index
  }

  /// Whether both are the same value of the same document.
  func isIdentical(to other: JSONView) -> Bool { document === other.document && index == other.index }

  var isNull: Bool { mark.kind == .null }
  var isObject: Bool { mark.kind == .object }
  var isString: Bool { mark.kind == .string || mark.kind == .escapedString }

  /// The value as a whole number that was written as one.
  var integer: Int? {
    guard mark.kind == .number else { return nil }
    return unsafe document.withBytes(of: mark) { unsafe wholeNumber($0) }
  }

  /// The value as a finite number.
  var double: Double? {
    guard mark.kind == .number else { return nil }
    if let short = unsafe document.withBytes(of: mark, { unsafe shortNumber($0) }) { return short }
    guard let value = Double(document.text(of: mark)), value.isFinite else { return nil }
    return value
  }

  var string: String? { isString ? document.text(of: mark) : nil }

  /// Makes something of the bytes of a string without escapes; `nil` if it isn't one, or nothing can be made of it.
  func plainBytes<Value>(_ body: (UnsafeBufferPointer<UInt8>) -> Value?) -> Value? {
    guard mark.kind == .string else { return nil }
    return unsafe document.withBytes(of: mark, body)
  }

  /// Whether it is a string of exactly these bytes.
  func equals(_ text: StaticString) -> Bool {
    switch mark.kind {
    case .string:
      unsafe document.withBytes(of: mark) { bytes in
        guard bytes.count == text.utf8CodeUnitCount else { return false }
        guard let start = bytes.baseAddress else { return true }
        return unsafe memcmp(start, text.utf8Start, bytes.count) == 0
      }
    case .escapedString: document.text(of: mark) == text.description
    default: false
    }
  }

  /// The values of a list.
  var elements: JSONElements? { mark.kind == .array ? JSONElements(in: self) : nil }

  /// The value of a key of an object.
  subscript(key: StaticString) -> JSONView? {
    guard isObject else { return nil }
    let end = Int(mark.next)
    var place = index + 1
    while place < end {
      let value = place + 1
      if JSONView(document: document, index: place).equals(key) {
        return JSONView(document: document, index: value)
      }
      place = Int(document.marks[value].next)
    }
    return nil
  }

  /// The value with all that is in it.
  var value: JSONValue {
    switch mark.kind {
    case .null: .null
    case .yes: .bool(true)
    case .no: .bool(false)
    case .number: .number(document.text(of: mark))
    case .string, .escapedString: .string(document.text(of: mark))
    case .array: .array(JSONElements(in: self).map(\.value))
    case .object: .object(object)
    }
  }

  /// The members of an object; none of anything else.
  var object: JSONObject {
    guard isObject else { return JSONObject() }
    var members: [JSONObject.Member] = []
    var values = JSONElements(in: self).makeIterator()
    while let key = values.next(), let value = values.next() {
      members.append(JSONObject.Member(key: document.text(of: key.mark), value: value.value))
    }
    return JSONObject(distinct: members)
  }
}

/// The values of a list, one by one; of an object its keys and values in turn.
struct JSONElements: Sequence, IteratorProtocol {
  private let document: JSONDocument
  private var place: Int
  private let end: Int

  fileprivate init(in view: JSONView) {
    document = view.document
    place = view.index + 1
    end = Int(view.mark.next)
  }

  mutating func next() -> JSONView? {
    guard place < end else { return nil }
    defer { place = Int(document.marks[place].next) }
    return JSONView(document: document, index: place)
  }
}

/// A whole number in digits, or `nil` when it was written otherwise or is too large.
private func wholeNumber(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
  var value = 0
  var isNegative = false
  for place in 0..<bytes.count {
    let byte = unsafe bytes[place]
    if place == 0, byte == UInt8(ascii: "-") {
      isNegative = true
      continue
    }
    guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
    let digit = Int(byte - UInt8(ascii: "0"))
    let (product, overflows) = value.multipliedReportingOverflow(by: 10)
    // Collected below zero, where there is room for one more.
    let (difference, overflowsToo) = product.subtractingReportingOverflow(digit)
    if overflows || overflowsToo { return nil }
    value = difference
  }
  if isNegative { return value }
  return value == .min ? nil : -value
}

/// Powers of ten that a `Double` holds exactly.
private let exactPowers: [Double] = [
  1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
]

/// A number without exponent and of up to 15 digits, or `nil`.
///
/// Its digits are a whole number that a `Double` holds exactly, and so is the power of ten, so that one division gives the nearest
/// `Double` (Clinger, "How to read floating point numbers accurately", 1990).
private func shortNumber(_ bytes: UnsafeBufferPointer<UInt8>) -> Double? {
  guard bytes.count <= exactPowers.count else { return nil }
  var digits = 0
  var point: Int?
  var isNegative = false
  for place in 0..<bytes.count {
    let byte = unsafe bytes[place]
    switch byte {
    case UInt8(ascii: "-") where place == 0: isNegative = true
    case UInt8(ascii: "."): point = place
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digits = digits * 10 + Int(byte - UInt8(ascii: "0"))
    default: return nil
    }
  }
  var value = Double(digits)
  if let point { value /= exactPowers[bytes.count - 1 - point] }
  return isNegative ? -value : value
}
