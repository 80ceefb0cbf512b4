import ScanLibrary

/// A part of a folder, chosen by the hash of file names: the same files everywhere, and as good as drawn by lot.
///
/// So one part may guide choices while the other is kept for the report.
package struct HashPart: Sendable, Hashable, CustomStringConvertible {
  /// First digits of the SHA-256 of the names that belong to the part.
  let digits: Set<Character>
  package let description: String

  private static let all = Array("0123456789abcdef")

  /// Reads digits and ranges of digits: `0-7`, `8-f`, `05a-c`.
  ///
  /// - Returns: `nil` when it is anything else.
  package init?(_ text: String) {
    var digits: Set<Character> = []
    var rest = Substring(text)
    while let first = rest.popFirst() {
      guard let from = Self.all.firstIndex(of: first) else { return nil }
      var to = from
      if rest.first == "-" {
        guard let last = rest.dropFirst().first, let end = Self.all.firstIndex(of: last), end >= from
        else { return nil }
        to = end
        rest = rest.dropFirst(2)
      }
      digits.formUnion(Self.all[from...to])
    }
    guard !digits.isEmpty else { return nil }
    self.digits = digits
    description = text
  }

  /// Whether a file with this name, without a folder, belongs to the part.
  package func contains(_ file: String) -> Bool {
    ContentHash(of: Array(file.utf8)).hex.first.map(digits.contains) ?? false
  }
}
