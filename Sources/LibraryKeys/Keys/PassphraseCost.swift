/// How hard Argon2id makes each guess at a passphrase.
package struct PassphraseCost: Sendable, Hashable {
  /// In bytes.
  package var memory: Int
  package var passes: Int

  package init(memory: Int, passes: Int) {
    self.memory = memory
    self.passes = passes
  }

  /// What new passphrases get: libsodium's MODERATE.
  package static let standard = PassphraseCost(memory: 256 << 20, passes: 3)
}

/// What a library's header may ask for: not so little that guesses are cheap, not so much that the machine stands still.
package struct PassphraseLimits: Sendable, Hashable {
  package var memory: ClosedRange<Int>
  package var passes: ClosedRange<Int>

  package init(memory: ClosedRange<Int>, passes: ClosedRange<Int>) {
    self.memory = memory
    self.passes = passes
  }

  /// The program's own, as the format document has them.
  package static let program = PassphraseLimits(memory: 256 << 20...2 << 30, passes: 3...16)

  func allow(_ cost: PassphraseCost) -> Bool {
    memory.contains(cost.memory) && cost.memory % 1024 == 0 && passes.contains(cost.passes)
  }
}
