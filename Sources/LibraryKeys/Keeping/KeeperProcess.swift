private import CKeyShims
private import Glibc

/// The process that keeps a key: it answers on its socket until its time is over, it is told to end, or the socket is gone.
///
/// The runtime folder goes at log-out, and the socket with it.
package enum KeeperProcess {
  /// How often it looks whether the socket is still there.
  private static let glance: Int32 = 2000

  /// Takes the key from standard input, and keeps it; returns when it has been forgotten.
  ///
  /// - Parameter isOver: asked now and then whether it is to end.
  /// - Throws: why it can't be kept.
  package static func run(
    socket path: String, seconds: Int, isOver: () -> Bool
  ) throws(KeyError) {
    ProcessHardening.begin()
    let starter = LocalSocket(adopting: dup(STDIN_FILENO))
    let secret = try unsafe SecretBytes(count: LibraryKey.byteCount) { memory in
      unsafe starter.receive(memory, count: LibraryKey.byteCount) ? 0 : -1
    }
    let socket = try LocalSocket()
    try socket.listen(at: path)
    guard let place = inode(of: path) else { throw .system(call: path, code: ENOENT) }
    _ = flatbed_leave_terminal()
    let nowhere = unsafe open("/dev/null", O_RDWR)
    dup2(nowhere, STDIN_FILENO)
    guard starter.send(KeeperRequest.done) else { return }
    serve(socket, secret, path: path, place: place, until: ContinuousClock.now + .seconds(seconds), isOver)
    if inode(of: path) == place { _ = unsafe unlink(path) }
  }

  private static func serve(
    _ socket: borrowing LocalSocket, _ secret: SecretBytes, path: String, place: UInt64,
    until end: ContinuousClock.Instant, _ isOver: () -> Bool
  ) {
    while !isOver(), ContinuousClock.now < end, inode(of: path) == place {
      let left = (end - ContinuousClock.now).components
      var waiting = pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0)
      let time =
        left.seconds < Int64(glance / 1000)
        ? Int32(left.seconds * 1000 + left.attoseconds / 1_000_000_000_000_000 + 1) : glance
      guard unsafe poll(&waiting, 1, time) > 0 else { continue }
      let number = accept(socket.descriptor, nil, nil)
      guard number >= 0 else { continue }
      let client = LocalSocket(adopting: number)
      guard client.isOfSameUser else { continue }
      switch client.receive() {
      case KeeperRequest.get: unsafe secret.read { unsafe _ = client.send($0, count: secret.count) }
      case KeeperRequest.end:
        if inode(of: path) == place { _ = unsafe unlink(path) }
        _ = client.send(KeeperRequest.done)
        return
      default: continue
      }
    }
  }

  private static func inode(of path: String) -> UInt64? {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { return nil }
    return UInt64(status.st_ino)
  }
}
