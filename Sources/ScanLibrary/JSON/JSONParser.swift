/// Why some bytes are not JSON, and at which of them it shows.
package struct JSONSyntaxError: Error, Hashable {
  package var offset: Int
  package var reason: String
}

extension JSONSyntaxError: CustomStringConvertible {
  package var description: String { "\(reason) at byte \(offset)" }
}

/// Reads JSON as in RFC 8259, with keys that must not repeat and a bound on nesting.
package struct JSONParser {
  /// Deeper than any record; a file of brackets must not use up the stack.
  package static let maximumDepth = 64

  private let bytes: [UInt8]
  private var position = 0

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The one value that the bytes hold.
  package static func parse(_ bytes: [UInt8]) throws(JSONSyntaxError) -> JSONValue {
    var parser = JSONParser(bytes)
    parser.skipSpace()
    let value = try parser.value(depth: 0)
    parser.skipSpace()
    guard parser.position == bytes.count else { throw parser.error("there is more after the end") }
    return value
  }

  private func error(_ reason: String) -> JSONSyntaxError {
    JSONSyntaxError(offset: position, reason: reason)
  }

  private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipSpace() {
    while let byte = current, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      position += 1
    }
  }

  /// Steps over the byte if it is the next one.
  private mutating func take(_ character: Character) -> Bool {
    guard let byte = current, byte == character.asciiValue else { return false }
    position += 1
    return true
  }

  private mutating func value(depth: Int) throws(JSONSyntaxError) -> JSONValue {
    guard depth < Self.maximumDepth else { throw error("it is nested too deeply") }
    switch current {
    case UInt8(ascii: "{"): return .object(try object(depth: depth))
    case UInt8(ascii: "["): return .array(try array(depth: depth))
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case nil: throw error("it ends too early")
    case let byte? where byte == UInt8(ascii: "-") || isDigit(byte): return .number(try number())
    default: throw error("there is no value")
    }
  }

  private func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private mutating func word(_ text: String, _ value: JSONValue) throws(JSONSyntaxError) -> JSONValue {
    guard bytes[position...].starts(with: text.utf8) else { throw error("there is no value") }
    position += text.utf8.count
    return value
  }

  private mutating func array(depth: Int) throws(JSONSyntaxError) -> [JSONValue] {
    position += 1
    skipSpace()
    if take("]") { return [] }
    var values: [JSONValue] = []
    while true {
      skipSpace()
      values.append(try value(depth: depth + 1))
      skipSpace()
      if take("]") { return values }
      guard take(",") else { throw error("a comma or a bracket is missing") }
    }
  }

  private mutating func object(depth: Int) throws(JSONSyntaxError) -> JSONObject {
    position += 1
    skipSpace()
    if take("}") { return JSONObject() }
    var members: [JSONObject.Member] = []
    var keys: Set<String> = []
    while true {
      skipSpace()
      guard current == UInt8(ascii: "\"") else { throw error("a key is missing") }
      let key = try string()
      guard keys.insert(key).inserted else { throw error("a key is there twice") }
      skipSpace()
      guard take(":") else { throw error("a colon is missing") }
      skipSpace()
      members.append(JSONObject.Member(key: key, value: try value(depth: depth + 1)))
      skipSpace()
      if take("}") { return JSONObject(distinct: members) }
      guard take(",") else { throw error("a comma or a brace is missing") }
    }
  }

  private mutating func digits() -> Int {
    let start = position
    while let byte = current, isDigit(byte) { position += 1 }
    return position - start
  }

  private mutating func number() throws(JSONSyntaxError) -> String {
    let start = position
    _ = take("-")
    let leadingZero = current == UInt8(ascii: "0")
    let count = digits()
    guard count > 0, !leadingZero || count == 1 else { throw error("it is not a number") }
    if take("."), digits() == 0 { throw error("it is not a number") }
    if take("e") || take("E") {
      if !take("+") { _ = take("-") }
      guard digits() > 0 else { throw error("it is not a number") }
    }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private mutating func string() throws(JSONSyntaxError) -> String {
    position += 1
    var text: [UInt8] = []
    var runStart = position
    while true {
      guard let byte = current else { throw error("a string does not end") }
      guard byte >= 0x20 else { throw error("a string holds a control character") }
      if byte == UInt8(ascii: "\"") {
        text += bytes[runStart..<position]
        position += 1
        guard let result = String(validating: text, as: UTF8.self) else {
          throw error("a string is not UTF-8")
        }
        return result
      }
      if byte == UInt8(ascii: "\\") {
        text += bytes[runStart..<position]
        position += 1
        text += Array(String(Character(try escaped())).utf8)
        runStart = position
      } else {
        position += 1
      }
    }
  }

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
      guard (0xD800...0xDBFF).contains(first), take("\\"), take("u") else {
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
    guard position + 4 <= bytes.count else { throw error("a string does not end") }
    var unit: UInt16 = 0
    for byte in bytes[position..<position + 4] {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else {
        throw error("an escape is not hexadecimal")
      }
      unit = unit << 4 | UInt16(digit)
    }
    position += 4
    return unit
  }
}
