internal import CCodecShims

/// The message a C library left in a status, as one line that is safe to print.
func messageText(_ status: flatbed_status) -> String {
  let bytes = unsafe withUnsafeBytes(of: status.message) { raw in unsafe Array(raw.prefix { $0 != 0 }) }
  let text = String(decoding: bytes, as: UTF8.self)
  return String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value < 32 ? " " : $0 }))
}
