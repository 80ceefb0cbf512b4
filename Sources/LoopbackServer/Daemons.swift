private import CSystemMicroHTTPD
private import Glibc
private import Synchronization

/// libmicrohttpd's daemons, one for each socket: the only file that speaks to it.
final class Daemons: Sendable {
  private let desk: RequestDesk
  /// Pointers as numbers, which can be shared between threads.
  private let running = Mutex<[UInt]>([])

  /// Connections at a time; a browser opens six, and others may try to use them all up.
  private static let greatestConnections: Int32 = 64
  /// Seconds after which a silent connection is closed.
  private static let patience: Int32 = 60
  /// Bytes for the headers of a request, beyond which it is refused with 431.
  private static let headerMemory = 32 << 10

  init(desk: RequestDesk) { self.desk = desk }

  deinit { stop() }

  /// Serves what comes to a listening socket, which is closed in the end.
  func start(on socket: Int32) -> Bool {
    let flags =
      MHD_USE_THREAD_PER_CONNECTION.rawValue | MHD_USE_INTERNAL_POLLING_THREAD.rawValue
      | MHD_USE_POLL.rawValue
    // The desk lives at least as long as the daemons, which `stop` waits for.
    let context = unsafe Unmanaged.passUnretained(desk).toOpaque()
    let completed: MHD_RequestCompletedCallback = unsafe requestEnded
    let options: [any CVarArg] = unsafe [
      Int32(bitPattern: MHD_OPTION.LISTEN_SOCKET.rawValue), socket,
      Int32(bitPattern: MHD_OPTION.CONNECTION_LIMIT.rawValue), Self.greatestConnections,
      Int32(bitPattern: MHD_OPTION.CONNECTION_TIMEOUT.rawValue), Self.patience,
      Int32(bitPattern: MHD_OPTION.CONNECTION_MEMORY_LIMIT.rawValue), Self.headerMemory,
      Int32(bitPattern: MHD_OPTION.NOTIFY_COMPLETED.rawValue),
      unsafeBitCast(completed, to: Int.self), Int(bitPattern: context),
      Int32(bitPattern: MHD_OPTION.END.rawValue),
    ]
    let daemon = unsafe withVaList(options) { list in
      unsafe MHD_start_daemon_va(flags, 0, nil, nil, requestCame, context, list)
    }
    guard let daemon = unsafe daemon else { return false }
    let number = UInt(bitPattern: daemon)
    running.withLock { $0.append(number) }
    return true
  }

  /// Ends all daemons, after the answers that are being made.
  func stop() {
    let daemons = running.withLock { running in
      defer { running = [] }
      return running
    }
    for daemon in daemons { unsafe MHD_stop_daemon(OpaquePointer(bitPattern: daemon)) }
  }
}

/// Where requests are put together and answered.
final class RequestDesk: Sendable {
  let site: LoopbackSite
  let port: UInt16

  init(site: LoopbackSite, port: UInt16) {
    self.site = site
    self.port = port
  }
}

/// A request whose body is still coming; used by one thread, its connection's.
private final class IncomingRequest {
  var request: LoopbackRequest
  var isTooLarge = false

  init(_ request: LoopbackRequest) { self.request = request }
}

/// libmicrohttpd calls this when the headers are there, for each piece of the body, and at its end.
private func requestCame(
  context: UnsafeMutableRawPointer?, connection: OpaquePointer?, url: UnsafePointer<CChar>?,
  method: UnsafePointer<CChar>?, version: UnsafePointer<CChar>?, data: UnsafePointer<CChar>?,
  size: UnsafeMutablePointer<Int>?, state: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
  guard let context = unsafe context, let connection = unsafe connection, let url = unsafe url,
    let method = unsafe method, let size = unsafe size, let state = unsafe state
  else { return .NO }
  guard let known = unsafe state.pointee else {
    var request = unsafe LoopbackRequest(method: String(cString: method), path: String(cString: url))
    unsafe collect(connection, .HEADER_KIND, into: &request.headers, lowercased: true)
    unsafe collect(connection, .GET_ARGUMENT_KIND, into: &request.query, lowercased: false)
    unsafe state.pointee = Unmanaged.passRetained(IncomingRequest(request)).toOpaque()
    return .YES
  }
  let incoming = unsafe Unmanaged<IncomingRequest>.fromOpaque(known).takeUnretainedValue()
  let count = unsafe size.pointee
  if count > 0 {
    // What is too much is read and dropped, so that the browser hears the answer.
    if let data = unsafe data, !incoming.isTooLarge {
      if incoming.request.body.count + count > LoopbackServer.greatestBody {
        incoming.isTooLarge = true
        incoming.request.body = []
      } else {
        unsafe UnsafeRawBufferPointer(start: data, count: count).withMemoryRebound(to: UInt8.self) {
          unsafe incoming.request.body.append(contentsOf: $0)
        }
      }
    }
    unsafe size.pointee = 0
    return .YES
  }
  let desk = unsafe Unmanaged<RequestDesk>.fromOpaque(context).takeUnretainedValue()
  var response = desk.site.respond(to: incoming.request, port: desk.port)
  if incoming.isTooLarge {
    response.status = 413
    response.body = Array("too large".utf8)
  }
  return unsafe send(response, to: connection)
}

/// libmicrohttpd calls this when a request has been answered or given up.
private func requestEnded(
  context: UnsafeMutableRawPointer?, connection: OpaquePointer?,
  state: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, reason: MHD_RequestTerminationCode
) {
  guard let state = unsafe state, let known = unsafe state.pointee else { return }
  unsafe Unmanaged<IncomingRequest>.fromOpaque(known).release()
  unsafe state.pointee = nil
}

/// Headers or query of a request.
private func collect(
  _ connection: OpaquePointer, _ kind: MHD_ValueKind, into values: inout [String: String], lowercased: Bool
) {
  unsafe withUnsafeMutablePointer(to: &values) { target in
    _ = unsafe MHD_get_connection_values(
      connection, kind,
      { target, _, name, value in
        guard let target = unsafe target, let name = unsafe name else { return .NO }
        let values = unsafe target.assumingMemoryBound(to: [String: String].self)
        let key = unsafe String(cString: name)
        unsafe values.pointee[key] = unsafe value.map { unsafe String(cString: $0) } ?? ""
        return .YES
      }, target)
  }
  guard lowercased else { return }
  values = Dictionary(values.map { ($0.lowercased(), $1) }) { $1 }
}

private func send(_ response: LoopbackResponse, to connection: OpaquePointer) -> MHD_Result {
  let made = unsafe response.body.withUnsafeBytes { body in
    unsafe MHD_create_response_from_buffer(
      body.count, UnsafeMutableRawPointer(mutating: body.baseAddress), .RESPMEM_MUST_COPY)
  }
  guard let made = unsafe made else { return .NO }
  defer { unsafe MHD_destroy_response(made) }
  for (name, value) in response.headers.merging(
    ["Content-Type": response.contentType], uniquingKeysWith: { $1 })
  {
    guard unsafe MHD_add_response_header(made, name, value) == .YES else { return .NO }
  }
  return unsafe MHD_queue_response(connection, UInt32(response.status), made)
}
