import CommandLineKit
import Testing

@Suite("Completion in bash")
struct BashCompletionTests {
  @Test("the script looks as recorded")
  func script() throws {
    try expectSnapshot(Demo.program.tool.bashCompletion(), "completion.bash")
  }

  @Test("bash accepts the script")
  func syntax() throws {
    let folder = try CompletionFolder(script: Demo.program.tool.bashCompletion(), name: "completion.bash")
    #expect(try run(["bash", "-n", folder.script]) == Outcome(output: "", errors: "", status: 0))
  }

  struct Case: Sendable, CustomTestStringConvertible {
    /// The words, cut as bash cuts them; the last is the one to complete.
    var words: [String]
    var candidates: [String]
    var testDescription: String { words.joined(separator: " ") }

    init(_ words: [String], _ candidates: [String]) {
      self.words = words
      self.candidates = candidates
    }
  }

  static let globals = ["--shelf", "--json", "--quiet", "--help"]

  @Test(
    "candidates are right",
    arguments: [
      Case([""], ["bake", "slice", "shelf", "help"]),
      Case(["b"], ["bake"]),
      Case(["sec"], []),
      Case(["--"], globals + ["--version"]),
      Case(["--shelf", "x", "sh"], ["shelf"]),
      Case(["--shelf", "=", "x", "sh"], ["shelf"]),
      Case(["shelf", ""], ["list", "clear"]),
      Case(["shelf", "l"], ["list"]),
      Case(["shelf", "wrong", ""], []),
      Case(["bake", "--c"], ["--crust", "--corners"]),
      Case(["bake", "--no"], ["--no-steam"]),
      Case(["bake", "--p"], []),
      Case(["shelf", "list", "--"], globals),
      Case(["bake", "--crust", ""], ["soft", "normal", "dark"]),
      Case(["bake", "--crust", "d"], ["dark"]),
      Case(["bake", "-c", "d"], ["dark"]),
      Case(["bake", "-fc", "d"], ["dark"]),
      Case(["bake", "--crust", "=", "d"], ["dark"]),
      Case(["bake", "--crust", "="], ["soft", "normal", "dark"]),
      Case(["bake", ""], ["compopt -o default"]),
      Case(["bake", "a", "-f", "r"], ["compopt -o default"]),
      Case(["bake", "--shelf", ""], ["compopt -o dirnames"]),
      Case(["bake", "--", "--c"], ["compopt -o default"]),
      Case(["bake", "--corners", "0,0", "1,1", ""], []),
      Case(["bake", "--corners", "0,0", "1,1", "1,2", "3,4", ""], ["compopt -o default"]),
      Case(["bake", "--seed", ""], []),
      Case(["slice", ""], ["12", "13"]),
      Case(["slice", "13"], ["13"]),
      Case(["--shelf", "x", "slice", "14"], ["14"]),
      Case(["slice", "12", ""], ["bread", "chef"]),
      Case(["slice", "--thickness", "8", "12", "c"], ["chef"]),
      Case(["slice", "-9", "c"], ["chef"]),
      Case(["slice", "12", "chef", ""], []),
      Case(["help", ""], ["bake", "slice", "shelf"]),
      Case(["help", "shelf", ""], ["list", "clear"]),
      Case(["help", "bake", ""], []),
    ])
  func candidates(line: Case) throws {
    let folder = try CompletionFolder(script: Demo.program.tool.bashCompletion(), name: "completion.bash")
    let driver = #"""
      set -u
      source "$1"; shift
      compopt() { COMPREPLY+=("compopt $*"); }
      COMP_WORDS=(baker "$@") COMP_CWORD=$# COMP_WORDBREAKS=$' \t\n"\'><=;|&(:'
      _baker baker "${COMP_WORDS[COMP_CWORD]}" ''
      ((${#COMPREPLY[@]} == 0)) || printf '%s\n' "${COMPREPLY[@]}"
      """#
    let outcome = try run(
      ["bash", "-c", driver, "bash", folder.script] + line.words, environment: folder.environment)
    #expect(outcome.errors == "")
    #expect(outcome.lines == line.candidates)
  }

  @Test("without '=' as a word break the whole word is replaced")
  func wholeWord() throws {
    let folder = try CompletionFolder(script: Demo.program.tool.bashCompletion(), name: "completion.bash")
    let driver = #"""
      source "$1"
      COMP_WORDS=(baker bake --crust=d) COMP_CWORD=2 COMP_WORDBREAKS=' '
      _baker baker --crust=d bake
      printf '%s\n' "${COMPREPLY[@]}"
      """#
    let outcome = try run(["bash", "-c", driver, "bash", folder.script], environment: folder.environment)
    #expect(outcome.lines == ["--crust=dark"])
  }
}
