import CommandLineKit
import Glibc
import Synchronization
import Testing

@Suite("The console")
struct ConsoleTests {
  static let terminal = TerminalFacts(isTerminal: true, columns: 80, isStyled: false, canRedraw: true)

  @Test("results and everything else go their own ways")
  func streams() {
    let test = TestConsole()
    test.console.print("result")
    test.console.note("note")
    test.console.warn("careful")
    test.console.printFailure("can't", hints: ["do this", "or that"])
    #expect(test.output.text == "result\n")
    #expect(
      test.errors.text
        == "note\nbaker: warning: careful\nbaker: error: can't\nbaker: hint: do this\nbaker: hint: or that\n")
  }

  @Test("quiet silences notes, not warnings")
  func quiet() {
    let test = TestConsole(errorFacts: Self.terminal)
    test.console.silenceNotes()
    test.console.note("note")
    test.console.progress("Baking", total: 3, unit: "loaves").advance()
    test.console.warn("careful")
    test.console.print("result")
    #expect(test.errors.text == "baker: warning: careful\n")
    #expect(test.output.text == "result\n")
  }

  @Test(
    "the first failure of the output is kept, and printing goes on without harm",
    arguments: [
      OutputFailure.closedPipe, .system(ENOSPC),
    ])
  func failure(failure: OutputFailure) {
    let test = TestConsole()
    test.console.print("one")
    test.output.fail(with: failure)
    test.console.print("two")
    test.output.fail(with: .system(EIO))
    test.console.print("three")
    #expect(test.output.text == "one\n")
    #expect(test.console.outputFailure == failure)
    #expect(throws: failure) { try test.console.write([1]) }
  }

  @Test("a failure says what the system says")
  func failureText() {
    #expect(OutputFailure.system(ENOSPC).description == "no space left on device")
  }

  @Test(
    "yes and no are understood, and asked again otherwise",
    arguments: [
      (["y"], true), (["YES"], true), (["n"], false), ([""], false), (["what", "yes"], true), ([], nil),
    ] as [([String], Bool?)])
  func confirms(answers: [String], result: Bool?) {
    #expect(TestConsole(answers: answers).console.confirm("Really?") == result)
  }

  @Test("nobody can be asked without a terminal")
  func nobody() {
    let console = Console(programName: "baker", output: MemorySink(), errors: MemorySink())
    #expect(!console.canAsk)
    #expect(console.confirm("Really?") == nil)
    #expect(console.askSecret("Passphrase: ") == .none)
  }

  // MARK: Descriptors

  @Test("all bytes arrive through a small pipe, a slow reader and a non-blocking end")
  func longWrites() throws {
    var ends: [Int32] = [0, 0]
    try #require(unsafe pipe(&ends) == 0)
    let (reader, writer) = (ends[0], ends[1])
    try #require(fcntl(writer, F_SETFL, O_NONBLOCK) == 0)
    let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let received = Background { Self.readAll(reader) }
    try FileDescriptorSink(writer).write(bytes)
    close(writer)
    #expect(received.value() == bytes)
    close(reader)
  }

  private static func readAll(_ descriptor: Int32) -> [UInt8] {
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1000)
    while true {
      let count = unsafe read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return all }
      all += buffer[..<count]
    }
  }

  @Test("a closed pipe is told apart from other failures")
  func closedPipe() async throws {
    // In a process of its own, because ignoring the signal is a change to the whole process.
    await #expect(processExitsWith: .success) {
      _ = Console.standard(programName: "baker", environment: [:])
      var ends: [Int32] = [0, 0]
      try #require(unsafe pipe(&ends) == 0)
      close(ends[0])
      let writer = ends[1]
      #expect(throws: OutputFailure.closedPipe) { try FileDescriptorSink(writer).write([1]) }
      #expect(throws: OutputFailure.system(EBADF)) { try FileDescriptorSink(-1).write([1]) }
    }
  }

  @Test("a full device is a failure with its reason")
  func fullDevice() throws {
    let descriptor = unsafe open("/dev/full", O_WRONLY)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    #expect(throws: OutputFailure.system(ENOSPC)) { try FileDescriptorSink(descriptor).write([1]) }
  }

  @Test(
    "a pipe is no terminal, whatever the environment says",
    arguments: [
      (["COLUMNS": "120"], 120, false), (["COLUMNS": "0"], 80, false), (["COLUMNS": "x"], 80, false),
      (["LANG": "de_DE.UTF-8"], 80, true), (["LC_ALL": "C", "LANG": "de_DE.UTF-8"], 80, false),
      (["LC_ALL": "", "LC_CTYPE": "C.utf8"], 80, true),
    ] as [([String: String], Int, Bool)])
  func facts(environment: [String: String], columns: Int, isUnicode: Bool) throws {
    var ends: [Int32] = [0, 0]
    try #require(unsafe pipe(&ends) == 0)
    defer { ends.forEach { close($0) } }
    let facts = TerminalFacts.of(descriptor: ends[1], environment: environment)
    #expect(facts == TerminalFacts(isTerminal: false, columns: columns, isUnicode: isUnicode))
  }

  @Test(
    "NO_COLOR and a dumb terminal are heeded",
    arguments: [
      (["TERM": "xterm"], true, true), (["TERM": "xterm", "NO_COLOR": "1"], false, true),
      (["TERM": "xterm", "NO_COLOR": ""], true, true),
      (["TERM": "dumb"], false, false), ([:], false, false),
    ] as [([String: String], Bool, Bool)])
  func styles(environment: [String: String], isStyled: Bool, canRedraw: Bool) throws {
    let terminal = try PseudoTerminal(columns: 97)
    let facts = TerminalFacts.of(descriptor: terminal.programSide, environment: environment)
    #expect(facts.isTerminal)
    #expect(facts.columns == 97)
    #expect(facts.isStyled == isStyled)
    #expect(facts.canRedraw == canRedraw)
  }
}
