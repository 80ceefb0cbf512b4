import CommandLineKit
import FlatbedCommands
import Foundation
import TestSupport
import Testing

@Suite struct CommandTreeTests {
  @Test("names, help, defaults and examples of all commands hold together")
  func valid() { #expect(FlatbedProgram.program.descriptionFaults() == []) }

  @Test("every code is in docs/errors.md, with its status", arguments: Failure.Code.allCases)
  func documented(code: Failure.Code) throws {
    let file = Samples.package.appendingPathComponent("docs/errors.md")
    let page = try String(contentsOf: file, encoding: .utf8)
    #expect(page.contains("| `\(code.rawValue)` | \(code.status.rawValue) |"))
  }
}
