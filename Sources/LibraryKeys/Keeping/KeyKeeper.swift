private import ChildProcesses
private import Glibc

/// The client's side of a small process that keeps one library's key on a socket in the user's runtime folder.
struct KeyKeeper: Sendable {
  /// `$XDG_RUNTIME_DIR/flatbed`.
  private let folder: String

  init(runtimeFolder: String) { folder = runtimeFolder + "/flatbed" }

  /// Short, since a socket's path has at most 107 bytes; half of the id tells libraries apart.
  private func path(_ library: String) -> String {
    folder + "/" + String(library.filter { $0 != "-" }.prefix(16))
  }

  func find(library: String) -> SecretBytes? {
    do {
      let socket = try LocalSocket()
      guard socket.connect(to: path(library)), socket.send(KeeperRequest.get) else { return nil }
      return try unsafe SecretBytes(count: LibraryKey.byteCount) { memory in
        unsafe socket.receive(memory, count: LibraryKey.byteCount) ? 0 : -1
      }
    } catch {
      return nil
    }
  }

  func drop(library: String) -> Bool {
    do {
      let socket = try LocalSocket()
      guard socket.connect(to: path(library)), socket.send(KeeperRequest.end) else { return false }
      return socket.receive() == KeeperRequest.done
    } catch {
      return false
    }
  }

  /// Starts a keeper: this program again, with the key sent through its standard input.
  func keep(_ secret: SecretBytes, library: String, seconds: Int) throws(KeyError) {
    try makeFolder()
    let path = path(library)
    _ = unsafe unlink(path)
    var pair: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard unsafe socketpair(AF_UNIX, kind, 0, &pair) == 0 else {
      throw .system(call: "socketpair", code: errno)
    }
    let ours = LocalSocket(adopting: pair[0])
    let nowhere = unsafe open("/dev/null", O_RDWR | O_CLOEXEC)
    defer {
      close(pair[1])
      close(nowhere)
    }
    let program = ChildProgram(
      "/proc/self/exe", ["flatbed", KeeperRequest.command, path, "\(seconds)"], environment: [:])
    let keeper: Int32
    do throws(ChildProgram.StartError) {
      keeper = try program.start([
        ChildProgram.Stream(pair[1], as: STDIN_FILENO), ChildProgram.Stream(nowhere, as: STDOUT_FILENO),
        ChildProgram.Stream(nowhere, as: STDERR_FILENO),
      ])
    } catch {
      throw .system(call: "starting the keeper of the key", code: error.code)
    }
    let isSent = unsafe secret.read { unsafe ours.send($0, count: secret.count) }
    guard isSent, ours.receive() == KeeperRequest.done else {
      kill(keeper, SIGKILL)
      throw .system(call: "starting the keeper of the key", code: ECONNREFUSED)
    }
  }

  /// The folder of the sockets must be ours alone, whoever made it.
  private func makeFolder() throws(KeyError) {
    if unsafe mkdir(folder, 0o700) != 0, errno != EEXIST { throw .system(call: folder, code: errno) }
    var status = stat()
    guard unsafe lstat(folder, &status) == 0 else { throw .system(call: folder, code: errno) }
    guard status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
      throw .system(call: folder, code: EACCES)
    }
  }
}

/// What goes over the socket, a byte each.
enum KeeperRequest {
  static let get = UInt8(ascii: "g")
  static let end = UInt8(ascii: "e")
  static let done = UInt8(ascii: "d")
  /// The hidden command that runs a keeper.
  static let command = "keep-key"
}
