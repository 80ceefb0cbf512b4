import Foundation
private import Glibc

/// A print system of the tests' own: a private CUPS with three virtual IPP Everywhere printers and two queues out of order.
///
/// Everything runs on this machine alone, in a temporary folder, and ends with the test process. Needs Debian's `cups`,
/// `cups-client`, `cups-ipp-utils`, `cups-filters`, `ghostscript`, `dbus-daemon`, and `poppler-utils` to look at PDF.
package final class VirtualPrinter: Sendable {
  /// The queues there are, none of them the default.
  package enum Queue: String, CaseIterable, Sendable {
    /// A colour printer that takes raster pages, set to A4.
    case colour
    /// A printer without colour that takes raster pages, set to Letter.
    case grey
    /// A colour printer that takes PDF, set to Letter.
    case pdf
    /// Stopped because it is `out of paper`.
    case stopped
    /// Takes no jobs because it is `closed for today`.
    case rejecting
  }

  package struct StartError: Error, CustomStringConvertible {
    package let description: String
  }

  /// The folder in which it all is.
  let folder: URL
  /// The scheduler's socket, as `CUPS_SERVER` takes it.
  package let server: String
  /// The supervising shell ends when this closes.
  private let leash: FileHandle

  private static let started = Result { try VirtualPrinter() }

  /// The one print system of this process, started when first asked for.
  package static func shared() throws -> VirtualPrinter { try started.get() }

  /// The environment in which the program under test finds these printers, and no settings of the user's.
  package var environment: [String: String] {
    var environment = ProcessInfo.processInfo.environment
    for name in ["LPDEST", "PRINTER", "CUPS_USER", "IPP_PORT"] { environment[name] = nil }
    environment["CUPS_SERVER"] = server
    environment["CUPS_SERVERROOT"] = folder.appendingPathComponent("etc").path
    environment["HOME"] = folder.appendingPathComponent("home").path
    return environment
  }

  private init() throws {
    // A port that was free when asked for can be taken a moment later.
    var attempts = 3
    while true {
      do {
        (folder, leash) = try Self.start()
        server = folder.appendingPathComponent("cups.sock").path
        return
      } catch let error as StartError {
        attempts -= 1
        guard attempts > 0 else { throw error }
      }
    }
  }

  private static func start() throws -> (URL, FileHandle) {
    // Not the user's temporary folder: the path of a socket is short, and other users must reach the spool.
    let folder = URL(fileURLWithPath: "/tmp/flatbed-cups-\(UInt32.random(in: 0...UInt32.max))")
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
    let supervisor = Process()
    supervisor.executableURL = URL(fileURLWithPath: "/bin/sh")
    supervisor.arguments =
      ["-c", virtualPrinterScript, "virtual-printer", folder.path] + (try freePorts(3)).map(String.init)
    let input = Pipe()
    let output = Pipe()
    for end in [input.fileHandleForWriting, output.fileHandleForReading] {
      _ = fcntl(end.fileDescriptor, F_SETFD, FD_CLOEXEC)
    }
    supervisor.standardInput = input
    supervisor.standardOutput = output
    // Whoever reads our errors to their end must not wait for the servers.
    supervisor.standardError = FileHandle.nullDevice
    try supervisor.run()
    // The script itself gives up on whatever takes too long, so this ends.
    let answer = String(decoding: firstLine(of: output.fileHandleForReading), as: UTF8.self)
    guard answer == "ready" else {
      throw StartError(description: answer.isEmpty ? "the supervisor ended early" : answer)
    }
    return (folder, input.fileHandleForWriting)
  }

  private static func firstLine(of handle: FileHandle) -> Data {
    var line = Data()
    while true {
      let next = handle.readData(ofLength: 1)
      if next.isEmpty || next == Data([0x0A]) { return line }
      line += next
    }
  }

  /// Ports of the loopback address that nobody listens on.
  private static func freePorts(_ count: Int) throws -> [UInt16] {
    var sockets: [Int32] = []
    defer { sockets.forEach { close($0) } }
    return try (0..<count).map { _ in
      let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      sockets.append(listener)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let result = unsafe withUnsafeMutablePointer(to: &address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
          unsafe bind(listener, generic, length) == 0 ? getsockname(listener, generic, &length) : -1
        }
      }
      guard listener >= 0, result == 0 else { throw StartError(description: "no free port") }
      return UInt16(bigEndian: address.sin_port)
    }
  }
}
