/// A space at which lines aren't broken; `wrapped` makes a plain space of it.
let noBreakSpace: Character = "\u{A0}"

/// The text in lines of at most `width` columns, broken between words; a word that is longer stands alone.
func wrapped(_ text: String, to width: Int) -> [String] {
  var lines: [String] = []
  var line = ""
  var used = 0
  for word in text.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
    let length = displayWidth(String(word))
    if !line.isEmpty, used + 1 + length > width {
      lines.append(line)
      line = ""
      used = 0
    }
    if !line.isEmpty {
      line += " "
      used += 1
    }
    line += word
    used += length
  }
  if !line.isEmpty { lines.append(line) }
  return lines.map { String($0.map { $0 == noBreakSpace ? " " : $0 }) }
}

/// The parts of a text: paragraphs to be wrapped, and blocks of lines to be kept as they are.
enum TextBlock: Equatable {
  case paragraph(String)
  /// Lines that began with two spaces, without them.
  case verbatim([String])
}

/// Cuts a text at its empty lines; a part whose lines all begin with two spaces is kept as it is.
func textBlocks(_ text: String) -> [TextBlock] {
  let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
  return lines.split(whereSeparator: { $0.allSatisfy(\.isWhitespace) }).map { part in
    if part.allSatisfy({ $0.hasPrefix("  ") }) {
      return .verbatim(part.map { String($0.dropFirst(2)) })
    }
    return .paragraph(part.joined(separator: " "))
  }
}
