/// A command of a program: what it takes is declared as static values, and `description` lists them.
package protocol Command: Sendable {
  static var description: CommandDescription { get }

  /// Reads its values from the arguments, and refuses what can't go together.
  init(_ arguments: ParsedArguments) throws(UsageError)

  /// Does the work; the value is the program's exit status.
  func run(in context: CommandContext) async throws -> ExitStatus
}

/// A command that only holds others, such as `library` of `library info`.
package protocol CommandGroup: Command {}

extension CommandGroup {
  package init(_ arguments: ParsedArguments) throws(UsageError) {
    throw UsageError("'\(arguments.commandPath.joined(separator: " "))' needs a command after it")
  }

  package func run(in context: CommandContext) async throws -> ExitStatus { .usage }
}

/// All that is said of a command, once.
package struct CommandDescription: Sendable {
  package var name: String
  /// One line that ends in a full stop.
  package var abstract: String
  /// More, in paragraphs separated by empty lines; lines that begin with two spaces are kept as they are.
  package var discussion: String
  package var examples: [Example]
  /// Options, flags and arguments; help shows them in this order.
  package var parameters: [any Parameter]
  package var subcommands: [any Command.Type]
  /// The heading under which the program's help lists the command.
  package var section: String
  /// Other names a newcomer may try, answered by "did you mean".
  package var synonyms: [String]
  /// Works, but isn't listed.
  package var isHidden: Bool

  package init(
    name: String, abstract: String, discussion: String = "", examples: [Example] = [],
    parameters: [any Parameter] = [], subcommands: [any Command.Type] = [], section: String = "",
    synonyms: [String] = [], isHidden: Bool = false
  ) {
    self.name = name
    self.abstract = abstract
    self.discussion = discussion
    self.examples = examples
    self.parameters = parameters
    self.subcommands = subcommands
    self.section = section
    self.synonyms = synonyms
    self.isHidden = isHidden
  }

  /// The description as plain data, with everything below it.
  package var info: CommandInfo {
    CommandInfo(
      name: name, abstract: abstract, discussion: discussion, examples: examples, section: section,
      isHidden: isHidden, synonyms: synonyms, parameters: parameters.flatMap(\.definitions).map(\.info),
      subcommands: subcommands.map { $0.description.info })
  }
}

/// What a command works with besides its own arguments.
package struct CommandContext: Sendable {
  /// Where it prints and asks.
  package var console: Console
  /// The environment variables of the program.
  package var environment: [String: String]
  /// All that was parsed, the program's own options included.
  package var arguments: ParsedArguments
  /// The whole command line as data, for commands that print completions or the man page.
  package var tool: ToolDescription

  package var programName: String { tool.root.name }

  package init(
    console: Console, environment: [String: String], arguments: ParsedArguments, tool: ToolDescription
  ) {
    self.console = console
    self.environment = environment
    self.arguments = arguments
    self.tool = tool
  }
}

/// The number a program ends with.
///
/// A product adds its own as static constants.
package struct ExitStatus: RawRepresentable, Sendable, Hashable {
  package var rawValue: Int32

  package init(rawValue: Int32) { self.rawValue = rawValue }

  /// All done.
  package static let success = ExitStatus(rawValue: 0)
  /// The command line was wrong; nothing was done.
  package static let usage = ExitStatus(rawValue: 2)
}
