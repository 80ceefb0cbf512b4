private import Glibc

/// What is known of the place that output goes to.
package struct TerminalFacts: Sendable, Equatable {
  package var isTerminal: Bool
  /// Characters in a line: of the terminal, of `COLUMNS`, or 80.
  package var columns: Int
  /// Bold and colours are welcome: a terminal that isn't dumb, and `NO_COLOR` is not set.
  package var isStyled: Bool
  /// The cursor can be moved: a terminal that isn't dumb.
  package var canRedraw: Bool
  /// The locale writes UTF-8.
  package var isUnicode: Bool

  package init(
    isTerminal: Bool, columns: Int = 80, isStyled: Bool = false, canRedraw: Bool = false,
    isUnicode: Bool = true
  ) {
    self.isTerminal = isTerminal
    self.columns = columns
    self.isStyled = isStyled
    self.canRedraw = canRedraw
    self.isUnicode = isUnicode
  }

  /// A file or a pipe.
  package static let plain = TerminalFacts(isTerminal: false)

  /// The facts of an open file descriptor, by the environment's word.
  package static func of(descriptor: Int32, environment: [String: String]) -> TerminalFacts {
    let isTerminal = isatty(descriptor) == 1
    // https://no-color.org: any value but the empty one counts.
    let noColour = !environment["NO_COLOR", default: ""].isEmpty
    let isDumb = ["", "dumb"].contains(environment["TERM", default: ""])
    // The order in which the C library decides on the locale.
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    let encoding = locale?.lowercased() ?? ""
    return TerminalFacts(
      isTerminal: isTerminal, columns: columns(of: descriptor, environment: environment),
      isStyled: isTerminal && !isDumb && !noColour, canRedraw: isTerminal && !isDumb,
      isUnicode: encoding.contains("utf-8") || encoding.contains("utf8"))
  }

  private static func columns(of descriptor: Int32, environment: [String: String]) -> Int {
    if let text = environment["COLUMNS"], let columns = Int(text), (1...10_000).contains(columns) {
      return columns
    }
    var size = winsize()
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }
}
