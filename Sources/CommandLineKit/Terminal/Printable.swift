/// Text that is safe and plain on a terminal: what could move the cursor, hide or reorder text is written as an escape.
///
/// A newline becomes `\n`, an escape character `\u{1b}`, the controls that turn the direction of writing `\u{202e}` and so on.
/// Joiners inside emoji and scripts that need them stay. The result is for eyes, not for reading back: a backslash
/// that was there already stays single.
package func printable(_ text: String) -> String {
  guard text.unicodeScalars.contains(where: needsEscape) else { return text }
  var result = ""
  for scalar in text.unicodeScalars {
    guard needsEscape(scalar) else {
      result.unicodeScalars.append(scalar)
      continue
    }
    switch scalar {
    case "\n": result += "\\n"
    case "\r": result += "\\r"
    case "\t": result += "\\t"
    default: result += "\\u{\(String(scalar.value, radix: 16))}"
    }
  }
  return result
}

private func needsEscape(_ scalar: Unicode.Scalar) -> Bool {
  if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7F }
  switch scalar.properties.generalCategory {
  case .control, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse, .surrogate: return true
  case .format: return !isJoiner(scalar)
  default: return false
  }
}

/// Zero-width joiner and non-joiner, and the tag letters of flag emoji.
private func isJoiner(_ scalar: Unicode.Scalar) -> Bool {
  scalar.value == 0x200C || scalar.value == 0x200D || (0xE0020...0xE007F).contains(scalar.value)
}
