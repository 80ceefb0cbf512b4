/// What a command line asks for.
package enum Invocation: Sendable {
  /// Run a command; the arguments also hold the program's own options.
  case run(any Command, ParsedArguments)
  /// Show the help of the command at this path; the empty path is the overview.
  case help([String])
  /// Show the version; the arguments hold the program's own options.
  case version(ParsedArguments)
}

/// A program made of commands: the root of everything.
package struct Program: Sendable {
  package let name: String
  package let version: String
  private let info: CommandInfo
  private let globals: [ParameterDefinition]
  private let commands: [any Command.Type]
  private let quiet: Flag?

  /// - Parameters:
  ///   - parameters: Options and flags that every command takes, before or after its name.
  ///   - quiet: Which of them silences notes and progress.
  package init(
    name: String, abstract: String, discussion: String = "", examples: [Example] = [], version: String,
    parameters: [any Parameter] = [], quiet: Flag? = nil, commands: [any Command.Type]
  ) {
    self.name = name
    self.version = version
    self.commands = commands
    self.quiet = quiet
    globals = parameters.flatMap(\.definitions)
    info = CommandInfo(
      name: name, abstract: abstract, discussion: discussion, examples: examples,
      parameters: globals.map(\.info) + [.help, .version])
  }

  /// Everything there is to know of the command line, as plain data.
  package var tool: ToolDescription {
    var root = info
    root.subcommands = commands.map { $0.description.info }
    return ToolDescription(version: version, root: root)
  }

  /// Reads the words after the program's name.
  ///
  /// No words at all, or a group's name without a command after it, ask for help. A command's own `init` is part of this, so
  /// that all faults of use come out here.
  package func parse(_ words: [String]) throws(UsageError) -> Invocation {
    var parser = ArgumentParser(words: words, rootName: name, globals: globals, commands: commands)
    return try parser.parse()
  }

  /// Does what a command line asks for.
  ///
  /// Faults of use are printed here; what the command throws is passed on.
  package func run(
    _ words: [String], console: Console, environment: [String: String]
  ) async throws -> ExitStatus {
    let invocation: Invocation
    do {
      invocation = try parse(words)
    } catch {
      report(error, on: console)
      return .usage
    }
    switch invocation {
    case .help(let path):
      showHelp(of: path, on: console)
      return .success
    case .version:
      console.print("\(name) \(version)")
      return .success
    case .run(let command, let arguments):
      if let quiet, arguments[quiet] { console.silenceNotes() }
      return try await command.run(
        in: CommandContext(console: console, environment: environment, arguments: arguments, tool: tool))
    }
  }

  /// Prints the help of the command at a path to standard output.
  package func showHelp(of path: [String], on console: Console) {
    let facts = console.outputFacts
    console.print(tool.helpText(for: path, columns: facts.columns, styled: facts.isStyled))
  }

  /// Prints a fault of use to standard error: what is wrong, what was meant, how the command is used.
  package func report(_ error: UsageError, on console: Console) {
    console.printError(tool.text(of: error, styled: console.errorFacts.isStyled))
  }
}
