/// Builds a page in the man macros (man(7)); all escaping is here.
struct ManualWriter {
  private(set) var lines: [String] = []

  init(title: String, section: Int, date: String, source: String, manual: String) {
    lines.append(
      ".TH \(quoted(title.uppercased())) \(section) \(quoted(date)) \(quoted(source)) \(quoted(manual))")
  }

  var text: String { lines.joined(separator: "\n") + "\n" }

  mutating func heading(_ title: String) { lines.append(".SH \(quoted(title))") }
  mutating func subheading(_ title: String) { lines.append(".SS \(quoted(title))") }
  mutating func paragraph() { lines.append(".PP") }
  mutating func beginIndent() { lines.append(".RS") }
  mutating func endIndent() { lines.append(".RE") }

  /// A line of text made of pieces in their fonts.
  mutating func line(_ pieces: [ManualPiece]) {
    lines.append(guarded(pieces.map(\.source).joined()))
  }

  mutating func line(_ text: String) { line([.plain(text)]) }

  /// The head of an item; its text follows.
  mutating func item(_ pieces: [ManualPiece]) {
    lines.append(".TP")
    line(pieces)
  }

  /// Lines kept as they are.
  mutating func verbatim(_ text: [String]) {
    lines += [".PP", ".RS 4", ".EX"] + text.map { guarded(ManualPiece.plain($0).source) } + [".EE", ".RE"]
  }

  /// Paragraphs and blocks of a longer text.
  mutating func blocks(_ text: String) {
    for block in textBlocks(text) {
      switch block {
      case .paragraph(let paragraph):
        self.paragraph()
        line(paragraph)
      case .verbatim(let lines): verbatim(lines)
      }
    }
  }

  /// Keeps a line from being read as a macro.
  private func guarded(_ line: String) -> String {
    line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" + line : line
  }

  private func quoted(_ text: String) -> String { "\"" + ManualPiece.escaped(text) + "\"" }
}

/// A piece of a line in one font.
enum ManualPiece {
  case plain(String)
  /// To be typed as it stands.
  case bold(String)
  /// To be replaced.
  case italic(String)

  var source: String {
    switch self {
    case .plain(let text): Self.escaped(text)
    case .bold(let text): "\\fB\(Self.escaped(text))\\fR"
    case .italic(let text): "\\fI\(Self.escaped(text))\\fR"
    }
  }

  /// The text with every character that the formatter would read or change, in ASCII.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": result += "\\(rs"
      case "-": result += "\\-"
      case "'": result += "\\(aq"
      case "\"": result += "\\(dq"
      case "`": result += "\\(ga"
      case "^": result += "\\(ha"
      case "~": result += "\\(ti"
      case "\n": result += " "
      case _ where scalar.isASCII: result.unicodeScalars.append(scalar)
      default:
        let hex = String(scalar.value, radix: 16, uppercase: true)
        result += "\\[u\(String(repeating: "0", count: max(0, 4 - hex.count)))\(hex)]"
      }
    }
    return result
  }
}
