extension ToolDescription {
  /// The help of the command at a path, without a newline at the end; an unknown path gives the overview.
  ///
  /// - Parameters:
  ///   - columns: The terminal's width. Text is wrapped to it, but never wider than is good to read.
  ///   - styled: Whether headings and names are bold.
  package func helpText(for path: [String], columns: Int = 80, styled: Bool = false) -> String {
    let command = command(at: path)
    var page = HelpPage(
      width: min(max(columns, HelpPage.narrowest), HelpPage.widest), style: TextStyle(isStyled: styled))
    let shown = command ?? root
    let shownPath = command == nil ? [] : path
    page.addText(shown.abstract)
    page.addUsage(usage(of: shownPath))
    page.addDiscussion(shown.discussion)
    page.addCommands(shown.visibleSubcommands)
    page.addParameters([(shown.arguments, "Arguments")])
    let global = globalOptions(at: shownPath)
    if shownPath.isEmpty {
      page.addParameters([(global, "Options")])
    } else {
      page.addParameters([
        (shown.parameters.filter { $0.kind != .argument }, "Options"), (global, "Options of every command"),
      ])
    }
    page.addExamples(shown.examples)
    if !shown.subcommands.isEmpty {
      let prefix = ([root.name, "help"] + shownPath).joined(separator: " ")
      page.addText("Run '\(prefix) COMMAND' for all that a command can do.")
    }
    return page.text
  }
}

/// A help page in the making: paragraphs, and lists in two columns.
private struct HelpPage {
  static let narrowest = 40
  /// Longer lines are hard to read.
  static let widest = 100
  /// Names longer than this stand on a line of their own.
  private static let longestName = 26

  let width: Int
  let style: TextStyle
  private var parts: [String] = []

  init(width: Int, style: TextStyle) {
    self.width = width
    self.style = style
  }

  var text: String { parts.joined(separator: "\n\n") }

  mutating func addText(_ text: String) {
    if !text.isEmpty { parts.append(wrapped(text, to: width).joined(separator: "\n")) }
  }

  mutating func addUsage(_ usage: String) {
    let lines = wrapped(usage, to: width - 9)
    parts.append(style.bold("Usage:") + " " + lines.joined(separator: "\n         "))
  }

  mutating func addDiscussion(_ text: String) {
    for block in textBlocks(text) {
      switch block {
      case .paragraph(let paragraph): addText(paragraph)
      case .verbatim(let lines): parts.append(lines.map { "    \($0)" }.joined(separator: "\n"))
      }
    }
  }

  mutating func addCommands(_ commands: [CommandInfo]) {
    for heading in ordered(commands.map(\.section)) {
      addList(
        heading.isEmpty ? "Commands" : heading,
        commands.filter { $0.section == heading }.map { Row(name: $0.name, text: $0.abstract) },
        nameWidth: commands.map { displayWidth($0.name) }.max() ?? 0)
    }
  }

  /// Lists that share their columns, each with the heading for those of its parameters that have none of their own.
  mutating func addParameters(_ lists: [(parameters: [ParameterInfo], heading: String)]) {
    var rows: [(heading: String, row: Row)] = []
    for list in lists {
      for parameter in list.parameters where !parameter.isHidden {
        rows.append((parameter.section.isEmpty ? list.heading : parameter.section, row(of: parameter)))
      }
    }
    let longest = min(Self.longestName, width * 2 / 5)
    let nameWidth = rows.map { displayWidth($0.row.name) }.filter { $0 <= longest }.max() ?? 0
    for heading in ordered(rows.map(\.heading)) {
      addList(heading, rows.filter { $0.heading == heading }.map(\.row), nameWidth: nameWidth)
    }
  }

  mutating func addExamples(_ examples: [Example]) {
    guard !examples.isEmpty else { return }
    let lines = examples.flatMap {
      ["  \($0.commandLine)"] + wrapped($0.meaning, to: width - 6).map { "      " + $0 }
    }
    parts.append(style.bold("Examples:") + "\n" + lines.joined(separator: "\n"))
  }

  private struct Row {
    var name: String
    var text: String
    /// Lines below the text, in two columns of their own.
    var choices: [Choice] = []
  }

  private func row(of parameter: ParameterInfo) -> Row {
    var name = parameter.longForm
    if parameter.kind != .argument {
      name = (parameter.short.map { "-\($0), " } ?? "    ") + name
    }
    let notes = parameter.notes.map { note in
      let text = "[\(note)]"
      // A short note isn't broken over two lines.
      return text.count <= width / 3 ? text.replacing(" ", with: String(noBreakSpace)) : text
    }
    return Row(
      name: name, text: ([parameter.help] + notes).joined(separator: " "),
      choices: parameter.explainsChoices ? parameter.choices : [])
  }

  private mutating func addList(_ heading: String, _ rows: [Row], nameWidth: Int) {
    guard !rows.isEmpty else { return }
    let indent = 2 + nameWidth + 2
    let margin = String(repeating: " ", count: indent)
    var lines: [String] = []
    for row in rows {
      var right = wrapped(row.text, to: max(width - indent, 20))
      let choiceWidth = row.choices.map { displayWidth($0.name) }.max() ?? 0
      for choice in row.choices {
        let help = wrapped(choice.help, to: max(width - indent - choiceWidth - 4, 10))
        right.append("  " + padded(choice.name, to: choiceWidth) + "  " + (help.first ?? ""))
        right += help.dropFirst().map { String(repeating: " ", count: choiceWidth + 4) + $0 }
      }
      let space = String(repeating: " ", count: max(0, nameWidth - displayWidth(row.name)))
      if displayWidth(row.name) <= nameWidth, let first = right.first {
        lines.append("  " + style.bold(row.name) + space + "  " + first)
        right.removeFirst()
      } else {
        lines.append("  " + style.bold(row.name))
      }
      lines += right.map { margin + $0 }
    }
    parts.append(style.bold(heading + ":") + "\n" + lines.joined(separator: "\n"))
  }
}

/// The different words of a list in the order of their first appearance.
func ordered(_ words: [String]) -> [String] {
  var seen: Set<String> = []
  return words.filter { seen.insert($0).inserted }
}
