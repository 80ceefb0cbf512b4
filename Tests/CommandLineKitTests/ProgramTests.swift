import CommandLineKit
import Testing

@Suite("Running a program")
struct ProgramTests {
  @Test("a command runs with its console, and its status is passed on")
  func runs() async throws {
    let test = TestConsole()
    #expect(
      try await Demo.program.run(["bake", "a", "b"], console: test.console, environment: [:]) == .success)
    #expect(test.output.text == "done a\ndone b\n")
    #expect(test.errors.text == "baking a\nbaking b\n")
    let status = try await Demo.program.run(
      ["slice", "1", "--thickness", "2"], console: test.console, environment: [:])
    #expect(status.rawValue == 7)
  }

  @Test("quiet is for the console too")
  func quiet() async throws {
    let test = TestConsole()
    _ = try await Demo.program.run(["bake", "a", "-q"], console: test.console, environment: [:])
    #expect(test.output.text == "done a\n")
    #expect(test.errors.text == "")
  }

  @Test("help is a result", arguments: [["--help"], [], ["help", "bake"]])
  func help(words: [String]) async throws {
    let test = TestConsole()
    #expect(try await Demo.program.run(words, console: test.console, environment: [:]) == .success)
    #expect(test.output.text.contains("Usage: baker "))
    #expect(test.errors.text == "")
  }

  @Test("the version is a result")
  func version() async throws {
    let test = TestConsole()
    #expect(try await Demo.program.run(["--version"], console: test.console, environment: [:]) == .success)
    #expect(test.output.text == "baker 1.2.3\n")
  }

  @Test("a fault of use goes to standard error, with status 2")
  func fault() async throws {
    let test = TestConsole()
    #expect(try await Demo.program.run(["bkae"], console: test.console, environment: [:]) == .usage)
    #expect(ExitStatus.usage.rawValue == 2)
    #expect(test.output.text == "")
    #expect(
      test.errors.text == """
        baker: error: unknown command 'bkae'
        baker: hint: did you mean 'bake'?
        Usage: baker [OPTIONS] COMMAND ...
        See 'baker --help'.

        """)
  }
}
