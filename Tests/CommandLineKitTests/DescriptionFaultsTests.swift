import CommandLineKit
import Testing

@Suite("Faults of descriptions")
struct DescriptionFaultsTests {
  @Test("the demo has none")
  func demo() {
    #expect(Demo.program.descriptionFaults() == [])
  }

  /// A command whose description is given by the test; only the description matters here.
  static func faults(_ description: CommandDescription) -> [String] {
    // The validators read a program, which is made of types; a type's description is static.
    Probe.$description.withValue(description) {
      Program(
        name: "p", abstract: "Probe.", version: "1",
        parameters: [Flag("json", short: "j", help: "Print JSON.")],
        commands: [Probe.self]
      ).descriptionFaults()
    }
  }

  struct Probe: Command {
    @TaskLocal static var description = CommandDescription(name: "probe", abstract: "Probe.")
    init(_ arguments: ParsedArguments) throws(UsageError) {}
    func run(in context: CommandContext) async throws -> CommandLineKit.ExitStatus { .success }
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var id: String
    var description: CommandDescription
    var faults: [String]
    var testDescription: String { id }

    init(
      _ id: String, _ parameters: [any Parameter] = [], name: String = "probe", abstract: String = "Probe.",
      examples: [Example] = [], _ faults: String...
    ) {
      self.id = id
      description = CommandDescription(
        name: name, abstract: abstract, examples: examples, parameters: parameters)
      self.faults = faults
    }
  }

  @Test(
    "each fault gets a sentence",
    arguments: [
      Case("fine", [Flag("good", short: "g", help: "Be good.")]),
      Case("name", name: "Probe", "p Probe: the name is not lower-case letters, digits and dashes"),
      Case("abstract", abstract: "Probe", "p probe: the abstract is not one line that ends in a full stop"),
      Case(
        "help", [Flag("good", help: "Be good")], "p probe: the help of --good does not end in a full stop"),
      Case(
        "short", [Flag("good", short: "1", help: "Be good.")],
        "p probe: the short form of --good is not a letter"),
      Case(
        "same name", [Flag("good", help: "A."), Option("good", .string("X"), help: "B.")],
        "p probe: there are two options '--good'"),
      Case(
        "same short", [Flag("a", short: "x", help: "A."), Flag("b", short: "x", help: "B.")],
        "p probe: there are two options '-x'"),
      Case("a name of the program's", [Flag("json", help: "A.")], "p probe: there are two options '--json'"),
      Case("help of its own", [Flag("halt", short: "h", help: "A.")], "p probe: there are two options '-h'"),
      Case(
        "negation taken", [Flag("x", help: "A.", negatableWithDefault: true), Flag("no-x", help: "B.")],
        "p probe: there are two options '--no-x'"),
      Case(
        "default", [Option("mode", .choice("MODE", [Choice("a"), Choice("b")]), help: "A.", default: "c")],
        "p probe: the default 'c' of --mode is not among its choices"),
      Case(
        "choice twice", [Option("mode", .choice("MODE", [Choice("a"), Choice("a")]), help: "A.")],
        "p probe: --mode has the choice 'a' twice"),
      Case(
        "choice with a space", [Option("mode", .choice("MODE", [Choice("a b")]), help: "A.")],
        "p probe: the choice 'a b' of --mode is not a plain word"),
      Case(
        "after repeating",
        [Argument(repeating: "A", .file, help: "A."), Argument("B", .file, help: "B.")],
        "p probe: B can't be reached after A"),
      Case(
        "required after optional",
        [Argument(optional: "A", .file, help: "A."), Argument("B", .file, help: "B.")],
        "p probe: B is required after A, which isn't"),
      Case(
        "example of another program", examples: [Example("q probe", "does it")],
        "p probe: the example 'q probe' doesn't call p"),
      Case(
        "wrong example", examples: [Example("p probe --goof", "does it")],
        "p probe: the example 'p probe --goof' is wrong: unknown option '--goof'"),
      Case(
        "wrong example after a pipe", examples: [Example("ls | p probe - | p prob", "does it")],
        "p probe: the example 'ls | p probe - | p prob' is wrong: unexpected argument '-'",
        "p probe: the example 'ls | p probe - | p prob' is wrong: unknown command 'prob'"),
      Case(
        "example with redirections", [Argument("A", .file, help: "A.")],
        examples: [Example("p probe 'a b' >out 2>/dev/null < in # for now", "does it")]),
      Case(
        "example without a meaning", examples: [Example("p probe", "Does it.")],
        "p probe: the meaning of 'p probe' is missing or ends in a full stop"),
    ])
  func each(line: Case) {
    #expect(Self.faults(line.description) == line.faults)
  }
}
