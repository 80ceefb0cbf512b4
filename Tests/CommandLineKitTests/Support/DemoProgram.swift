import CommandLineKit

/// A small program with one of everything, to try the parser and look at the help.
enum Demo {
  static let program = Program(
    name: "baker", abstract: "Bake bread and keep track of the loaves.",
    discussion: """
      Every loaf gets a number when it goes into the oven. A number can be shortened as long as it stays
      unambiguous.

      Recipes are plain text files:

        flour 500
        water 350
      """,
    examples: [
      Example("baker bake rye.txt", "bakes one loaf"),
      Example("baker shelf list --json", "lists what is on the shelf, for other programs"),
    ],
    version: "1.2.3", parameters: [shelf, json, quiet], quiet: quiet,
    commands: [Bake.self, Slice.self, Shelf.self, Secret.self])

  static let shelf = Option("shelf", .folder, help: "The folder that holds the loaves.")
  static let json = Flag("json", help: "Print results as JSON.")
  static let quiet = Flag("quiet", short: "q", help: "Print results and failures only.")
}

enum Crust: String, CaseIterable, Sendable {
  case soft, normal, dark

  var help: String {
    switch self {
    case .soft: "pale, for sandwiches"
    case .normal: "as most people like it"
    case .dark: "well done; it keeps longest, and needs five minutes more in an oven that is hot all through"
    }
  }
}

/// A place on a tray.
struct Spot: Sendable, Equatable, CustomStringConvertible {
  var x: Int
  var y: Int
  var description: String { "\(x),\(y)" }

  static let type = ValueType<Spot>("X,Y") { (text: String) throws(InvalidValue) in
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let x = parts[0], let y = parts[1] else {
      throw InvalidValue("must be two whole numbers with a comma between them")
    }
    return Spot(x: x, y: y)
  }
}

struct Bake: Command {
  static let recipes = Argument(
    repeating: "RECIPE", .file, help: "The recipes to bake, or '-' for one on standard input.")
  static let crust = Option(
    "crust", short: "c", .choice(of: Crust.self, "CRUST", help: \.help), help: "How brown the crust gets.",
    default: .normal)
  static let minutes = Option(
    "minutes", short: "m", .integer(1...240), help: "How long to bake. Otherwise the recipe says.")
  static let offset = Option(
    "offset", .number(-10...10, "DEGREES"), help: "What to add to the oven's scale.", default: 0)
  static let seeds = Option(repeating: "seed", short: "s", .string("KIND"), help: "Seeds to put on top.")
  static let corners = Option(
    "corners", .several(4, of: Spot.type), help: "Where the tray stands, by its corners.")
  static let steam = Flag("steam", help: "Let steam in at the start.", negatableWithDefault: true)
  static let force = Flag("force", short: "f", help: "Bake even when the oven is cold.")
  static let probe = Flag("probe", help: "Print what was understood.", hidden: true)

  static let description = CommandDescription(
    name: "bake", abstract: "Bake loaves from recipes.",
    discussion: "The loaves come out in the order of the recipes. One that fails doesn't stop the others.",
    examples: [
      Example("baker bake rye.txt wheat.txt", "bakes two loaves"),
      Example("baker bake - --crust dark -s sesame", "reads the recipe from standard input"),
      Example("baker bake flat.txt --corners 0,0 30,0 30,20 0,20", "says where the tray stands"),
    ],
    parameters: [
      recipes, crust, minutes, seeds, force,
      ParameterGroup("The oven", [offset, corners, steam]), probe,
    ],
    section: "Baking", synonyms: ["cook", "make"])

  let arguments: ParsedArguments

  init(_ arguments: ParsedArguments) throws(UsageError) {
    if arguments[Self.force], arguments[Self.minutes] == 1 {
      throw UsageError("--force and --minutes 1 can't be used together")
    }
    self.arguments = arguments
  }

  func run(in context: CommandContext) async throws -> ExitStatus {
    for recipe in arguments[Self.recipes] {
      context.console.note("baking \(recipe)")
      context.console.print("done \(recipe)")
    }
    return .success
  }
}

struct Slice: Command {
  static let loaf = Argument(
    "LOAF", .string("LOAF").completed(by: ["shelf", "list", "--completion"]), help: "The loaf's number.")
  static let knife = Argument(
    optional: "KNIFE", .choice("KNIFE", [Choice("bread"), Choice("chef")]), help: "Which knife to take.")
  static let thickness = Option(
    required: "thickness", .integer(1...50, "MM"), help: "How thick the slices are.")

  static let description = CommandDescription(
    name: "slice", abstract: "Cut a loaf into slices.",
    examples: [Example("baker slice 12 --thickness 8", "cuts loaf 12")],
    parameters: [loaf, knife, thickness], section: "Baking")

  let arguments: ParsedArguments
  init(_ arguments: ParsedArguments) throws(UsageError) { self.arguments = arguments }
  func run(in context: CommandContext) async throws -> ExitStatus { ExitStatus(rawValue: 7) }
}

struct Shelf: CommandGroup {
  static let description = CommandDescription(
    name: "shelf", abstract: "See and tidy the shelf.", subcommands: [List.self, Clear.self],
    section: "The shelf")

  struct List: Command {
    static let loaves = Argument(repeating: "LOAF", atLeast: 0, .string("LOAF"), help: "Only these loaves.")
    static let completion = Flag("completion", help: "Print candidates for a shell.", hidden: true)
    static let description = CommandDescription(
      name: "list", abstract: "List the loaves.",
      examples: [Example("baker shelf list", "lists all loaves")], parameters: [loaves, completion])
    let arguments: ParsedArguments
    init(_ arguments: ParsedArguments) throws(UsageError) { self.arguments = arguments }
    func run(in context: CommandContext) async throws -> ExitStatus { .success }
  }

  struct Clear: Command {
    static let description = CommandDescription(
      name: "clear", abstract: "Take everything off the shelf.",
      examples: [Example("baker shelf clear", "clears the shelf")])
    init(_ arguments: ParsedArguments) throws(UsageError) {}
    func run(in context: CommandContext) async throws -> ExitStatus { .success }
  }
}

struct Secret: Command {
  static let description = CommandDescription(
    name: "secret", abstract: "Do what nobody lists.", isHidden: true)
  init(_ arguments: ParsedArguments) throws(UsageError) {}
  func run(in context: CommandContext) async throws -> ExitStatus { .success }
}

/// A console that writes to memory, and what it wrote.
struct TestConsole {
  let output = MemorySink()
  let errors = MemorySink()
  let console: Console

  init(
    answers: [String] = [], outputFacts: TerminalFacts = .plain, errorFacts: TerminalFacts = .plain,
    now: @escaping @Sendable () -> Double = { 0 }
  ) {
    console = Console(
      programName: "baker", output: output, errors: errors, input: ScriptedAnswers(answers),
      outputFacts: outputFacts, errorFacts: errorFacts, now: now)
  }
}
