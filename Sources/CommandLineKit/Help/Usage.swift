extension ToolDescription {
  /// How the command at a path is used, in one line without the word "usage": `flatbed scan [OPTIONS] PHOTO...`.
  package func usage(of path: [String]) -> String {
    let words = [root.name] + path
    guard let command = command(at: path) else { return words.joined(separator: " ") }
    if !command.subcommands.isEmpty {
      return (words + ["[OPTIONS]", "COMMAND", "..."]).joined(separator: " ")
    }
    let required = command.parameters.filter { $0.kind == .option && $0.isRequired }
    return
      (words + ["[OPTIONS]"] + required.map { "--\($0.name) \($0.fullPlaceholder)" }
      + command.arguments.map(\.usage)).joined(separator: " ")
  }

  /// The whole text for a fault of use: what is wrong, what was meant, how the command is used, and where to read more.
  package func text(of error: UsageError, styled: Bool = false) -> String {
    let style = TextStyle(isStyled: styled)
    var lines = ["\(root.name): \(style.error("error:")) \(error.message)"]
    if let suggestion = error.suggestion { lines.append("\(root.name): hint: \(suggestion)") }
    lines.append("\(style.bold("Usage:")) \(usage(of: error.commandPath))")
    lines.append("See '\(([root.name] + error.commandPath).joined(separator: " ")) --help'.")
    return lines.joined(separator: "\n")
  }
}

extension ParameterInfo {
  /// An argument as the usage line shows it: `PHOTO`, `[FILE]`, `PHOTO...`, `[SCAN...]`.
  package var usage: String {
    let word = isRepeating ? "\(name)..." : name
    return isRequired ? word : "[\(word)]"
  }

  /// What is told of a parameter after its help: choices without help of their own, the default and the like.
  var notes: [String] {
    var notes: [String] = []
    if !choices.isEmpty, !explainsChoices {
      notes.append("one of: \(choices.map(\.name).joined(separator: ", "))")
    }
    if isRequired, kind == .option { notes.append("required") }
    if isRepeating, kind == .option { notes.append("may be repeated") }
    if let defaultText, !defaultText.isEmpty { notes.append("default: \(defaultText)") }
    return notes
  }

  /// Whether the choices have help of their own, and so are listed one a line.
  var explainsChoices: Bool { choices.contains { !$0.help.isEmpty } }

  /// An option as lists show it, without its short form: `--mode MODE`, `--[no-]colour`.
  package var longForm: String {
    if kind == .argument { return isRepeating ? "\(name)..." : name }
    let name = isNegatable ? "--[no-]\(name)" : "--\(name)"
    return kind == .flag ? name : "\(name) \(fullPlaceholder)"
  }
}
