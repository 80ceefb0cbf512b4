import Foundation
import CommandLineKit
import Synchronization
import Testing

@Suite("Progress")
struct ProgressTests {
  /// A clock that tests set.
  final class Clock: Sendable {
    private let time = Mutex(0.0)
    var now: Double { time.withLock { $0 } }
    func set(_ value: Double) { time.withLock { $0 = value } }
  }

  let clock = Clock()

  func console(columns: Int = 80, isUnicode: Bool = true, canRedraw: Bool = true) -> TestConsole {
    TestConsole(
      errorFacts: TerminalFacts(
        isTerminal: true, columns: columns, canRedraw: canRedraw, isUnicode: isUnicode),
      now: { [clock] in clock.now })
  }

  static let erase = "\r\u{1b}[K"

  @Test("count, rate and time left are shown")
  func shows() {
    let test = console()
    let bar = test.console.progress("Baking", total: 40, unit: "loaves")
    clock.set(5)
    bar.advance(by: 10)
    bar.finish()
    #expect(
      test.errors.text == """
        Baking  ░░░░░░░░░░░░░░░░░░░░░░░░  0/40 loaves\(Self.erase)\
        Baking  ██████░░░░░░░░░░░░░░░░░░  10/40 loaves  2.0/s  15 s left\(Self.erase)
        """)
  }

  @Test("it is drawn at most ten times a second")
  func throttles() {
    let test = console()
    let bar = test.console.progress("Baking", total: 1000, unit: "loaves")
    for step in 1...1000 {
      clock.set(Double(step) * 0.001)
      bar.advance()
    }
    let drawings = test.errors.text.components(separatedBy: "Baking").count - 1
    #expect((10...11).contains(drawings))
  }

  @Test("other output takes it away and puts it back")
  func outputBetween() {
    let test = console(isUnicode: false)
    let bar = test.console.progress("Baking", total: 2, unit: "loaves")
    let line = "Baking  ------------------------  0/2 loaves"
    test.console.note("hot")
    test.console.print("done")
    bar.finish()
    test.console.note("end")
    #expect(test.errors.text == "\(line)\(Self.erase)hot\n\(line)\(Self.erase)\(line)\(Self.erase)end\n")
  }

  @Test("nothing is drawn where nothing can be redrawn")
  func notATerminal() {
    let test = console(canRedraw: false)
    let bar = test.console.progress("Baking", total: 2, unit: "loaves")
    bar.advance()
    bar.finish()
    #expect(test.errors.text == "")
  }

  @Test("it never fills the line, so that it can't wrap", arguments: [10, 20, 40, 60, 80])
  func fits(columns: Int) {
    let test = console(columns: columns)
    let bar = test.console.progress("Baking", total: 12_345, unit: "loaves")
    clock.set(3)
    bar.advance(by: 12)
    for line in test.errors.text.components(separatedBy: Self.erase) { #expect(displayWidth(line) < columns) }
  }

  @Test("nothing after the end is drawn, and odd numbers do no harm")
  func oddNumbers() {
    let test = console()
    let bar = test.console.progress("Baking", total: 0, unit: "loaves")
    clock.set(10)
    bar.advance(by: 3)
    #expect(test.errors.text.contains("3/3 loaves"))
    bar.finish()
    let length = test.errors.text.count
    clock.set(20)
    bar.advance()
    bar.finish()
    #expect(test.errors.text.count == length)
  }
}
