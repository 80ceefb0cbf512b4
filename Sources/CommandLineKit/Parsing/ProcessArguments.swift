private import Glibc

/// The words this process was started with.
package enum ProcessArguments {
  /// The words after the program's name, exactly as given.
  ///
  /// An argument in Linux is bytes. Swift's own `CommandLine.arguments` replaces bytes that aren't UTF-8, so that the
  /// path of an old file would silently become the path of no file. Here such an argument is refused with a message that
  /// shows it: paths are carried as `String` all through the program, and a file can still be given on standard input.
  package static func words() throws(UsageError) -> [String] {
    var words: [String] = []
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let pointer = unsafe CommandLine.unsafeArgv[index] else { break }
      let bytes = unsafe UnsafeRawBufferPointer(start: pointer, count: strlen(pointer))
      words.append(try text(unsafe Array(bytes)))
    }
    return words
  }

  /// The environment variables of this process; of names and values that aren't UTF-8 the faulty bytes are replaced.
  package static func environment() -> [String: String] {
    var variables: [String: String] = [:]
    var entry = unsafe environ
    while let pointer = unsafe entry.pointee {
      let text = unsafe String(cString: pointer)
      if let equals = text.firstIndex(of: "="), equals != text.startIndex {
        variables[String(text[..<equals])] = String(text[text.index(after: equals)...])
      }
      unsafe entry += 1
    }
    return variables
  }

  /// The text of one argument's bytes, or the fault that says which bytes are no text.
  package static func text(_ bytes: [UInt8]) throws(UsageError) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    throw UsageError(
      "the argument '\(escapingInvalid(bytes))' isn't UTF-8 text",
      suggestion: "rename the file, or give it on standard input with '-' where the command takes that")
  }

  /// The text with each byte that isn't part of valid UTF-8 written as `\xE9`.
  static func escapingInvalid(_ bytes: [UInt8]) -> String {
    var result = ""
    var rest = bytes[...]
    while let first = rest.first {
      let length = (1...4).first { count in
        rest.count >= count && String(validating: rest.prefix(count), as: UTF8.self) != nil
      }
      if let length {
        result += printable(String(decoding: rest.prefix(length), as: UTF8.self))
        rest = rest.dropFirst(length)
      } else {
        let hex = String(first, radix: 16, uppercase: true)
        result += "\\x" + (hex.count < 2 ? "0" : "") + hex
        rest = rest.dropFirst()
      }
    }
    return result
  }
}
