import CommandLineKit
import DocumentOutput

/// `flatbed printers`: where `print -d` can send to.
struct PrintersCommand: Command {
  static let completions = Flag(
    "completions", help: "Print what the shell can complete a printer by.", hidden: true)

  static let description = CommandDescription(
    name: "printers",
    abstract: "List the printers that CUPS knows.",
    examples: [Example("flatbed printers", "which printers are there, and are they ready?")],
    parameters: [completions],
    section: "Out of the library",
    synonyms: ["printer"])

  private let forCompletion: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) { forCompletion = arguments[Self.completions] }

  func run(in context: CommandContext) async throws -> ExitStatus {
    let reporter = Reporter(context)
    let printers: [Printer]
    do {
      printers = try PrintSystem(environment: context.environment).printers()
    } catch {
      throw Failure(printing: error)
    }
    if forCompletion {
      for printer in printers { context.console.print(printable(printer.name)) }
      return .success
    }
    for printer in printers { reporter.print(line(printer)) }
    if printers.isEmpty { reporter.note("no printer is set up; 'lpadmin' or the system's settings add one") }
    reporter.emit(printers.map(Row.init))
    return .success
  }

  private func line(_ printer: Printer) -> String {
    var facts = [stateText(printer.state)]
    if !printer.isAccepting { facts.append("takes no jobs") }
    if let message = printer.message { facts.append(printable(message)) }
    let name = printable(printer.name) + (printer.isDefault ? " (default)" : "")
    return "\(name): \(facts.joined(separator: ", "))"
  }

  private struct Row: Encodable {
    let name: String
    let isDefault: Bool
    let state: String
    let isAccepting: Bool
    let message: String?

    init(_ printer: Printer) {
      name = printer.name
      isDefault = printer.isDefault
      state = stateText(printer.state)
      isAccepting = printer.isAccepting
      message = printer.message
    }
  }
}

private func stateText(_ state: Printer.State) -> String {
  switch state {
  case .idle: "idle"
  case .printing: "printing"
  case .stopped: "stopped"
  case .unknown: "state unknown"
  }
}
