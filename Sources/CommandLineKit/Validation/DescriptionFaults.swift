extension Program {
  /// What is wrong with the program's own descriptions, a sentence a fault; a test expects none.
  ///
  /// Names are unique and well formed, every help ends in a full stop, defaults are among the choices, arguments stand in an order
  /// that can be read, and every example is a command line of this program that parses.
  package func descriptionFaults() -> [String] {
    let tool = tool
    return tool.allCommands.flatMap { path, command in
      let name = ([tool.root.name] + path).joined(separator: " ")
      let found =
        commandFaults(command, isRoot: path.isEmpty)
        + parameterFaults(command, globals: path.isEmpty ? [] : tool.root.parameters)
        + argumentFaults(command) + exampleFaults(command)
      return found.map { "\(name): \($0)" }
    }
  }

  private func commandFaults(_ command: CommandInfo, isRoot: Bool) -> [String] {
    var faults: [String] = []
    if !isName(command.name) { faults.append("the name is not lower-case letters, digits and dashes") }
    if !isSentence(command.abstract) || command.abstract.contains("\n") {
      faults.append("the abstract is not one line that ends in a full stop")
    }
    let names = command.subcommands.map(\.name) + (isRoot ? ["help"] : [])
    faults += repeated(names).map { "there are two commands '\($0)'" }
    let synonyms = command.subcommands.flatMap(\.synonyms)
    faults += repeated(names + Array(Set(synonyms))).map { "'\($0)' is a name and a synonym" }
    faults += repeated(synonyms).map { "'\($0)' is a synonym of two commands" }
    if !command.subcommands.isEmpty, !isRoot, !command.parameters.isEmpty {
      faults.append("a group of commands can't have parameters")
    }
    return faults
  }

  private func parameterFaults(_ command: CommandInfo, globals: [ParameterInfo]) -> [String] {
    var faults: [String] = []
    let options = command.parameters.filter { $0.kind != .argument }
    let all = options + globals
    faults += repeated(all.flatMap(\.spellings)).map {
      "there are two options '\($0)'"
    }
    faults += repeated(command.arguments.map(\.name)).map { "there are two arguments '\($0)'" }
    for parameter in command.parameters {
      let name = parameter.displayName
      if parameter.kind != .argument, !isName(parameter.name) { faults.append("\(name) is not well formed") }
      if !isSentence(parameter.help) { faults.append("the help of \(name) does not end in a full stop") }
      if let short = parameter.short, !short.allSatisfy({ $0.isASCII && $0.isLetter }) || short.count != 1 {
        faults.append("the short form of \(name) is not a letter")
      }
      if parameter.kind == .option, parameter.placeholder.isEmpty {
        faults.append("\(name) has no placeholder")
      }
      let choices = parameter.choices.map(\.name)
      faults += repeated(choices).map { "\(name) has the choice '\($0)' twice" }
      // Completions list the choices with spaces between them.
      faults += choices.filter { !isWord($0) }.map { "the choice '\($0)' of \(name) is not a plain word" }
      if let value = parameter.defaultText, !choices.isEmpty, !choices.contains(value) {
        faults.append("the default '\(value)' of \(name) is not among its choices")
      }
      if case .dynamic(let words) = parameter.completion, !words.allSatisfy(isWord) {
        faults.append("the completion of \(name) is not made of plain words")
      }
    }
    return faults
  }

  private func argumentFaults(_ command: CommandInfo) -> [String] {
    var faults: [String] = []
    let arguments = command.arguments
    if !arguments.isEmpty, !command.subcommands.isEmpty { faults.append("there are commands and arguments") }
    for (before, after) in zip(arguments, arguments.dropFirst()) {
      if before.isRepeating { faults.append("\(after.name) can't be reached after \(before.name)") }
      if !before.isRequired, after.isRequired {
        faults.append("\(after.name) is required after \(before.name), which isn't")
      }
    }
    faults += arguments.filter { $0.valuesPerUse != 1 }.map { "\($0.name) is an argument of several words" }
    return faults
  }

  private func exampleFaults(_ command: CommandInfo) -> [String] {
    command.examples.flatMap { example -> [String] in
      var faults: [String] = []
      if example.meaning.isEmpty || example.meaning.hasSuffix(".") {
        faults.append("the meaning of '\(example.commandLine)' is missing or ends in a full stop")
      }
      for words in commandLines(in: example.commandLine) {
        do throws(UsageError) {
          if case .help = try parse(Array(words.dropFirst())), command.name != name, !words.contains("help") {
            faults.append("the example '\(example.commandLine)' only asks for help")
          }
        } catch {
          faults.append("the example '\(example.commandLine)' is wrong: \(error.message)")
        }
      }
      if commandLines(in: example.commandLine).isEmpty {
        faults.append("the example '\(example.commandLine)' doesn't call \(name)")
      }
      return faults
    }
  }

  /// The calls of this program in a shell line: its simple commands between `|`, `;`, `&&` and `||`, without redirections.
  private func commandLines(in line: String) -> [[String]] {
    var lines: [[String]] = [[]]
    var skipsWord = false
    for word in shellWords(line) {
      if !word.isQuoted, ["|", ";", "&&", "||"].contains(word.text) {
        lines.append([])
      } else if !word.isQuoted, isRedirection(word.text) {
        skipsWord = word.text.hasSuffix(">") || word.text.hasSuffix("<")
      } else if skipsWord {
        skipsWord = false
      } else {
        lines[lines.count - 1].append(word.text)
      }
    }
    return lines.filter { $0.first == name }
  }

  /// A word such as `>out`, `2>/dev/null` or `<`.
  private func isRedirection(_ word: String) -> Bool {
    let rest = word.drop { $0.isASCII && $0.isNumber }
    return rest.hasPrefix(">") || rest.hasPrefix("<")
  }

  private func isSentence(_ text: String) -> Bool { text.count > 1 && text.hasSuffix(".") }

  private func isName(_ text: String) -> Bool {
    !text.isEmpty && !text.hasPrefix("-")
      && text.utf8.allSatisfy { "abcdefghijklmnopqrstuvwxyz0123456789-".utf8.contains($0) }
  }

  private func isWord(_ text: String) -> Bool {
    !text.isEmpty && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.+:".contains($0)) }
  }
}

/// The words that come more than once, each once, in order.
private func repeated(_ words: [String]) -> [String] {
  ordered(words.filter { word in words.count { $0 == word } > 1 })
}
