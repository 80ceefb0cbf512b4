/// Bold and colour for a terminal, or nothing at all (ECMA-48, SGR).
package struct TextStyle: Sendable {
  package let isStyled: Bool

  package init(isStyled: Bool) { self.isStyled = isStyled }

  /// A heading, or a word to be typed as it stands.
  package func bold(_ text: String) -> String { wrapped(text, "1") }
  package func error(_ text: String) -> String { wrapped(text, "1;31") }
  package func warning(_ text: String) -> String { wrapped(text, "1;33") }
  /// Less important than the rest.
  package func faint(_ text: String) -> String { wrapped(text, "2") }

  private func wrapped(_ text: String, _ code: String) -> String {
    isStyled && !text.isEmpty ? "\u{1b}[\(code)m\(text)\u{1b}[0m" : text
  }
}
