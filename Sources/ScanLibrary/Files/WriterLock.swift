private import Glibc

/// How long to wait for another program that writes to the library, and whom to tell.
package struct LockPatience: Sendable {
  /// After this long, give up with `LibraryError.busy`.
  package var limit: Duration
  /// After this long, `notice` is called, once.
  package var noticeAfter: Duration
  /// Told who is being waited for, such as `process 4711 (flatbed)`, or `nil` if that isn't known.
  package var notice: (@Sendable (String?) -> Void)?

  package init(
    limit: Duration = .seconds(60), noticeAfter: Duration = .seconds(1),
    notice: (@Sendable (String?) -> Void)? = nil
  ) {
    self.limit = limit
    self.noticeAfter = noticeAfter
    self.notice = notice
  }
}

/// A lock on a file that the system gives back when its holder ends, however it ends (`flock(2)`).
struct FileLock: Sendable {
  static let writerFileName = "lock"

  private let file: FileDescriptor

  /// Takes the lock on `name` if nobody has it.
  static func tryTaking(_ name: String, in folder: Folder) throws(LibraryError) -> FileLock? {
    try FileLock(file: folder.lockFile(name)).take(in: folder, name)
  }

  /// Whether a writer is at work; asked without the right to write.
  static func isHeld(in folder: Folder) throws(LibraryError) -> Bool {
    do throws(LibraryError) {
      let file = try folder.openFile(writerFileName)
      try folder.calls.perform(.status, folder.path(of: writerFileName)) {
        flock(file.number, LOCK_SH | LOCK_NB)
      }
      return false
    } catch .system(_, _, EWOULDBLOCK) {
      return true
    } catch .system(_, _, ENOENT) {
      return false
    }
  }

  /// Lets some milliseconds go by, for someone else to finish.
  static func pause() { usleep(5000) }

  /// Takes the writer's lock, waiting as long as `patience` allows.
  static func waiting(in folder: Folder, patience: LockPatience) throws(LibraryError) -> FileLock {
    _ = FileCalls.survivesFileSizeLimit
    let lock = FileLock(file: try folder.lockFile(writerFileName))
    let clock = ContinuousClock()
    let start = clock.now
    var pause: useconds_t = 1000
    var hasNoticed = false
    while true {
      if let taken = try lock.take(in: folder, writerFileName) {
        taken.nameHolder()
        return taken
      }
      let waited = start.duration(to: clock.now)
      // Told also by who slept too long to wait any further.
      if !hasNoticed, waited >= patience.noticeAfter, let notice = patience.notice {
        notice(try holder(in: folder))
        hasNoticed = true
      }
      if waited >= patience.limit {
        throw .busy(path: folder.path, holder: try holder(in: folder))
      }
      usleep(pause)
      pause = min(pause * 2, 50_000)
    }
  }

  private func take(in folder: Folder, _ name: String) throws(LibraryError) -> FileLock? {
    do {
      try folder.calls.perform(.lock, folder.path(of: name)) { flock(file.number, LOCK_EX | LOCK_NB) }
      return self
    } catch .system(_, _, EWOULDBLOCK) {
      return nil
    }
  }

  /// Writes into the lock file who has it.
  ///
  /// It is only for messages, so a full disk must not stand in the way.
  private func nameHolder() {
    let program = CommandLine.arguments.first?.split(separator: "/").last ?? "flatbed"
    let text = Array("process \(getpid()) (\(program.prefix(64)))\n".utf8)
    if ftruncate(file.number, 0) == 0 {
      unsafe _ = pwrite(file.number, text, text.count, 0)
    }
  }

  private static func holder(in folder: Folder) throws(LibraryError) -> String? {
    let text = String(decoding: try folder.read(writerFileName, limit: 4096).bytes, as: UTF8.self)
    let line = text.prefix { (" "..."~").contains($0) }
    return line.isEmpty ? nil : String(line)
  }
}
