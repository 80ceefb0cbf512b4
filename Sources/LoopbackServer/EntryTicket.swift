private import Synchronization

/// Lets one browser in: a token that works once and for a while is exchanged for a secret that lasts as long as the site.
///
/// The token may be seen by others after it was used, in a history or in a list of processes; the secret stands in no address.
package final class EntryTicket: Sendable {
  /// What became of a token that was shown.
  package enum Outcome: Sendable, Hashable {
    case admitted(secret: String)
    case unknown
    case used
    case expired
  }

  /// 64 hexadecimal digits.
  package let token: String
  private let secret: String
  private let deadline: Double
  private let now: @Sendable () -> Double
  private let isUsed = Mutex(false)

  /// - Parameters:
  ///   - life: how many seconds the token is good for.
  ///   - now: seconds on a clock that never goes back.
  package init(life: Double, now: @escaping @Sendable () -> Double) {
    token = Self.random()
    secret = Self.random()
    deadline = now() + life
    self.now = now
  }

  /// Whether the token has let somebody in.
  package var wasUsed: Bool { isUsed.withLock { $0 } }

  /// Whether the token never let anybody in, and will not any more.
  package var isLost: Bool { !wasUsed && now() > deadline }

  /// Takes a token; the right one works once.
  package func redeem(_ shown: String) -> Outcome {
    guard Self.areEqual(shown, token) else { return .unknown }
    return isUsed.withLock { used in
      if used { return .used }
      if now() > deadline { return .expired }
      used = true
      return .admitted(secret: secret)
    }
  }

  /// Whether this is the secret; nothing is before the token was redeemed.
  package func admits(_ shown: String?) -> Bool {
    guard wasUsed, let shown else { return false }
    return Self.areEqual(shown, secret)
  }

  /// 256 random bits.
  private static func random() -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<4).map { _ in
      let digits = String(UInt64.random(in: 0...UInt64.max, using: &generator), radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }

  /// Compares in a time that doesn't tell how much is right.
  private static func areEqual(_ one: String, _ two: String) -> Bool {
    let (first, second) = (Array(one.utf8), Array(two.utf8))
    guard first.count == second.count else { return false }
    return zip(first, second).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
