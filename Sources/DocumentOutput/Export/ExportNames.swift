/// File names for exported pages that work on every file system, no two alike within one export.
///
/// Names count as alike when they differ only in case, since FAT, NTFS and macOS hold such names for one.
package struct ExportNames: Sendable {
  /// The names given so far, in lower case.
  private var taken: Set<String> = []

  package init() {}

  /// Names for pages of one scan: `Title.png` for a scan of one page, else `Title-01.png` and so on.
  ///
  /// Numbers have as many digits as the last page needs, at least two. When another scan of this export has the same
  /// names already, the title gets a number: `Title (2)-01.png`.
  ///
  /// - Parameters:
  ///   - title: any text at all; see `baseName(for:limit:)` for what becomes of it.
  ///   - pages: which pages are exported, counted from 1.
  ///   - total: how many pages the scan has.
  ///   - suffix: what follows the last dot, such as `png`.
  /// - Returns: a name for each of `pages`, in their order, each at most 255 bytes.
  package mutating func names(title: String, pages: [Int], of total: Int, suffix: String = "png") -> [String]
  {
    var attempt = 1
    while true {
      let names = Self.names(title: title, pages: pages, of: total, attempt: attempt, suffix: suffix)
      let folded = Set(names.map { $0.lowercased() })
      // A page asked for twice gives one name twice, which no number behind the title can mend.
      if folded.isDisjoint(with: taken) {
        taken.formUnion(folded)
        return names
      }
      attempt += 1
    }
  }

  /// The longest name that ext4, XFS, Btrfs, NTFS and APFS all take, in bytes.
  static let longestName = 255

  private static func names(
    title: String, pages: [Int], of total: Int, attempt: Int, suffix: String
  ) -> [String] {
    let digits = max(2, String(max(total, pages.max() ?? 1)).count)
    let again = attempt > 1 ? " (\(attempt))" : ""
    return pages.map { page in
      let number = String(page)
      let padding = String(repeating: "0", count: max(0, digits - number.count))
      let ending = again + (total > 1 ? "-\(padding)\(number)" : "") + ".\(suffix)"
      return baseName(for: title, limit: longestName - ending.utf8.count) + ending
    }
  }
}

extension ExportNames {
  /// What stands for a title in which nothing can be used.
  package static let fallbackName = "Scan"

  /// A title as the first part of a file name.
  ///
  /// Slashes, backslashes, colons and bars become hyphens; other characters that Windows refuses and invisible ones that
  /// can disguise a name are left out; white space and control characters become single spaces. Dots, hyphens and spaces
  /// at the start, and dots and spaces at the end, go. A name that Windows keeps for a device gets an underscore in front.
  /// Everything else stays as it is, emoji and all scripts, with letters and accents composed (NFC).
  ///
  /// - Parameter limit: the most bytes the name may have; it's cut between two whole characters.
  package static func baseName(for title: String, limit: Int = longestName) -> String {
    var cleaned = ""
    for character in title {
      if character.isWhitespace || character.unicodeScalars.contains(where: isControl) {
        if !cleaned.hasSuffix(" ") { cleaned.append(" ") }
      } else if separators.contains(character) {
        cleaned.append("-")
      } else {
        var scalars = composed(character).unicodeScalars
        scalars.removeAll(where: isRefused)
        cleaned.unicodeScalars.append(contentsOf: scalars)
      }
    }
    let name = trimmed(cleaned[...])
    if name.isEmpty { return fallbackName }
    let safe = isDevice(name) ? "_" + name : String(name)
    let cut = trimmed(prefix(of: safe, bytes: limit))
    return cut.isEmpty ? fallbackName : String(cut)
  }

  /// Characters that separate parts of a path somewhere, or of something else on Windows.
  private static let separators: Set<Character> = ["/", "\\", ":", "|"]

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }

  /// Whether a scalar has no place in a file name: refused by Windows, or invisible and able to reorder or fake text.
  ///
  /// The joiners U+200C and U+200D stay: emoji, Persian and the scripts of India need them. So do tags (U+E0020 and on),
  /// of which flags are made.
  private static func isRefused(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x22, 0x2A, 0x3C, 0x3E, 0x3F: true  // " * < > ?
    case 0x00AD, 0x061C, 0x200B, 0x200E, 0x200F, 0x202A...0x202E, 0x2060...0x206F, 0xFEFF: true
    default: scalar.properties.isNoncharacterCodePoint
    }
  }

  /// The name without what may not stand at its start or end.
  private static func trimmed(_ name: Substring) -> Substring {
    var name = name.drop { $0 == "." || $0 == "-" || $0.isWhitespace }
    while let last = name.last, last == "." || last.isWhitespace { name.removeLast() }
    return name
  }

  /// Whether Windows takes a name for a device, whatever follows its first dot.
  private static func isDevice(_ name: Substring) -> Bool {
    let stem = name.prefix { $0 != "." }.uppercased()
    if ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"].contains(stem) { return true }
    guard stem.count == 4, stem.hasPrefix("COM") || stem.hasPrefix("LPT"), let digit = stem.last else {
      return false
    }
    return "0123456789¹²³".contains(digit)
  }

  /// The longest start of a name that fits, made of whole characters where that leaves anything.
  private static func prefix(of name: String, bytes limit: Int) -> Substring {
    guard name.utf8.count > limit else { return name[...] }
    var end = name.startIndex
    for index in name.indices {
      let next = name.index(after: index)
      guard name.utf8.distance(from: name.startIndex, to: next) <= limit else { break }
      end = next
    }
    if end > name.startIndex { return name[..<end] }
    // One character of more bytes than the limit: a letter under a heap of accents.
    for index in name.unicodeScalars.indices {
      let next = name.unicodeScalars.index(after: index)
      guard name.utf8.distance(from: name.startIndex, to: next) <= limit else { break }
      end = next
    }
    return name[..<end]
  }

  /// The character with its letter and as many of its accents as there is a code point for as that code point.
  private static func composed(_ character: Character) -> String {
    let scalars = character.unicodeScalars
    for count in stride(from: min(scalars.count, longestDecomposition), to: 1, by: -1) {
      let start = String(String.UnicodeScalarView(scalars.prefix(count)))
      guard let index = composedCharacters.firstIndex(of: start) else { continue }
      var text = composedCharacters[index]
      text.unicodeScalars.append(contentsOf: scalars.dropFirst(count))
      return text
    }
    return String(character)
  }

  /// Code points in the decomposition of one of `composedCharacters`, at most: Greek letters with three marks.
  private static let longestDecomposition = 4

  /// The characters of Latin, Greek, Cyrillic, Kana and Hangul that have a decomposed form as well.
  ///
  /// A set finds them by that form too, since strings are equal when they are canonically equivalent. This spares
  /// linking all of Foundation for its normalisation, which would double the program's start-up time.
  private static let composedCharacters: Set<String> = {
    let blocks: [ClosedRange<UInt32>] = [
      0x00C0...0x024F, 0x0386...0x04FF, 0x1E00...0x1FFF, 0x3040...0x30FF, 0xAC00...0xD7A3,
    ]
    var found: Set<String> = []
    for value in blocks.joined() {
      // Inserting keeps the first of two equal ones, and the later one is never the composed form.
      if let scalar = Unicode.Scalar(value) { found.insert(String(scalar)) }
    }
    return found
  }()
}
