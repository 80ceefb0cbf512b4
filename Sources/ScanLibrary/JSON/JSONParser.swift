private import Glibc

/// Why some bytes are not JSON, and at which of them it shows.
package struct JSONSyntaxError: Error, Hashable {
  package var offset: Int
  package var reason: String
}

extension JSONSyntaxError: CustomStringConvertible {
  package var description: String { "\(reason) at byte \(offset)" }
}

/// Reads JSON as in RFC 8259, with keys that must not repeat and a bound on nesting.
package enum JSONParser {
  /// Deeper than any record; a file of brackets must not use up the stack.
  package static let maximumDepth = 64

  /// The one value that the bytes hold.
  package static func parse(_ bytes: [UInt8]) throws(JSONSyntaxError) -> JSONValue {
    try JSONDocument(parsing: bytes).root.value
  }
}

/// Goes through JSON once, checks all of it, and marks where its values are.
///
/// Every byte is asked for through `current`, which looks whether there is one, or lies before one that was.
@safe
struct JSONScanner {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var position = 0
  private var marks: [JSONDocument.Mark] = []

  /// The marks of the one value that the bytes hold.
  static func marks(of bytes: [UInt8]) throws(JSONSyntaxError) -> [JSONDocument.Mark] {
    guard bytes.count < Int(Int32.max) else { throw JSONSyntaxError(offset: 0, reason: "it is too long") }
    return try unsafe bytes.withUnsafeBufferPointer { buffer throws(JSONSyntaxError) in
      var scanner = unsafe JSONScanner(bytes: buffer)
      // A value or key of a record has some fourteen bytes with what is around it.
      scanner.marks.reserveCapacity(bytes.count / 14)
      scanner.skipSpace()
      try scanner.value(depth: 0)
      scanner.skipSpace()
      guard scanner.position == bytes.count else { throw scanner.error("there is more after the end") }
      return scanner.marks
    }
  }

  /// The text of a string that has been gone through, without its quotes.
  static func unescaped(_ bytes: ArraySlice<UInt8>) -> String {
    unsafe bytes.withUnsafeBufferPointer { buffer in
      var scanner = unsafe JSONScanner(bytes: buffer)
      var text: [UInt8] = []
      while let byte = scanner.current {
        scanner.position += 1
        guard byte == UInt8(ascii: "\\") else {
          text.append(byte)
          continue
        }
        do throws(JSONSyntaxError) {
          text += Array(String(Character(try scanner.escaped())).utf8)
        } catch {
          // Its escapes were checked when it was gone through.
        }
      }
      return String(decoding: text, as: UTF8.self)
    }
  }

  private init(bytes: UnsafeBufferPointer<UInt8>) { unsafe self.bytes = bytes }

  private func error(_ reason: String) -> JSONSyntaxError {
    JSONSyntaxError(offset: position, reason: reason)
  }

  private var current: UInt8? { unsafe position < bytes.count ? bytes[position] : nil }

