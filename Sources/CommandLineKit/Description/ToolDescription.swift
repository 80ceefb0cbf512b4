/// Everything that is known of a program's command line, as plain data.
///
/// It is made from the static descriptions of the commands and holds no closures, so that help, completions, the man page
/// and the reference are pure functions of it, and so that it can be written out as JSON.
package struct ToolDescription: Codable, Sendable, Equatable {
  /// Grows when a field changes its meaning; new fields alone do not raise it.
  package var schemaVersion = 1
  /// The program's version, without its name, such as `1.2.0`.
  package var version: String
  /// The program itself: its commands are the `subcommands`, its parameters are accepted by every command.
  package var root: CommandInfo

  /// The command at a path of names below the root; the empty path is the root.
  package func command(at path: [String]) -> CommandInfo? {
    var found = root
    for name in path {
      guard let next = found.subcommands.first(where: { $0.name == name }) else { return nil }
      found = next
    }
    return found
  }

  /// Every command with its path below the root, parents before children, the root first.
  package var allCommands: [(path: [String], command: CommandInfo)] {
    var all: [(path: [String], command: CommandInfo)] = []
    func visit(_ command: CommandInfo, at path: [String]) {
      all.append((path, command))
      for child in command.subcommands { visit(child, at: path + [child.name]) }
    }
    visit(root, at: [])
    return all
  }

  /// The options and flags a command takes: its own, then the program's.
  package func options(of command: CommandInfo, at path: [String]) -> [ParameterInfo] {
    let own = path.isEmpty ? [] : command.parameters.filter { $0.kind != .argument }
    return own + globalOptions(at: path)
  }

  /// The program's own options, as they apply at a path: `--version` stands only before a command.
  package func globalOptions(at path: [String]) -> [ParameterInfo] {
    root.parameters.filter { path.isEmpty || $0 != .version }
  }
}

/// One command, or the program itself, as plain data.
package struct CommandInfo: Codable, Sendable, Equatable {
  package var name: String
  /// One line that ends in a full stop.
  package var abstract: String
  /// Paragraphs separated by empty lines; lines that begin with two spaces are kept as they are.
  package var discussion = ""
  package var examples: [Example] = []
  /// The heading under which the parent's help lists this command.
  package var section = ""
  /// Works, but is neither listed nor suggested nor completed.
  package var isHidden = false
  /// Other names a newcomer may try, which are answered by "did you mean"; they don't run.
  package var synonyms: [String] = []
  /// Options, flags and arguments in the order in which help shows them.
  package var parameters: [ParameterInfo] = []
  package var subcommands: [CommandInfo] = []

  package var arguments: [ParameterInfo] { parameters.filter { $0.kind == .argument } }
  package var visibleSubcommands: [CommandInfo] { subcommands.filter { !$0.isHidden } }
}

/// A command line worth showing, and what it does.
package struct Example: Codable, Sendable, Equatable {
  /// The whole line as typed in a shell, beginning with the program's name.
  package var commandLine: String
  /// What it does, in a few words without a full stop.
  package var meaning: String

  package init(_ commandLine: String, _ meaning: String) {
    self.commandLine = commandLine
    self.meaning = meaning
  }
}
