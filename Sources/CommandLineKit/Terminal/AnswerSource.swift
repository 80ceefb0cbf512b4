private import Glibc
private import Synchronization

/// What came of a question.
package enum Answer: Sendable, Equatable {
  /// A line without its newline.
  case line(String)
  /// There is nobody to ask, or the input ended.
  case none
  /// The user pressed Ctrl-C.
  case cancelled
}

/// What came of a question whose answer is a secret: as bytes, which whoever asked can overwrite after use.
package enum SecretAnswer: Sendable, Equatable {
  /// A line without its newline, as it was typed.
  case bytes([UInt8])
  case none
  case cancelled
}

/// Where answers come from.
package protocol AnswerSource: Sendable {
  var canAsk: Bool { get }
  func readLine(prompt: String, isSecret: Bool) -> Answer
  func readSecret(prompt: String) -> SecretAnswer
}

extension AnswerSource {
  package func readSecret(prompt: String) -> SecretAnswer {
    switch readLine(prompt: prompt, isSecret: true) {
    case .line(let text): .bytes(Array(text.utf8))
    case .none: .none
    case .cancelled: .cancelled
    }
  }
}

/// No terminal, no answers.
package struct NobodyToAsk: AnswerSource {
  package init() {}
  package var canAsk: Bool { false }
  package func readLine(prompt: String, isSecret: Bool) -> Answer { .none }
}

/// Answers from a list, for tests; it keeps the prompts.
package final class ScriptedAnswers: AnswerSource {
  private let state: Mutex<(answers: [Answer], prompts: [String])>

  package init(_ answers: [String]) { state = Mutex((answers.map { .line($0) }, [])) }

  package var canAsk: Bool { true }
  package var prompts: [String] { state.withLock { $0.prompts } }

  package func readLine(prompt: String, isSecret: Bool) -> Answer {
    state.withLock { state in
      state.prompts.append(prompt)
      return state.answers.isEmpty ? .none : state.answers.removeFirst()
    }
  }
}
