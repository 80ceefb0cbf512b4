/// Writes JSON for people too: two spaces a level, a member a line, and rows of plain values on one line.
package enum JSONWriter {
  /// The value as UTF-8, with a line feed at the end.
  package static func bytes(_ value: JSONValue) -> [UInt8] {
    var text = ""
    append(value, to: &text, indent: 0)
    text += "\n"
    return Array(text.utf8)
  }

  private static func append(_ value: JSONValue, to text: inout String, indent: Int) {
    switch value {
    case .null: text += "null"
    case .bool(let flag): text += flag ? "true" : "false"
    case .number(let digits): text += digits
    case .string(let string): append(string: string, to: &text)
    case .array(let values): append(array: values, to: &text, indent: indent)
    case .object(let object): append(object: object, to: &text, indent: indent)
    }
  }

  private static func newLine(_ indent: Int) -> String {
    "\n" + String(repeating: "  ", count: indent)
  }

  private static func append(array values: [JSONValue], to text: inout String, indent: Int) {
    let fitsOnLine = values.allSatisfy { value in
      switch value {
      case .object: false
      // A quad is four points: rows of rows of numbers stay on the line as well.
      case .array(let inner): inner.allSatisfy { $0.array == nil && $0.object == nil }
      default: true
      }
    }
    text += "["
    for (index, value) in values.enumerated() {
      if fitsOnLine {
        if index > 0 { text += ", " }
      } else {
        text += (index > 0 ? "," : "") + newLine(indent + 1)
      }
      append(value, to: &text, indent: indent + 1)
    }
    if !fitsOnLine { text += newLine(indent) }
    text += "]"
  }

  private static func append(object: JSONObject, to text: inout String, indent: Int) {
    text += "{"
    for (index, member) in object.members.enumerated() {
      text += (index > 0 ? "," : "") + newLine(indent + 1)
      append(string: member.key, to: &text)
      text += ": "
      append(member.value, to: &text, indent: indent + 1)
    }
    if !object.members.isEmpty { text += newLine(indent) }
    text += "}"
  }

  private static func append(string: String, to text: inout String) {
    text += "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case "\0"..<" ":
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}
