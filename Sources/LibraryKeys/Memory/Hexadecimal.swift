/// Bytes as hexadecimal digits in lower case, two each.
package func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
  let digits = Array("0123456789abcdef".utf8)
  var text: [UInt8] = []
  for byte in bytes {
    text.append(digits[Int(byte >> 4)])
    text.append(digits[Int(byte & 15)])
  }
  return String(decoding: text, as: UTF8.self)
}

/// The bytes that are written in hexadecimal digits in lower case, or `nil`.
package func bytes(hexadecimal text: String) -> [UInt8]? {
  func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    default: nil
    }
  }
  let digits = Array(text.utf8)
  guard digits.count % 2 == 0 else { return nil }
  var bytes: [UInt8] = []
  for index in stride(from: 0, to: digits.count, by: 2) {
    guard let high = value(digits[index]), let low = value(digits[index + 1]) else { return nil }
    bytes.append(high << 4 | low)
  }
  return bytes
}
