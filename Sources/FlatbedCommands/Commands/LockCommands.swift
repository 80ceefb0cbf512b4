import CommandLineKit
import Glibc
import LibraryKeys
import ScanLibrary

/// `flatbed unlock`: no more questions for a while.
struct UnlockCommand: Command {
  /// Long enough for a day's work, short enough for what is forgotten.
  private static let usual = 8 * 3600

  static let time = Option(
    "for", .duration, help: "How long: such as 15m, 2h or 1d.", default: usual)

  static let description = CommandDescription(
    name: "unlock",
    abstract: "Unlock the library for a while.",
    discussion: """
      Asks for the passphrase once; commands then work without asking, until the time is over, you log out, or 'flatbed lock'. The key \
      is in the kernel's session keyring, or in a small process where the session has none. Meanwhile every program of yours can read the library.
      """,
    examples: [
      Example("flatbed unlock --for 15m", "for a quarter of an hour"),
      Example("flatbed lock", "lock it again at once"),
    ],
    parameters: [time],
    section: "Protection")

  private let seconds: Int

  init(_ arguments: ParsedArguments) throws(UsageError) { seconds = arguments[Self.time] }

  func run(in context: CommandContext) async throws -> ExitStatus {
    let reporter = Reporter(context)
    let path = try LibraryAccess.path(context)
    let door = try inLibrary { () throws(LibraryError) in try Library.door(at: path) }
    if case .passphrase(let slots) = door.protection {
      let key = try LibraryAccess.withPassphrase(door, context) { passphrase throws(KeyError) in
        try slots.open(passphrase, library: door.id.text)
      }
      // What doesn't open the library isn't kept.
      _ = try LibraryAccess.open(door, key: key, context)
      do {
        try KeyStore(environment: context.environment).keep(key, library: door.id.text, seconds: seconds)
      } catch {
        throw Failure(key: error)
      }
      reporter.note("unlocked for \(durationText(seconds)); 'flatbed lock' locks it at once")
    } else {
      reporter.note("the library has no passphrase, and is always open to you")
    }
    reporter.emit(LockAnswer(path: path, locked: false))
    return .success
  }
}

/// `flatbed lock`: the key is forgotten, in all sessions of the user.
struct LockCommand: Command {
  static let description = CommandDescription(
    name: "lock",
    abstract: "Lock the library.",
    discussion: "Commands that are running go on to their end. It is fine to lock what is locked.",
    examples: [Example("flatbed lock", "forget the key now")],
    section: "Protection")

  init(_ arguments: ParsedArguments) throws(UsageError) {}

  func run(in context: CommandContext) async throws -> ExitStatus {
    let reporter = Reporter(context)
    let path = try LibraryAccess.path(context)
    let door = try inLibrary { () throws(LibraryError) in try Library.door(at: path) }
    let store = KeyStore(environment: context.environment)
    let wasUnlocked = store.drop(library: door.id.text)
    if store.find(library: door.id.text) != nil {
      throw Failure(.libraryUnusable, subject: path, "the library (\(printable(path))) could not be locked")
    }
    if case .ownerOnly = door.protection {
      reporter.note("the library has no passphrase, and is always open to you")
    } else {
      reporter.note(wasUnlocked ? "locked" : "it was locked already")
    }
    reporter.emit(LockAnswer(path: path, locked: door.protection != .ownerOnly))
    return .success
  }
}

private struct LockAnswer: Encodable {
  let path: String
  let locked: Bool
}

/// The process that keeps the key of an unlocked library; started by `unlock`.
struct KeepKeyCommand: Command {
  static let socket = Argument("SOCKET", .path, help: "Where it is asked.")
  static let seconds = Argument("SECONDS", .integer(0...1_000_000_000), help: "How long.")

  static let description = CommandDescription(
    name: "keep-key", abstract: "Keep a key that comes on the standard input.",
    parameters: [socket, seconds], isHidden: true)

  private let path: String
  private let time: Int

  init(_ arguments: ParsedArguments) throws(UsageError) {
    path = arguments[Self.socket]
    time = arguments[Self.seconds]
  }

  func run(in context: CommandContext) async throws -> ExitStatus {
    do {
      try KeeperProcess.run(socket: path, seconds: time) { Task.isCancelled }
    } catch {
      throw Failure(key: error)
    }
    return .success
  }
}

extension ValueType where Value == Int {
  /// A time such as `90s`, `15m`, `2h` or `1d`, in seconds.
  static var duration: Self {
    Self("TIME", describe: { durationText($0, short: true) }) { (text: String) throws(InvalidValue) in
      let units = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
      guard let unit = text.last.flatMap({ units[String($0)] }), let count = Int(text.dropLast()),
        (1...100_000).contains(count)
      else { throw InvalidValue("must be a number and a unit, such as 15m, 2h or 1d") }
      let seconds = count * unit
      guard seconds <= 366 * 86_400 else { throw InvalidValue("must be at most a year") }
      return seconds
    }
  }
}

/// A time in its largest whole unit: `15 minutes`, or short, `15m`.
private func durationText(_ seconds: Int, short: Bool = false) -> String {
  for (unit, name) in [(86_400, "day"), (3600, "hour"), (60, "minute")]
  where seconds % unit == 0 && seconds > 0 {
    return short ? "\(seconds / unit)\(name.prefix(1))" : counted(seconds / unit, name)
  }
  return short ? "\(seconds)s" : counted(seconds, "second")
}
