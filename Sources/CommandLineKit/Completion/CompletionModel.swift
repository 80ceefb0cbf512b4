/// What the three shells need to know, in the form they share.
///
/// The generated scripts walk the words before the cursor: which command is this, is a value of an option wanted, which
/// argument comes next. Candidates of a file system come from the shell; dynamic ones from calling the program, whose
/// failures stay quiet.
struct CompletionModel {
  let tool: ToolDescription

  var program: String { tool.root.name }

  /// The name for functions of the script: letters, digits and underscores.
  var functionPrefix: String { "_" + shellName(program) }

  /// Every visible command with its path; the root first.
  var commands: [(path: [String], command: CommandInfo)] {
    func visit(_ command: CommandInfo, _ path: [String]) -> [(path: [String], command: CommandInfo)] {
      [(path, command)] + command.visibleSubcommands.flatMap { visit($0, path + [$0.name]) }
    }
    return visit(tool.root, [])
  }

  /// A command's own visible options; the program's own are left to `globals`.
  func options(of command: CommandInfo, at path: [String]) -> [ParameterInfo] {
    path.isEmpty ? [] : command.parameters.filter { $0.kind != .argument && !$0.isHidden }
  }

  /// The options that stand anywhere.
  var globals: [ParameterInfo] { tool.globalOptions(at: [""]).filter { !$0.isHidden } }

  /// The commands that can follow a path, the built-in `help` among the first.
  func subcommands(of command: CommandInfo, at path: [String]) -> [CommandInfo] {
    command.visibleSubcommands
      + (path.isEmpty ? [CommandInfo(name: "help", abstract: "Show help for a command.")] : [])
  }

  /// The first sentence of a help text without its full stop, for a list of candidates.
  func brief(_ help: String) -> String {
    let first = help.firstRange(of: ". ").map { help[..<$0.lowerBound] } ?? help[...]
    return first.last == "." ? String(first.dropLast()) : String(first)
  }
}

/// The text in single quotes, as bash and zsh read it.
func singleQuoted(_ text: String) -> String { "'" + text.replacing("'", with: "'\\''") + "'" }

/// The text with everything but letters and digits as underscores.
func shellName(_ text: String) -> String {
  String(text.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
}

extension ParameterInfo {
  /// The forms in which it is typed: `--steam --no-steam -s`.
  var spellings: [String] {
    ["--\(name)"] + (isNegatable ? ["--no-\(name)"] : []) + (short.map { ["-\($0)"] } ?? [])
  }
}
