import Glibc
import Testing

/// A terminal without a screen: what is typed on one side is read on the other.
final class PseudoTerminal: Sendable {
  let userSide: Int32
  let programSide: Int32
  /// The path of the program's side.
  let path: String

  init(columns: UInt16 = 80) throws {
    var user: Int32 = 0
    var program: Int32 = 0
    var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    try #require(unsafe openpty(&user, &program, nil, nil, &size) == 0)
    userSide = user
    programSide = program
    var name = [CChar](repeating: 0, count: 128)
    try #require(unsafe ttyname_r(program, &name, name.count) == 0)
    path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  func type(_ text: String) {
    let bytes = Array(text.utf8)
    _ = unsafe write(userSide, bytes, bytes.count)
  }

  /// Reads from the screen until a text has come.
  func read(until wanted: String) -> String {
    var seen = ""
    var buffer = [UInt8](repeating: 0, count: 1000)
    while !seen.contains(wanted) {
      let count = unsafe Glibc.read(userSide, &buffer, buffer.count)
      guard count > 0 else { break }
      seen += String(decoding: buffer[..<count], as: UTF8.self)
    }
    return seen
  }

  deinit {
    close(userSide)
    close(programSide)
  }
}
