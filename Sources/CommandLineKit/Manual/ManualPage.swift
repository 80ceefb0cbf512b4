/// A part of the man page that the command line's description doesn't hold, such as files and exit codes.
package struct ManualSection: Sendable, Equatable {
  /// As man pages have it, in capitals: `EXIT STATUS`.
  package var title: String
  /// Paragraphs and kept lines, as in a command's discussion; shown before the items.
  package var text: String
  /// Terms and what they mean.
  package var items: [Item]

  package struct Item: Sendable, Equatable {
    package var term: String
    package var text: String

    package init(_ term: String, _ text: String) {
      self.term = term
      self.text = text
    }
  }

  package init(_ title: String, text: String = "", items: [Item] = []) {
    self.title = title
    self.text = text
    self.items = items
  }
}

extension ToolDescription {
  /// The program's man page: one page for all of its commands, in the man macros.
  ///
  /// - Parameters:
  ///   - date: When the program last changed, as `2026-11-30`; given, so that the same program makes the same page.
  ///   - sections: What else there is to say, put after the commands.
  package func manualPage(date: String, sections: [ManualSection] = []) -> String {
    var page = ManualWriter(
      title: root.name, section: 1, date: date, source: "\(root.name) \(version)", manual: "User Commands")
    page.heading("NAME")
    page.line("\(root.name) - \(withoutStop(root.abstract))")
    page.heading("SYNOPSIS")
    page.line(usagePieces(of: []))
    page.heading("DESCRIPTION")
    page.line(root.abstract)
    page.blocks(root.discussion)
    page.heading("OPTIONS")
    page.line("These options may stand before or after the command's name.")
    page.parameters(root.parameters)
    page.heading("COMMANDS")
    for (path, command) in CompletionModel(tool: self).commands.dropFirst() where command.subcommands.isEmpty
    {
      page.subheading(([root.name] + path).joined(separator: " "))
      page.line(usagePieces(of: path))
      page.paragraph()
      page.line(command.abstract)
      page.blocks(command.discussion)
      page.parameters(command.parameters)
      page.examples(command.examples, heading: "For example:")
    }
    for section in sections {
      page.heading(section.title)
      page.blocks(section.text)
      for item in section.items {
        page.item([.bold(item.term)])
        page.line(item.text)
      }
    }
    if !root.examples.isEmpty {
      page.heading("EXAMPLES")
      page.examples(root.examples, heading: nil)
    }
    return page.text
  }

  private func withoutStop(_ text: String) -> String { text.last == "." ? String(text.dropLast()) : text }

  private func usagePieces(of path: [String]) -> [ManualPiece] {
    let name = ([root.name] + path).joined(separator: " ")
    return [.bold(name), .italic(String(usage(of: path).dropFirst(name.count)))]
  }
}

extension ManualWriter {
  fileprivate mutating func parameters(_ parameters: [ParameterInfo]) {
    let visible = parameters.filter { !$0.isHidden }
    for heading in ordered(visible.map(\.section)) {
      if !heading.isEmpty {
        paragraph()
        line("\(heading):")
      }
      for parameter in visible where parameter.section == heading {
        item(head(of: parameter))
        let notes = parameter.notes.map { "[\($0)]" }
        line(([parameter.help] + notes).joined(separator: " "))
        if parameter.explainsChoices { choices(parameter.choices) }
      }
    }
  }

  private func head(of parameter: ParameterInfo) -> [ManualPiece] {
    if parameter.kind == .argument { return [.italic(parameter.longForm)] }
    var pieces: [ManualPiece] = parameter.short.map { [.bold("-\($0)"), .plain(", ")] } ?? []
    pieces.append(.bold("--\(parameter.name)"))
    if parameter.isNegatable { pieces += [.plain(", "), .bold("--no-\(parameter.name)")] }
    if parameter.kind == .option { pieces += [.plain(" "), .italic(parameter.fullPlaceholder)] }
    return pieces
  }

  private mutating func choices(_ choices: [Choice]) {
    beginIndent()
    for choice in choices {
      item([.bold(choice.name)])
      line(choice.help)
    }
    endIndent()
  }

  fileprivate mutating func examples(_ examples: [Example], heading: String?) {
    guard !examples.isEmpty else { return }
    if let heading {
      paragraph()
      line(heading)
    }
    for example in examples {
      item([.bold(example.commandLine)])
      line(example.meaning)
    }
  }
}
