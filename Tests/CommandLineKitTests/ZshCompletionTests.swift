import Foundation
import CommandLineKit
import Testing

@Suite("Completion in zsh")
struct ZshCompletionTests {
  @Test("the script looks as recorded")
  func script() throws {
    try expectSnapshot(Demo.program.tool.zshCompletion(), "completion.zsh")
  }

  @Test("zsh accepts the script")
  func syntax() throws {
    let folder = try CompletionFolder(script: Demo.program.tool.zshCompletion(), name: "_baker")
    #expect(try run(["zsh", "-n", folder.script]) == Outcome(output: "", errors: "", status: 0))
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

  static let cases = [
    Case("", ["bake", "help", "shelf", "slice"]),
    Case("b", ["bake"]),
    Case("--ver", ["--version"]),
    Case("--shelf x sh", ["shelf"]),
    Case("--shelf=x sh", ["shelf"]),
    Case("shelf ", ["clear", "list"]),
    Case("shelf wrong ", []),
    Case("bake --c", ["--corners", "--crust"]),
    Case("bake --no", ["--no-steam"]),
    Case("bake --p", []),
    Case("shelf list --", ["--help", "--json", "--quiet", "--shelf"]),
    Case("bake --crust ", ["dark", "normal", "soft"]),
    Case("bake --crust=d", ["dark"]),
    Case("bake -c d", ["dark"]),
    Case("bake -fc d", ["dark"]),
    Case("bake --crust dark --cr", []),
    Case("bake --seed x --see", ["--seed"]),
    Case("bake r", ["rye.txt"]),
    Case("bake a -f r", ["rye.txt"]),
    Case("bake --shelf ", ["trays"]),
    Case("bake --shelf=t", ["trays"]),
    Case("bake --corners 0,0 1,1 r", []),
    Case("bake --corners 0,0 1,1 1,2 3,4 r", ["rye.txt"]),
    Case("bake --seed r", []),
    Case("slice ", ["12", "13"]),
    Case("--shelf x slice ", ["12", "13", "14"]),
    Case("--shelf=x slice ", ["12", "13", "14"]),
    Case("slice 12 ", ["bread", "chef"]),
    Case("slice --thickness 8 12 c", ["chef"]),
    // Where no argument is left, zsh shows the options.
    Case("slice 12 chef ", ["--help", "--json", "--quiet", "--shelf", "--thickness", "-h", "-q"]),
    Case("help ", ["bake", "shelf", "slice"]),
    Case("help shelf ", ["clear", "list"]),
    Case("help bake ", []),
  ]

  /// All lines are completed in one interactive zsh, because starting its completion system takes long.
  static let session = Result { try complete(cases.map(\.line)) }

  @Test("candidates are right", arguments: cases)
  func candidates(line: Case) throws {
    let found = try Self.session.get()
    #expect(found[line.line] == line.candidates)
  }

  /// The candidates of each line.
  static func complete(_ lines: [String]) throws -> [String: [String]] {
    let folder = try CompletionFolder(script: Demo.program.tool.zshCompletion(), name: "_baker")
    // The inner zsh notes every candidate that `compadd` would add, and then a line that ends the list.
    let setup = #"""
      autoload -Uz compinit && compinit -D -u
      source $SCRIPT
      cd $FOLDER
      compadd() {
        if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then
          builtin compadd "$@"
          return
        fi
        local -a found
        builtin compadd -A found "$@"
        (($#found)) && print -rl -- $found >>$FOLDER/found
        builtin compadd "$@"
      }
      note-candidates() { zle list-choices; print -- '===' >>$FOLDER/found; BUFFER=; print -n FINISHED }
      zle -N note-candidates
      bindkey '^X' note-candidates
      LISTMAX=1000 PS1=READY
      """#
    let driver = #"""
      zmodload zsh/zpty
      zpty inner zsh -f -i
      zpty -w inner "source $FOLDER/setup"
      zpty -r inner seen '*READY*'
      for line; do
        zpty -n -w inner "baker $line"$'\C-x'
        zpty -r inner seen '*FINISHED*'
      done
      zpty -d inner
      """#
    try setup.write(toFile: folder.path + "/setup", atomically: true, encoding: .utf8)
    let environment = folder.environment.merging([
      "SCRIPT": folder.script, "FOLDER": folder.path, "TERM": "vt100",
    ]) { $1 }
    let outcome = try run(
      ["timeout", "60", "zsh", "-f", "-c", driver, "zsh"] + lines, environment: environment)
    #expect(outcome.errors == "")
    #expect(outcome.status == 0)
    let text = try String(contentsOfFile: folder.path + "/found", encoding: .utf8)
    let lists = text.components(separatedBy: "===\n").dropLast().map { part in
      Set(part.split(separator: "\n").map(String.init)).sorted()
    }
    return Dictionary(zip(lines, lists)) { first, _ in first }
  }
}
