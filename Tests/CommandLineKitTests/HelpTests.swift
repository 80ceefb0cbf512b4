import CommandLineKit
import Testing

@Suite("Help")
struct HelpTests {
  struct Page: Sendable, CustomTestStringConvertible {
    var path: [String]
    var columns = 80
    var styled = false
    var file: String
    var testDescription: String { file }
  }

  @Test(
    "help looks as recorded",
    arguments: [
      Page(path: [], file: "help.txt"),
      Page(path: ["bake"], file: "help-bake.txt"),
      Page(path: ["bake"], columns: 50, file: "help-bake-narrow.txt"),
      Page(path: ["bake"], columns: 300, file: "help-bake-wide.txt"),
      Page(path: ["bake"], styled: true, file: "help-bake-styled.txt"),
      Page(path: ["slice"], file: "help-slice.txt"),
      Page(path: ["shelf"], file: "help-shelf.txt"),
      Page(path: ["shelf", "list"], file: "help-shelf-list.txt"),
    ])
  func looks(page: Page) throws {
    let text = Demo.program.tool.helpText(for: page.path, columns: page.columns, styled: page.styled)
    try expectSnapshot(text, page.file)
  }

  @Test("no line of help is wider than the terminal or 100 columns", arguments: [40, 60, 80, 100, 200])
  func fits(columns: Int) {
    for (path, _) in Demo.program.tool.allCommands {
      let text = Demo.program.tool.helpText(for: path, columns: columns)
      let described = text.split(separator: "\n").prefix { $0 != "Examples:" }
      for line in described { #expect(displayWidth(String(line)) <= min(columns, 100), "\(line)") }
    }
  }

  @Test("styled help is the same text with bold in it")
  func styledIsTheSame() {
    let styled = Demo.program.tool.helpText(for: ["bake"], styled: true)
    let plain = styled.replacing("\u{1b}[1m", with: "").replacing("\u{1b}[0m", with: "")
    #expect(styled != plain)
    #expect(plain == Demo.program.tool.helpText(for: ["bake"]))
  }

  @Test("hidden parameters and commands aren't shown")
  func hidden() {
    #expect(!Demo.program.tool.helpText(for: ["bake"]).contains("--probe"))
    #expect(!Demo.program.tool.helpText(for: []).contains("secret"))
  }

  @Test("a fault of use shows the message, the suggestion, the usage and where to read more")
  func faultText() {
    let error = UsageError("unknown option '--x'", suggestion: "did you mean '--y'?", commandPath: ["slice"])
    #expect(
      Demo.program.tool.text(of: error) == """
        baker: error: unknown option '--x'
        baker: hint: did you mean '--y'?
        Usage: baker slice [OPTIONS] --thickness MM LOAF [KNIFE]
        See 'baker slice --help'.
        """)
  }
}
