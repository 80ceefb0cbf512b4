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

  /// What the manual says beyond the commands.
  private static let manualSections = [
    ManualSection(
      "EXIT STATUS",
      items: [
        .init("0", "All done, or nothing to do."),
        .init("1", "Some of the photos failed; the others are done."),
        .init("2", "Wrong usage; nothing was done."),
        .init("3", "No photo could be used."),
        .init("4", "A photo has no page, and --strict was given."),
        .init("5", "The output could not be written."),
        .init("6", "The library can't be used, has no such scan, or is damaged."),
        .init("7", "The print system or the printer."),
        .init("70", "A fault of the program itself."),
        .init("128 + n", "Ended by signal n; 130 after Ctrl-C."),
      ]),
    ManualSection(
      "ENVIRONMENT",
      items: [
        .init("FLATBED_LIBRARY", "The library's folder, when --library isn't given."),
        .init("FLATBED_MODE", "How new pages look when scan or flatten aren't told by --mode."),
        .init(
          "XDG_DATA_HOME",
          "Without FLATBED_LIBRARY, the library is the folder flatbed in here, or in ~/.local/share."),
        .init(
          "CUPS_SERVER, LPDEST, PRINTER", "The print server and the default printer, as lp(1) reads them."),
        .init("NO_COLOR", "When set, nothing is printed in colour."),
      ]),
    ManualSection("SEE ALSO", text: "lp(1), lpstat(1), tesseract(1), img2pdf(1)"),
  ]

  func run(in context: CommandContext) async throws -> ExitStatus {
    let tool = context.tool
    let text =
      switch product {
      case .bash: tool.bashCompletion()
      case .zsh: tool.zshCompletion()
      case .fish: tool.fishCompletion()
      case .man: tool.manualPage(date: FlatbedProgram.releaseDate, sections: Self.manualSections)
      case .reference: tool.markdownReference()
      }
    let reporter = Reporter(context)
    reporter.print(text)
    reporter.emit(["text": text])
    return .success
  }
}
