import CommandLineKit
import Testing

@Suite("Reading command lines")
struct ParsingTests {
  /// What was read from `baker bake …`, as one line of text.
  static func summary(_ words: [String]) throws -> String {
    guard case .run(let command, let arguments) = try Demo.program.parse(words), command is Bake else {
      return "something else"
    }
    var parts = ["\(arguments[Bake.recipes].joined(separator: "|"))"]
    if arguments.isGiven(Bake.crust) { parts.append("crust=\(arguments[Bake.crust].rawValue)") }
    if let minutes = arguments[Bake.minutes] { parts.append("minutes=\(minutes)") }
    if arguments.isGiven(Bake.offset) { parts.append("offset=\(arguments[Bake.offset])") }
    if !arguments[Bake.seeds].isEmpty {
      parts.append("seeds=\(arguments[Bake.seeds].joined(separator: "+"))")
    }
    if let corners = arguments[Bake.corners] { parts.append("corners=\(corners)") }
    if !arguments[Bake.steam] { parts.append("dry") }
    if arguments[Bake.force] { parts.append("force") }
    if arguments[Demo.json] { parts.append("json") }
    if arguments[Demo.quiet] { parts.append("quiet") }
    if let shelf = arguments[Demo.shelf] { parts.append("shelf=\(shelf)") }
    return parts.joined(separator: " ")
  }

  struct Line: Sendable, CustomTestStringConvertible {
    var id: String
    var words: String
    var result: String
    var testDescription: String { id }
  }

  @Test(
    "a command line is read by the rules",
    arguments: [
      Line(id: "separate value", words: "bake a --crust dark", result: "a crust=dark"),
      Line(id: "joined value", words: "bake a --crust=dark", result: "a crust=dark"),
      Line(id: "short value", words: "bake a -c dark", result: "a crust=dark"),
      Line(id: "short joined value", words: "bake a -cdark", result: "a crust=dark"),
      Line(id: "short joined value that looks like a name", words: "bake a -seed", result: "a seeds=eed"),
      Line(id: "short value with equals", words: "bake a -c=dark", result: "a crust=dark"),
      Line(id: "joined short flags", words: "bake a -fq", result: "a force quiet"),
      Line(id: "joined short flags and a value", words: "bake a -fqm5", result: "a minutes=5 force quiet"),
      Line(id: "joined short flags and the next word", words: "bake a -fm 5", result: "a minutes=5 force"),
      Line(id: "options before arguments", words: "bake --crust soft a b", result: "a|b crust=soft"),
      Line(id: "options between arguments", words: "bake a -f b", result: "a|b force"),
      Line(id: "double dash", words: "bake -f -- -q --crust", result: "-q|--crust force"),
      Line(id: "second double dash is an argument", words: "bake -- a -- b", result: "a|--|b"),
      Line(id: "lone dash", words: "bake -", result: "-"),
      Line(id: "lone dash as value", words: "bake a --seed -", result: "a seeds=-"),
      Line(id: "repeated option", words: "bake a -s x --seed=y -s z", result: "a seeds=x+y+z"),
      Line(id: "negative number as value", words: "bake a --offset -2.5", result: "a offset=-2.5"),
      Line(id: "negative fraction as value", words: "bake a --offset -.5", result: "a offset=-0.5"),
      Line(id: "negative number as argument", words: "bake -90", result: "-90"),
      Line(id: "value with a dash", words: "bake a --seed=--x", result: "a seeds=--x"),
      Line(id: "empty value", words: "bake a --seed=", result: "a seeds="),
      Line(id: "value with equals", words: "bake a --seed=k=v", result: "a seeds=k=v"),
      Line(
        id: "several values", words: "bake a --corners 0,0 1,0 1,-2 -3,1 b",
        result: "a|b corners=[0,0, 1,0, 1,-2, -3,1]"),
      Line(id: "negated flag", words: "bake a --no-steam", result: "a dry"),
      Line(id: "the last flag counts", words: "bake a --no-steam --steam", result: "a"),
      Line(id: "repeated flag", words: "bake a -f --force -f", result: "a force"),
      Line(id: "program's option first", words: "--shelf /tmp --json bake a", result: "a json shelf=/tmp"),
      Line(id: "program's option last", words: "bake a --shelf=/tmp --json", result: "a json shelf=/tmp"),
      Line(id: "help as an argument", words: "bake help", result: "help"),
    ])
  func reads(line: Line) throws {
    #expect(try Self.summary(line.words.split(separator: " ").map(String.init)) == line.result)
  }

