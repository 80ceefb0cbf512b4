import CommandLineKit

/// `flatbed generate`: completions and the man page, from the same descriptions as the help.
struct GenerateCommand: Command {
  enum Product: String, CaseIterable {
    case bash, zsh, fish, man, reference
  }

  static let product = Argument(
    "WHAT",
    .choice(of: Product.self, "WHAT") { product in
      switch product {
      case .bash: "completion for bash"
      case .zsh: "completion for zsh"
      case .fish: "completion for fish"
      case .man: "the man page"
      case .reference: "all commands, as Markdown"
      }
    }, help: "What to print.")

  static let description = CommandDescription(
    name: "generate",
    abstract: "Print shell completion, the man page or the reference.",
    discussion: "'make install' puts them where shells and man look.",
    examples: [
      Example(
        "flatbed generate bash > ~/.local/share/bash-completion/completions/flatbed",
        "complete commands in bash")
    ],
    parameters: [product],
    section: "Other")

  private let product: Product

  init(_ arguments: ParsedArguments) throws(UsageError) { product = arguments[Self.product] }

  func run(in context: CommandContext) async throws -> ExitStatus {
    let tool = context.tool
    let text =
      switch product {
      case .bash: tool.bashCompletion()
      case .zsh: tool.zshCompletion()
      case .fish: tool.fishCompletion()
      case .man: tool.manualPage(date: FlatbedProgram.releaseDate)
      case .reference: tool.markdownReference()
      }
    let reporter = Reporter(context)
    reporter.print(text)
    reporter.emit(["text": text])
    return .success
  }
}
