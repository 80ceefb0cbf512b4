private import ChildProcesses
private import Glibc
private import SystemErrors

extension Passphrase {
  /// The passphrase in a file: its content up to the first line feed.
  ///
  /// Also a pipe that the shell made, such as `/dev/fd/63`.
  /// - Throws: `passphraseFile` when it can't be read, or when others than its owner can.
  package init(file path: String) throws(KeyError) {
    let file = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
    guard file >= 0 else { throw .passphraseFile(path: path, reason: systemErrorText(errno)) }
    defer { close(file) }
    var status = stat()
    guard unsafe fstat(file, &status) == 0 else {
      throw .passphraseFile(path: path, reason: systemErrorText(errno))
    }
    let kind = status.st_mode & S_IFMT
    guard kind == S_IFREG || kind == S_IFIFO else {
      throw .passphraseFile(path: path, reason: "it is not a regular file")
    }
    guard status.st_uid == geteuid() || status.st_uid == 0 else {
      throw .passphraseFile(path: path, reason: "it belongs to someone else")
    }
    guard status.st_mode & 0o077 == 0 else {
      throw .passphraseFile(
        path: path, reason: "others than its owner may read it; make it private: chmod 600")
    }
    var bytes = try readLine(from: file) { .passphraseFile(path: path, reason: $0) }
    try self.init(taking: &bytes)
  }

  /// The passphrase that a command of the shell prints: its first line.
  ///
  /// - Parameter environment: the command's, without what tells where passphrases are.
  /// - Throws: `passphraseCommand` when it fails or prints nothing.
  package init(command: String, environment: [String: String]) throws(KeyError) {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
      throw .system(call: "socketpair", code: errno)
    }
    let started: Int32
    do throws(ChildProgram.StartError) {
      started = try ChildProgram("/bin/sh", ["sh", "-c", command], environment: environment)
        .start([ChildProgram.Stream(ends[1], as: STDOUT_FILENO)])
    } catch {
      close(ends[0])
      close(ends[1])
      throw .system(call: "starting /bin/sh", code: error.code)
    }
    close(ends[1])
    defer { close(ends[0]) }
    let line: Result<[UInt8], KeyError>
    do throws(KeyError) {
      line = .success(try readLine(from: ends[0]) { .passphraseCommand(reason: $0) })
    } catch {
      line = .failure(error)
    }
    var status: Int32 = 0
    while unsafe waitpid(started, &status, 0) < 0, errno == EINTR {}
    guard status == 0 else {
      if case .success(var bytes) = line { wipe(&bytes) }
      let code = status & 0x7F == 0 ? "ended with status \(status >> 8 & 0xFF)" : "was ended by a signal"
      throw .passphraseCommand(reason: code)
    }
    var bytes = try line.get()
    guard !bytes.isEmpty else { throw .passphraseCommand(reason: "printed nothing") }
    try self.init(taking: &bytes)
  }
}

/// The first line, without its end, of at most a bit more than a passphrase may have; the rest is read and dropped.
private func readLine(
  from file: Int32, fault: (String) -> KeyError
) throws(KeyError) -> [UInt8] {
  var line: [UInt8] = []
  // Never moved, so that no copy is left behind.
  line.reserveCapacity(Passphrase.mostBytes + 2)
  var isOver = false
  var byte: UInt8 = 0
  while true {
    let count = unsafe read(file, &byte, 1)
    if count < 0, errno == EINTR { continue }
    guard count >= 0 else {
      wipe(&line)
      throw fault(systemErrorText(errno))
    }
    if count == 0 || line.count > Passphrase.mostBytes { break }
    if byte == 0x0A { isOver = true }
    if !isOver { line.append(byte) }
  }
  if line.last == 0x0D { line.removeLast() }
  return line
}
