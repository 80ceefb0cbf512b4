private import Glibc
private import SystemErrors

/// Why a site can't be served.
package enum LoopbackError: Error, Sendable, Hashable, CustomStringConvertible {
  /// A call of the system failed, with its `errno`.
  case system(call: String, code: Int32)
  /// libmicrohttpd didn't start, and doesn't say why.
  case notStarted

  package var description: String {
    switch self {
    case .system(_, let code): systemErrorText(code)
    case .notStarted: "libmicrohttpd can't start"
    }
  }
}

/// Sockets that listen on one port of the loopback addresses, and on no other address.
struct LoopbackListener: ~Copyable {
  let port: UInt16
  /// One for 127.0.0.1, and one for ::1 where there is IPv6.
  private(set) var sockets: [Int32]

  /// How many connections may wait to be taken.
  private static let backlog: Int32 = 32
  /// A port that is free in IPv4 may be taken in IPv6: then another is tried.
  private static let attempts = 16

  /// Takes a port that is free.
  init() throws(LoopbackError) {
    var left = Self.attempts
    while true {
      let (four, port) = try Self.listen4()
      do throws(LoopbackError) {
        sockets = [four] + (try Self.listen6(port: port).map { [$0] } ?? [])
        self.port = port
        return
      } catch {
        close(four)
        left -= 1
        guard left > 0, case .system(_, EADDRINUSE) = error else { throw error }
      }
    }
  }

  deinit { for socket in sockets { close(socket) } }

  /// Gives the sockets to whoever closes them from now on.
  mutating func release() -> [Int32] {
    defer { sockets = [] }
    return sockets
  }

  private static func open(_ family: Int32) throws(LoopbackError) -> Int32 {
    let descriptor = socket(family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw .system(call: "socket", code: errno) }
    return descriptor
  }

  private static func fail(_ call: String, _ descriptor: Int32) -> LoopbackError {
    let code = errno
    close(descriptor)
    return .system(call: call, code: code)
  }

  private static func listen4() throws(LoopbackError) -> (Int32, UInt16) {
    let descriptor = try open(AF_INET)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let bound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        unsafe bind(descriptor, generic, length) == 0
          ? getsockname(descriptor, generic, &length) : -1
      }
    }
    guard bound == 0 else { throw fail("bind", descriptor) }
    guard Glibc.listen(descriptor, backlog) == 0 else { throw fail("listen", descriptor) }
    return (descriptor, UInt16(bigEndian: address.sin_port))
  }

  /// `nil` where the machine has no IPv6, or no loopback address of it.
  private static func listen6(port: UInt16) throws(LoopbackError) -> Int32? {
    let descriptor: Int32
    do {
      descriptor = try open(AF_INET6)
    } catch .system(_, EAFNOSUPPORT) {
      return nil
    }
    var only: Int32 = 1
    guard
      unsafe setsockopt(
        descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &only, socklen_t(MemoryLayout<Int32>.size)) == 0
    else { throw fail("setsockopt", descriptor) }
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_port = port.bigEndian
    address.sin6_addr = in6addr_loopback
    let bound = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        unsafe bind(descriptor, generic, socklen_t(MemoryLayout<sockaddr_in6>.size))
      }
    }
    if bound != 0, errno == EADDRNOTAVAIL {
      close(descriptor)
      return nil
    }
    guard bound == 0 else { throw fail("bind", descriptor) }
    guard Glibc.listen(descriptor, backlog) == 0 else { throw fail("listen", descriptor) }
    return descriptor
  }
}
