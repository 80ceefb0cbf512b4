import CommandLineKit
import Testing

@Suite("Completion in fish")
struct FishCompletionTests {
  @Test("the script looks as recorded")
  func script() throws {
    try expectSnapshot(Demo.program.tool.fishCompletion(), "completion.fish")
  }

  @Test("fish accepts the script")
  func syntax() throws {
    let folder = try CompletionFolder(script: Demo.program.tool.fishCompletion(), name: "baker.fish")
    #expect(try run(["fish", "-n", folder.script]) == Outcome(output: "", errors: "", status: 0))
  }

  struct Case: Sendable, CustomTestStringConvertible {
    /// The line up to the cursor, after the program's name.
    var line: String
    var candidates: [String]
    var testDescription: String { line }

    init(_ line: String, _ candidates: [String]) {
      self.line = line
      self.candidates = candidates
    }
  }

  @Test(
    "candidates are right",
    arguments: [
      Case("", ["bake", "help", "shelf", "slice"]),
      Case("b", ["bake"]),
      Case("--ver", ["--version"]),
      Case("--shelf x sh", ["shelf"]),
      Case("shelf ", ["clear", "list"]),
      Case("shelf wrong ", []),
      Case("bake --c", ["--corners", "--crust"]),
      Case("bake --no", ["--no-steam"]),
      Case("bake --p", []),
      Case("shelf list --", ["--help", "--json", "--quiet", "--shelf"]),
      Case("bake --crust ", ["dark", "normal", "soft"]),
      Case("bake --crust=d", ["--crust=dark"]),
      Case("bake -c d", ["dark"]),
      Case("bake -fc d", ["dark"]),
      Case("bake r", ["rye.txt"]),
      Case("bake a -f r", ["rye.txt"]),
      Case("bake --shelf ", ["trays/"]),
      Case("bake --shelf=tr", ["--shelf=trays/"]),
      Case("bake --corners 0,0 1,1 r", []),
      Case("bake --corners 0,0 1,1 1,2 3,4 r", ["rye.txt"]),
      Case("bake --seed r", []),
      Case("slice ", ["12", "13"]),
      Case("--shelf x slice ", ["12", "13", "14"]),
      Case("--shelf=x slice ", ["12", "13", "14"]),
      Case("slice 12 ", ["bread", "chef"]),
      Case("slice --thickness 8 12 c", ["chef"]),
      Case("slice 12 chef ", []),
      Case("help ", ["bake", "shelf", "slice"]),
      Case("help shelf ", ["clear", "list"]),
      Case("help bake ", []),
    ])
  func candidates(line: Case) throws {
    let folder = try CompletionFolder(script: Demo.program.tool.fishCompletion(), name: "baker.fish")
    let driver = "source $argv[1]; cd \(folder.path); complete -C \"baker $argv[2]\""
    let outcome = try run(
      ["fish", "--no-config", "-c", driver, folder.script, line.line], environment: folder.environment)
    #expect(outcome.errors == "")
    let found = outcome.lines.map { String($0.prefix { $0 != "\t" }) }
    #expect(found.sorted() == line.candidates)
  }

  @Test("candidates are described")
  func descriptions() throws {
    let folder = try CompletionFolder(script: Demo.program.tool.fishCompletion(), name: "baker.fish")
    let driver = "source $argv[1]; complete -C 'baker bake --crust s'; complete -C 'baker slice 13'"
    let outcome = try run(
      ["fish", "--no-config", "-c", driver, folder.script], environment: folder.environment)
    #expect(outcome.lines == ["soft\tpale, for sandwiches", "13\twheat: old"])
  }
}
