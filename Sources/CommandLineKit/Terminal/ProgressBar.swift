private import Synchronization

/// How far long work has come, on standard error when that is a terminal, and nowhere else.
///
///     let bar = console.progress("Scanning", total: photos.count, unit: "photos")
///     bar.advance()
///     bar.finish()
///
/// It shows a bar, the count, the rate and the time left, and is drawn anew at most ten times a second. Other output on the same
/// console takes it away first. Calls may come from any thread.
package final class ProgressBar: Sendable {
  private let console: Console
  private let label: String
  private let unit: String
  private let state: Mutex<State>

  /// Seconds between two drawings.
  private static let interval = 0.1
  /// Seconds of work before a rate is worth showing.
  private static let settling = 1.0
  private static let barWidth = 24

  private struct State {
    var completed = 0
    var total: Int
    let start: Double
    var lastDrawn = -Double.infinity
    var isFinished = false
  }

  init(console: Console, label: String, total: Int, unit: String) {
    self.console = console
    self.label = label
    self.unit = unit
    state = Mutex(State(total: total, start: console.now()))
    draw()
  }

  /// Notes that so many more are done.
  package func advance(by count: Int = 1) {
    state.withLock { $0.completed += count }
    draw()
  }

  /// Changes how many there are in all, such as when a photo turns out to hold several pages.
  package func setTotal(_ total: Int) {
    state.withLock { $0.total = total }
    draw()
  }

  /// Takes the line away.
  package func finish() {
    state.withLock { state in
      if !state.isFinished, console.showsProgress { console.showProgress(nil) }
      state.isFinished = true
    }
  }

  private func draw() {
    guard console.showsProgress else { return }
    state.withLock { state in
      let now = console.now()
      guard !state.isFinished, now - state.lastDrawn >= Self.interval else { return }
      state.lastDrawn = now
      console.showProgress(line(state, now: now))
    }
  }

  private func line(_ state: State, now: Double) -> String {
    let elapsed = now - state.start
    let total = max(state.total, state.completed)
    var facts = ["\(state.completed)/\(total) \(unit)"]
    if state.completed > 0, elapsed >= Self.settling {
      let rate = Double(state.completed) / elapsed
      facts.append(rateText(rate))
      facts.append("\(durationText(Double(total - state.completed) / rate)) left")
    }
    let text = facts.joined(separator: "  ")
    let columns = console.errorFacts.columns - 1
    let bar = barText(share: total == 0 ? 0 : Double(state.completed) / Double(total))
    let whole = "\(label)  \(bar)  \(text)"
    // On a narrow terminal the bar goes first, and then the end of the text.
    return displayWidth(whole) <= columns ? whole : truncated("\(label)  \(text)", to: columns)
  }

  private func barText(share: Double) -> String {
    let filled = Int((share * Double(Self.barWidth)).rounded(.down))
    let (full, empty) = console.errorFacts.isUnicode ? ("█", "░") : ("#", "-")
    return String(repeating: full, count: filled) + String(repeating: empty, count: Self.barWidth - filled)
  }

  private func rateText(_ rate: Double) -> String {
    if rate >= 10 { return "\(Int(min(rate, 1e9)))/s" }
    if rate >= 0.1 { return "\(tenths(rate))/s" }
    return "\(tenths(min(rate * 60, 1e9)))/min"
  }
}

extension Console {
  /// Starts a progress bar; there is one at a time.
  package func progress(_ label: String, total: Int, unit: String) -> ProgressBar {
    ProgressBar(console: self, label: label, total: total, unit: unit)
  }
}

/// A number with one digit after the point.
private func tenths(_ value: Double) -> String {
  let scaled = Int((value * 10).rounded())
  return "\(scaled / 10).\(scaled % 10)"
}

/// A time in words as short as they can be: `8 s`, `2 min 05 s`, `1 h 20 min`.
package func durationText(_ seconds: Double) -> String {
  let whole = Int(min(max(seconds, 0), 1e9).rounded())
  if whole < 60 { return "\(whole) s" }
  let rest = whole < 3600 ? whole % 60 : whole / 60 % 60
  let two = (rest < 10 ? "0" : "") + String(rest)
  return whole < 3600 ? "\(whole / 60) min \(two) s" : "\(whole / 3600) h \(two) min"
}
