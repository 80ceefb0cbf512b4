/// A word of a shell line.
package struct ShellWord: Sendable, Equatable {
  package var text: String
  /// Whether any of it was quoted, so that it can't be an operator.
  package var isQuoted = false
}

/// Cuts a line into words as a shell would: at spaces, with single quotes, double quotes and backslashes; a `#` begins a comment.
///
/// Variables and patterns are left as they are.
package func shellWords(_ line: String) -> [ShellWord] {
  var words: [ShellWord] = []
  var word: ShellWord?
  var quote: Character?
  var isEscaped = false
  for character in line {
    if isEscaped {
      word = ShellWord(text: (word?.text ?? "") + String(character), isQuoted: true)
      isEscaped = false
    } else if character == "\\", quote != "'" {
      isEscaped = true
    } else if let open = quote {
      if character == open { quote = nil } else { word?.text.append(character) }
    } else if character == "'" || character == "\"" {
      quote = character
      word = ShellWord(text: word?.text ?? "", isQuoted: true)
    } else if character.isWhitespace {
      if let done = word { words.append(done) }
      word = nil
    } else if character == "#", word == nil {
      break
    } else {
      word = ShellWord(text: (word?.text ?? "") + String(character), isQuoted: word?.isQuoted ?? false)
    }
  }
  if let word { words.append(word) }
  return words
}
