private import CKeyShims
private import Glibc

/// A socket in the file system between processes of one user.
struct LocalSocket: ~Copyable {
  let descriptor: Int32

  /// The longest wait for the other side, which answers at once if it lives.
  private static let patience = timeval(tv_sec: 2, tv_usec: 0)

  init() throws(KeyError) {
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    descriptor = socket(AF_UNIX, kind, 0)
    guard descriptor >= 0 else { throw .system(call: "socket", code: errno) }
    setPatience()
  }

  init(adopting descriptor: Int32) {
    self.descriptor = descriptor
    setPatience()
  }

  private borrowing func setPatience() {
    var patience = Self.patience
    let size = socklen_t(MemoryLayout<timeval>.size)
    unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, size)
    unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, size)
  }

  deinit { close(descriptor) }

  /// Whether somebody of the same user listens at the path, who is then at the other end.
  borrowing func connect(to path: String) -> Bool {
    guard var address = Self.address(path) else { return false }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let result = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe Glibc.connect(descriptor, $0, size)
      }
    }
    return result == 0 && isOfSameUser
  }

  /// Makes the path, for the owner only, and listens there.
  borrowing func listen(at path: String) throws(KeyError) {
    guard var address = Self.address(path) else { throw .system(call: "bind", code: ENAMETOOLONG) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let mask = umask(0o177)
    defer { umask(mask) }
    let result = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe bind(descriptor, $0, size) }
    }
    guard result == 0, Glibc.listen(descriptor, 8) == 0 else { throw .system(call: "bind", code: errno) }
  }

  /// Whether the process at the other end is the same user's, by the kernel's word.
  var isOfSameUser: Bool {
    var user: uid_t = 0
    return unsafe flatbed_peer(descriptor, &user) == 0 && user == geteuid()
  }

  borrowing func send(_ bytes: UnsafePointer<UInt8>, count: Int) -> Bool {
    unsafe Glibc.send(descriptor, bytes, count, Int32(MSG_NOSIGNAL)) == count
  }

  borrowing func send(_ byte: UInt8) -> Bool {
    unsafe withUnsafePointer(to: byte) { unsafe send($0, count: 1) }
  }

  borrowing func receive(_ bytes: UnsafeMutablePointer<UInt8>, count: Int) -> Bool {
    var done = 0
    while done < count {
      let received = unsafe recv(descriptor, bytes + done, count - done, 0)
      if received < 0, errno == EINTR { continue }
      guard received > 0 else { return false }
      done += received
    }
    return true
  }

  borrowing func receive() -> UInt8? {
    var byte: UInt8 = 0
    return unsafe receive(&byte, count: 1) ? byte : nil
  }

  private static func address(_ path: String) -> sockaddr_un? {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
    return address
  }
}
