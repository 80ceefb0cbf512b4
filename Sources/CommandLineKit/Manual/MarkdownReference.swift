extension ToolDescription {
  /// The reference of all commands as a page of Markdown.
  package func markdownReference() -> String {
    var parts = ["# \(root.name) \(version)", markdown(root.abstract), code([usage(of: [])])]
    parts += markdownBlocks(root.discussion)
    parts += markdownParameters(root.parameters, heading: "Options of every command", level: 2)
    for (path, command) in CompletionModel(tool: self).commands.dropFirst() where command.subcommands.isEmpty
    {
      parts.append("## \(([root.name] + path).joined(separator: " "))")
      parts.append(markdown(command.abstract))
      parts.append(code([usage(of: path)]))
      parts += markdownBlocks(command.discussion)
      parts += markdownParameters(command.arguments, heading: "Arguments", level: 3)
      parts += markdownParameters(
        command.parameters.filter { $0.kind != .argument }, heading: "Options", level: 3)
      parts += markdownExamples(command.examples, level: 3)
    }
    parts += markdownExamples(root.examples, level: 2)
    return parts.joined(separator: "\n\n") + "\n"
  }

  private func markdownParameters(_ parameters: [ParameterInfo], heading usual: String, level: Int)
    -> [String]
  {
    let visible = parameters.filter { !$0.isHidden }
    return ordered(visible.map(\.section)).flatMap { heading -> [String] in
      let rows = visible.filter { $0.section == heading }.map { parameter -> String in
        let short = parameter.short.map { "-\($0), " } ?? ""
        let notes = parameter.notes.map { "[\($0)]" }
        var text =
          "- `\(short)\(parameter.longForm)`: " + markdown(([parameter.help] + notes).joined(separator: " "))
        if parameter.explainsChoices {
          text += parameter.choices.map { "\n  - `\($0.name)`: \(markdown($0.help))" }.joined()
        }
        return text
      }
      let title = heading.isEmpty ? usual : heading
      return ["\(String(repeating: "#", count: level)) \(title)", rows.joined(separator: "\n")]
    }
  }

  private func markdownExamples(_ examples: [Example], level: Int) -> [String] {
    guard !examples.isEmpty else { return [] }
    let rows = examples.map { "- `\($0.commandLine)`: \(markdown($0.meaning))" }
    return ["\(String(repeating: "#", count: level)) Examples", rows.joined(separator: "\n")]
  }

  private func markdownBlocks(_ text: String) -> [String] {
    textBlocks(text).map { block in
      switch block {
      case .paragraph(let paragraph): markdown(paragraph)
      case .verbatim(let lines): code(lines)
      }
    }
  }

  private func code(_ lines: [String]) -> String { lines.map { "    \($0)" }.joined(separator: "\n") }

  /// The text with the characters escaped that would be read as marks.
  private func markdown(_ text: String) -> String {
    String(text.flatMap { "\\`*_<[]".contains($0) ? ["\\", $0] : [$0] })
  }
}
