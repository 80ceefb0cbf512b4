/// How many columns of a terminal a text takes.
///
/// Letters of East Asia and emoji take two, combining marks none (after Unicode's East Asian Width, wide and fullwidth).
package func displayWidth(_ text: String) -> Int {
  if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
  return text.reduce(0) { $0 + width(of: $1) }
}

private func width(of character: Character) -> Int {
  guard let first = character.unicodeScalars.first else { return 0 }
  if first.isASCII { return 1 }
  if first.properties.isEmojiPresentation || character.unicodeScalars.contains("\u{FE0F}") { return 2 }
  switch first.properties.generalCategory {
  case .nonspacingMark, .enclosingMark, .format, .control: return 0
  default: return wideRanges.contains { $0.contains(first.value) } ? 2 : 1
  }
}

/// The blocks whose characters are wide or fullwidth.
private let wideRanges: [ClosedRange<UInt32>] = [
  0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
  0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
  0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x20000...0x3FFFD,
]

/// The text with spaces after it up to a width; a longer text stays whole.
package func padded(_ text: String, to width: Int) -> String {
  text + String(repeating: " ", count: max(0, width - displayWidth(text)))
}

/// The text cut to a width, with an ellipsis where something was taken away.
package func truncated(_ text: String, to width: Int) -> String {
  guard displayWidth(text) > width else { return text }
  var result = ""
  var used = 0
  for character in text {
    let next = displayWidth(String(character))
    guard used + next <= width - 1 else { break }
    result.append(character)
    used += next
  }
  return width > 0 ? result + "…" : ""
}