  @Test(
    "several values may come as one word, or partly so",
    arguments: [
      ["bake", "a", "--corners", "0,0 1,0 1,2 3,1"],
      ["bake", "a", "--corners=0,0 1,0  1,2 3,1 "],
      ["bake", "a", "--corners=0,0", "1,0", "1,2", "3,1"],
      ["bake", "--corners", "0,0 1,0", "1,2 3,1", "a"],
    ])
  func severalValuesInOneWord(words: [String]) throws {
    #expect(try Self.summary(words) == "a corners=[0,0, 1,0, 1,2, 3,1]")
  }

  struct Fault: Sendable, CustomTestStringConvertible {
    var words: String
    var message: String
    var suggestion: String?
    var path: [String] = ["bake"]
    var testDescription: String { words }
  }

  @Test(
    "a wrong command line gets a sentence and a suggestion",
    arguments: [
      Fault(words: "bkae", message: "unknown command 'bkae'", suggestion: "did you mean 'bake'?", path: []),
      Fault(words: "cook x", message: "unknown command 'cook'", suggestion: "did you mean 'bake'?", path: []),
      Fault(words: "qqqqqqqq", message: "unknown command 'qqqqqqqq'", path: []),
      Fault(words: "secrte", message: "unknown command 'secrte'", path: []),
      Fault(
        words: "shelf lsit", message: "unknown command 'shelf lsit'", suggestion: "did you mean 'list'?",
        path: ["shelf"]),
      Fault(words: "bake", message: "missing RECIPE"),
      Fault(words: "slice --thickness 3", message: "missing LOAF", path: ["slice"]),
      Fault(words: "slice 12", message: "--thickness is missing", path: ["slice"]),
      Fault(words: "slice 12 chef x --thickness 3", message: "unexpected argument 'x'", path: ["slice"]),
      Fault(
        words: "slice 12 cheff --thickness 3",
        message: "invalid value 'cheff' for KNIFE: must be bread or chef",
        suggestion: "did you mean 'chef'?", path: ["slice"]),
      Fault(
        words: "bake a --crsut dark", message: "unknown option '--crsut'",
        suggestion: "did you mean '--crust'?"),
      Fault(
        words: "bake a --cru dark", message: "unknown option '--cru'", suggestion: "did you mean '--crust'?"),
      Fault(
        words: "bake a --no-force", message: "unknown option '--no-force'"),
      Fault(
        words: "bake a --no-seam", message: "unknown option '--no-seam'",
        suggestion: "did you mean '--no-steam'?"),
      Fault(words: "bake a -x", message: "unknown option '-x'"),
      Fault(words: "bake a -fx", message: "unknown option '-x' in '-fx'"),
      Fault(
        words: "bake a -json", message: "unknown option '-j' in '-json'", suggestion: "did you mean '--json'?"
      ),
      Fault(words: "bake a --crust", message: "--crust needs a value (CRUST)"),
      Fault(words: "bake a --crust --force", message: "--crust needs a value (CRUST) before '--force'"),
      Fault(
        words: "bake a --seed --x", message: "--seed needs a value (KIND) before '--x'",
        suggestion: "for a value that begins with a dash write '--seed=--x'"),
      Fault(words: "bake a --corners 0,0 1,1", message: "--corners needs 4 values (X,Y X,Y X,Y X,Y), got 2"),
      Fault(
        words: "bake a --corners 0,0 1,1 1,2 z",
        message:
          "invalid value '0,0 1,1 1,2 z' for --corners: must be two whole numbers with a comma between them"),
      Fault(
        words: "bake a --crust dork",
        message: "invalid value 'dork' for --crust: must be soft, normal or dark",
        suggestion: "did you mean 'dark'?"),
      Fault(words: "bake a --crust soft --crust dark", message: "--crust is given twice"),
      Fault(
        words: "bake a --minutes 0",
        message: "invalid value '0' for --minutes: must be a whole number from 1 to 240"),
      Fault(
        words: "bake a --minutes 5x",
        message: "invalid value '5x' for --minutes: must be a whole number from 1 to 240"),
      Fault(
        words: "bake a --minutes 99999999999999999999",
        message: "invalid value '99999999999999999999' for --minutes: must be a whole number from 1 to 240"),
      Fault(
        words: "bake a --offset nan",
        message: "invalid value 'nan' for --offset: must be a number from -10 to 10"),
      Fault(
        words: "bake a --offset 0x1p3",
        message: "invalid value '0x1p3' for --offset: must be a number from -10 to 10"),
      Fault(words: "bake a --force=yes", message: "--force takes no value"),
      Fault(words: "bake a --no-steam=yes", message: "--no-steam takes no value"),
      Fault(words: "bake a -f -m 1", message: "--force and --minutes 1 can't be used together"),
      Fault(
        words: "--crust dark bake a", message: "unknown option '--crust'",
        suggestion: "options of a command come after its name, as in 'bake --crust'", path: []),
      Fault(
        words: "help bkae", message: "unknown command 'bkae'", suggestion: "did you mean 'bake'?", path: []),
      Fault(words: "help bake x", message: "'bake' has no command 'x'"),
      Fault(words: "bake --version", message: "unknown option '--version'"),
    ])
  func faults(fault: Fault) throws {
    let words = fault.words.split(separator: " ").map(String.init)
    let error = #expect(throws: UsageError.self) { try Demo.program.parse(words) }
    #expect(error == UsageError(fault.message, suggestion: fault.suggestion, commandPath: fault.path))
  }