  private mutating func skipSpace() {
    while let byte = current, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      position += 1
    }
  }

  /// Steps over the byte if it is the next one.
  private mutating func take(_ byte: UInt8) -> Bool {
    guard current == byte else { return false }
    position += 1
    return true
  }

  // MARK: Values

  /// Marks a value that begins here; its end is set by `close`.
  private mutating func open(_ kind: JSONDocument.Mark.Kind) -> Int {
    marks.append(
      JSONDocument.Mark(kind: kind, start: Int32(truncatingIfNeeded: position), end: 0, next: 0))
    return marks.count - 1
  }

  private mutating func close(_ mark: Int) {
    marks[mark].end = Int32(truncatingIfNeeded: position)
    marks[mark].next = Int32(truncatingIfNeeded: marks.count)
  }

  private mutating func value(depth: Int) throws(JSONSyntaxError) {
    guard depth < JSONParser.maximumDepth else { throw error("it is nested too deeply") }
    switch current {
    case UInt8(ascii: "{"): try object(depth: depth)
    case UInt8(ascii: "["): try array(depth: depth)
    case UInt8(ascii: "\""): try string()
    case UInt8(ascii: "t"): try word("true", .yes)
    case UInt8(ascii: "f"): try word("false", .no)
    case UInt8(ascii: "n"): try word("null", .null)
    case nil: throw error("it ends too early")
    case let byte? where byte == UInt8(ascii: "-") || isDigit(byte): try number()
    default: throw error("there is no value")
    }
  }

  private mutating func word(
    _ text: StaticString, _ kind: JSONDocument.Mark.Kind
  ) throws(JSONSyntaxError) {
    let mark = open(kind)
    for place in 0..<text.utf8CodeUnitCount {
      guard take(unsafe text.utf8Start[place]) else {
        position = Int(marks[mark].start)
        throw error("there is no value")
      }
    }
    close(mark)
  }

  private mutating func array(depth: Int) throws(JSONSyntaxError) {
    let mark = open(.array)
    position += 1
    skipSpace()
    if take(UInt8(ascii: "]")) { return close(mark) }
    while true {
      skipSpace()
      try value(depth: depth + 1)
      skipSpace()
      if take(UInt8(ascii: "]")) { return close(mark) }
      guard take(UInt8(ascii: ",")) else { throw error("a comma or a bracket is missing") }
    }
  }

  private mutating func object(depth: Int) throws(JSONSyntaxError) {
    let mark = open(.object)
    position += 1
    skipSpace()
    if take(UInt8(ascii: "}")) { return close(mark) }
    var keys = KeySet(of: mark)
    while true {
      skipSpace()
      guard current == UInt8(ascii: "\"") else { throw error("a key is missing") }
      let key = marks.count
      try string()
      guard unsafe keys.insert(key, marks, bytes) else { throw error("a key is there twice") }
      skipSpace()
      guard take(UInt8(ascii: ":")) else { throw error("a colon is missing") }
      skipSpace()
      try value(depth: depth + 1)
      skipSpace()
      if take(UInt8(ascii: "}")) { return close(mark) }
      guard take(UInt8(ascii: ",")) else { throw error("a comma or a brace is missing") }
    }
  }

  // MARK: Numbers

  private func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private mutating func digits() -> Int {
    let start = position
    while let byte = current, isDigit(byte) { position += 1 }
    return position - start
  }

  private mutating func number() throws(JSONSyntaxError) {
    let mark = open(.number)
    _ = take(UInt8(ascii: "-"))
    let leadingZero = current == UInt8(ascii: "0")
    let count = digits()
    guard count > 0, !leadingZero || count == 1 else { throw error("it is not a number") }
    if take(UInt8(ascii: ".")), digits() == 0 { throw error("it is not a number") }
    if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
      guard digits() > 0 else { throw error("it is not a number") }
    }
    close(mark)
  }

  // MARK: Strings

  private mutating func string() throws(JSONSyntaxError) {
    position += 1
    let mark = open(.string)
    var every: UInt8 = 0
    while true {
      guard let byte = current else { throw error("a string does not end") }
      guard byte >= 0x20 else { throw error("a string holds a control character") }
      if byte == UInt8(ascii: "\"") { break }
      every |= byte
      position += 1
      if byte == UInt8(ascii: "\\") {
        marks[mark].kind = .escapedString
        _ = try escaped()
      }
    }
    close(mark)
    if every >= 0x80 {
      let content = unsafe bytes[Int(marks[mark].start)..<position]
      guard unsafe String(validating: content, as: UTF8.self) != nil else {
        throw error("a string is not UTF-8")
      }
    }
    position += 1
  }

  /// What an escape stands for, behind its backslash.
  private mutating func escaped() throws(JSONSyntaxError) -> Unicode.Scalar {
    guard let byte = current else { throw error("a string does not end") }
    position += 1
    switch byte {
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"):
      let first = try hexUnit()
      if let scalar = Unicode.Scalar(first) { return scalar }
      // A character beyond U+FFFF is written as two units, high half first (RFC 8259, 7).
      guard (0xD800...0xDBFF).contains(first), take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else {
        throw error("half a character is missing")
      }
      let second = try hexUnit()
      guard (0xDC00...0xDFFF).contains(second),
        let scalar = Unicode.Scalar(0x10000 + (UInt32(first) - 0xD800) << 10 + UInt32(second) - 0xDC00)
      else { throw error("half a character is missing") }
      return scalar
    default: throw error("an escape is unknown")
    }
  }

  private mutating func hexUnit() throws(JSONSyntaxError) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard let byte = current else { throw error("a string does not end") }
      guard byte < 0x80, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw error("an escape is not hexadecimal")
      }
      position += 1
      unit = unit << 4 | UInt16(digit)
    }
    return unit
  }
}

/// The keys of an object so far.
private struct KeySet {
  /// Few are compared one by one, since looking is faster than hashing; a record's objects have up to a dozen.
  private static let few = 32

  /// The mark of the object.
  private let object: Int
  private var count = 0
  /// All of them, once there are more than few or one has an escape in it.
  private var many: Set<String>?

  init(of object: Int) { self.object = object }

  /// Notes the key that is marked there; `false` if it has been there before.
  mutating func insert(
    _ place: Int, _ marks: [JSONDocument.Mark], _ bytes: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    let new = marks[place]
    count += 1
    if many == nil, count > Self.few || new.kind == .escapedString {
      var texts: Set<String> = []
      Self.each(marks, from: object, to: place) { unsafe texts.insert(Self.text($0, bytes)) }
      many = texts
    }
    if many != nil { return many?.insert(unsafe Self.text(new, bytes)).inserted ?? false }
    guard let start = bytes.baseAddress else { return true }
    var isNew = true
    Self.each(marks, from: object, to: place) { mark in
      if mark.end - mark.start == new.end - new.start,
        unsafe memcmp(start + Int(mark.start), start + Int(new.start), Int(new.end - new.start)) == 0
      {
        isNew = false
      }
    }
    return isNew
  }

  /// The keys of an object before the one at `end`.
  private static func each(
    _ marks: [JSONDocument.Mark], from object: Int, to end: Int, _ body: (JSONDocument.Mark) -> Void
  ) {
    var place = object + 1
    while place < end {
      body(marks[place])
      // Its value is the next mark.
      place = Int(marks[place + 1].next)
    }
  }

  private static func text(_ mark: JSONDocument.Mark, _ bytes: UnsafeBufferPointer<UInt8>) -> String {
    let content = unsafe bytes[Int(mark.start)..<Int(mark.end)]
    return mark.kind == .escapedString
      ? JSONScanner.unescaped(unsafe Array(content)[...]) : unsafe String(decoding: content, as: UTF8.self)
  }
}
