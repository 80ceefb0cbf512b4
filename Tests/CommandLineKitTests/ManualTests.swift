import CommandLineKit
import Foundation
import TestSupport
import Testing

@Suite("Manual")
struct ManualTests {
  static let sections = [
    ManualSection(
      "FILES",
      items: [.init("~/.config/baker", "The shelf's place. 'It' is café-style, with a \\ and a \"quote\".")]),
    ManualSection(
      "EXIT STATUS", text: ".Starts with a dot.\n\n  kept  as it is\n  'too", items: [.init("0", "All done.")]
    ),
  ]
  static let page = Demo.program.tool.manualPage(date: "2026-11-30", sections: sections)

  @Test("the man page looks as recorded")
  func looks() throws {
    try expectSnapshot(Self.page, "baker.1")
  }

  @Test("groff finds nothing to warn of")
  func groff() throws {
    let folder = try TemporaryFolder()
    try Self.page.write(toFile: folder.path("baker.1"), atomically: true, encoding: .utf8)
    #expect(
      try run(["groff", "-man", "-ww", "-z", folder.path("baker.1")])
        == Outcome(output: "", errors: "", status: 0))
  }

  @Test("man shows what was written, special characters and all")
  func shown() throws {
    let folder = try TemporaryFolder()
    try Self.page.write(toFile: folder.path("baker.1"), atomically: true, encoding: .utf8)
    let outcome = try run(
      ["man", "-l", folder.path("baker.1")],
      environment: ["MANWIDTH": "80", "LC_ALL": "C.UTF-8", "MANPAGER": "cat"])
    #expect(outcome.status == 0)
    let text = outcome.output
    for wanted in [
      "baker - Bake bread and keep track of the loaves", "-c, --crust CRUST", "--steam, --no-steam",
      "~/.config/baker", "'It' is café-style, with a \\ and a \"quote\".", ".Starts with a dot.",
      "kept  as it is", "'too",
      "baker slice [OPTIONS] --thickness MM LOAF [KNIFE]",
    ] {
      #expect(text.contains(wanted), "\(wanted)")
    }
  }

  @Test("the reference looks as recorded")
  func reference() throws {
    try expectSnapshot(Demo.program.tool.markdownReference(), "reference.md")
  }

  @Test("the description survives JSON")
  func json() throws {
    let tool = Demo.program.tool
    #expect(try JSONDecoder().decode(ToolDescription.self, from: JSONEncoder().encode(tool)) == tool)
  }
}
