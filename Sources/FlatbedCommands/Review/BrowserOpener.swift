import Glibc

/// Has the desktop open a file, and doesn't wait for what it starts.
///
/// - Returns: whether `xdg-open` could be started.
func openInBrowser(_ path: String, environment: [String: String]) -> Bool {
  var attributes = posix_spawnattr_t()
  unsafe posix_spawnattr_init(&attributes)
  defer { unsafe posix_spawnattr_destroy(&attributes) }
  var none = sigset_t()
  unsafe sigemptyset(&none)
  var all = sigset_t()
  unsafe sigfillset(&all)
  unsafe posix_spawnattr_setsigmask(&attributes, &none)
  unsafe posix_spawnattr_setsigdefault(&attributes, &all)
  // In a session of its own, so that Ctrl-C here doesn't end the browser.
  let flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | 0x80
  unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
  var actions = unsafe posix_spawn_file_actions_t()
  unsafe posix_spawn_file_actions_init(&actions)
  defer { unsafe posix_spawn_file_actions_destroy(&actions) }
  for stream in 0..<Int32(3) {
    unsafe posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0)
  }
  let words = ["xdg-open", path]
  var argumentPointers = unsafe words.map { unsafe strdup($0) } + [nil]
  let variables = environment.map { "\($0.key)=\($0.value)" }
  var variablePointers = unsafe variables.map { unsafe strdup($0) } + [nil]
  defer {
    unsafe argumentPointers.forEach { unsafe free($0) }
    unsafe variablePointers.forEach { unsafe free($0) }
  }
  // Nobody waits for it: it may stay as long as the browser, and goes with this process's parent.
  var process: pid_t = 0
  for folder in (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":") {
    let program = "\(folder)/xdg-open"
    guard unsafe access(program, X_OK) == 0 else { continue }
    return unsafe posix_spawn(&process, program, &actions, &attributes, &argumentPointers, &variablePointers)
      == 0
  }
  return false
}
