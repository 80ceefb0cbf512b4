/// Reads what `lpstat` and `lp` say in the C locale.
package enum LpstatAnswer {
  /// What a printer is doing, and what is said about it.
  package struct State: Sendable, Hashable {
    package var state: Printer.State
    package var message: String?

    package init(state: Printer.State, message: String? = nil) {
      self.state = state
      self.message = message
    }
  }

  /// Whether a queue takes jobs, and why not.
  package struct Acceptance: Sendable, Hashable {
    package var isAccepting: Bool
    package var message: String?

    package init(isAccepting: Bool, message: String? = nil) {
      self.isAccepting = isAccepting
      self.message = message
    }
  }

  /// `lpstat -p`: `printer NAME is idle.  enabled since …`, `printer NAME now printing JOB.  enabled since …` or
  /// `printer NAME disabled since … -`, each perhaps with a message on lines that begin with a tab.
  package static func states(_ answer: String) -> [String: State] {
    var found: [String: State] = [:]
    for entry in entries(answer) {
      let words = entry.line.split(separator: " ")
      guard words.count >= 3, words[0] == "printer" else { continue }
      let state: Printer.State =
        switch words[2] {
        case "is": .idle
        case "now": .printing
        case "disabled": .stopped
        default: .unknown
        }
      found[String(words[1])] = State(state: state, message: entry.message)
    }
    return found
  }

  /// `lpstat -a`: `NAME accepting requests since …` or `NAME not accepting requests since … -` and a message.
  package static func acceptance(_ answer: String) -> [String: Acceptance] {
    var found: [String: Acceptance] = [:]
    for entry in entries(answer) {
      let words = entry.line.split(separator: " ")
      guard words.count >= 3 else { continue }
      found[String(words[0])] = Acceptance(isAccepting: words[1] == "accepting", message: entry.message)
    }
    return found
  }

  /// `lpstat -e`: a name on each line.
  package static func names(_ answer: String) -> [String] {
    answer.split(whereSeparator: \.isNewline).map(String.init)
  }

  /// `lpstat -d`: `system default destination: NAME`, where NAME may have an instance (`NAME/draft`), or another sentence.
  package static func standard(_ answer: String) -> String? {
    let start = "system default destination: "
    let line = answer.split(whereSeparator: \.isNewline).first { $0.hasPrefix(start) }
    return line.map { String($0.dropFirst(start.count)) }
  }

  /// `lp`: `request id is Office-12 (1 file(s))`.
  package static func jobID(_ answer: String) -> String? {
    let start = "request id is "
    let line = answer.split(whereSeparator: \.isNewline).first { $0.hasPrefix(start) }
    guard let id = line?.dropFirst(start.count).prefix(while: { $0 != " " }), !id.isEmpty else { return nil }
    return String(id)
  }

  /// The lines that aren't indented, each with those below it that are.
  private static func entries(_ answer: String) -> [(line: Substring, message: String?)] {
    var found: [(line: Substring, message: String?)] = []
    for line in answer.split(whereSeparator: \.isNewline) {
      if line.first?.isWhitespace != true {
        found.append((line, nil))
      } else if let last = found.indices.last {
        let text = line.drop(while: \.isWhitespace)
        // CUPS has no reason to give, and says so.
        if text.isEmpty || text == "reason unknown" { continue }
        found[last].message = found[last].message.map { "\($0) \(text)" } ?? String(text)
      }
    }
    return found
  }
}
