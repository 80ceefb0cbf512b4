private import CSpawnShims
private import Glibc

/// Another program that is to be started: the one way in which this program starts any.
///
/// It has no signal blocked or ignored, whatever this process has done about its own; of our open files it gets those that are named and
/// the standard three, nothing else; and its environment lacks what tells where passphrases are.
package struct ChildProgram: Sendable {
  /// A file open here, and the number it has in the program.
  package struct Stream: Sendable {
    let own: Int32
    let theirs: Int32

    package init(_ own: Int32, as theirs: Int32) {
      self.own = own
      self.theirs = theirs
    }
  }

  /// Why a program could not be started.
  package struct StartError: Error, Hashable {
    /// The system's error number.
    package let code: Int32
  }

  /// Variables that begin with this tell where a passphrase is to be had: no other program's affair.
  private static let secretPrefix = "FLATBED_PASSPHRASE"

  private let path: String
  private let arguments: [String]
  private let environment: [String: String]

  /// - Parameters:
  ///   - path: the program's file.
  ///   - arguments: with the name it is to have as the first.
  ///   - environment: its variables; those about passphrases are left out.
  package init(_ path: String, _ arguments: [String], environment: [String: String]) {
    self.path = path
    self.arguments = arguments
    self.environment = environment.filter { !$0.key.hasPrefix(Self.secretPrefix) }
  }

  /// The first program of a name in the folders of the `PATH` of an environment.
  package static func path(of name: String, in environment: [String: String]) -> String? {
    (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
      .map { "\($0)/\(name)" }
      .first { unsafe access($0, X_OK) == 0 }
  }

  /// Starts the program.
  ///
  /// - Parameters:
  ///   - streams: what it gets of our files, in this order; standard streams that aren't named are ours.
  ///   - isDetached: whether it gets a session of its own, so that Ctrl-C at our terminal doesn't reach it.
  /// - Returns: the process, to be waited for.
  package func start(_ streams: [Stream], isDetached: Bool = false) throws(StartError) -> Int32 {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    for stream in streams {
      // The copy is not closed on exec, even if the original is.
      unsafe posix_spawn_file_actions_adddup2(&actions, stream.own, stream.theirs)
    }
    // Whoever started us may wait for files to be closed that a child that lives on would keep open.
    unsafe flatbed_spawn_close_from(&actions, STDERR_FILENO + 1)
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    unsafe sigemptyset(&none)
    var all = sigset_t()
    unsafe sigfillset(&all)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    unsafe posix_spawnattr_setsigdefault(&attributes, &all)
    var flags = Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK)
    if isDetached { flags |= flatbed_spawn_new_session() }
    unsafe posix_spawnattr_setflags(&attributes, flags)
    var argumentPointers = unsafe arguments.map { unsafe strdup($0) } + [nil]
    var variablePointers = unsafe environment.map { unsafe strdup("\($0.key)=\($0.value)") } + [nil]
    defer {
      unsafe argumentPointers.forEach { unsafe free($0) }
      unsafe variablePointers.forEach { unsafe free($0) }
    }
    var process: pid_t = 0
    let code = unsafe posix_spawn(
      &process, path, &actions, &attributes, &argumentPointers, &variablePointers)
    guard code == 0 else { throw StartError(code: code) }
    return process
  }
}