  @Test(
    "help is asked for in many ways",
    arguments: [
      ("", []), ("--help", []), ("-h", []), ("help", []), ("--json", []), ("shelf", ["shelf"]),
      ("shelf --help", ["shelf"]),
      ("bake --help", ["bake"]), ("bake a --crust wrong --help", ["bake"]), ("bake -fh", ["bake"]),
      ("help bake", ["bake"]), ("help help", []),
      ("help shelf list", ["shelf", "list"]), ("--help bake", []), ("--quiet help shelf", ["shelf"]),
    ] as [(String, [String])])
  func asksForHelp(line: String, path: [String]) throws {
    let invocation = try Demo.program.parse(line.split(separator: " ").map(String.init))
    guard case .help(let shown) = invocation else {
      Issue.record("not help: \(invocation)")
      return
    }
    #expect(shown == path)
  }

  @Test("the version comes with the program's options")
  func asksForVersion() throws {
    guard case .version(let arguments) = try Demo.program.parse(["--version", "--json"]) else {
      Issue.record("not the version")
      return
    }
    #expect(arguments[Demo.json])
    #expect(!arguments[Demo.quiet])
  }

  @Test("defaults are read when nothing is given")
  func defaults() throws {
    guard case .run(_, let arguments) = try Demo.program.parse(["bake", "a"]) else {
      Issue.record("not a command")
      return
    }
    #expect(arguments[Bake.crust] == .normal)
    #expect(arguments[Bake.minutes] == nil)
    #expect(arguments[Bake.offset] == 0)
    #expect(arguments[Bake.seeds] == [])
    #expect(arguments[Bake.corners] == nil)
    #expect(arguments[Bake.steam])
    #expect(!arguments.isGiven(Bake.steam))
    #expect(arguments.commandPath == ["bake"])
  }

  @Test("text of other people is escaped in messages")
  func escapesInMessages() {
    let error = #expect(throws: UsageError.self) {
      try Demo.program.parse(["slice", "1", "chef", "--thickness", "1", "\u{1b}[2J\n"])
    }
    #expect(error?.message == "unexpected argument '\\u{1b}[2J\\n'")
  }

  @Test("reading an undeclared option stops the program")
  func undeclared() async {
    await #expect(processExitsWith: .failure) {
      guard case .run(_, let arguments) = try Demo.program.parse(["shelf", "clear"]) else { return }
      _ = arguments[Bake.crust]
    }
  }
}
