internal import CCodecShims

/// The message a C library left in a status, as one line that is safe to print.
func messageText(_ status: flatbed_status) -> String { messageText(status.message) }

/// The text in a C structure's `char` array, up to its zero byte, as one line that is safe to print.
func messageText<Characters>(_ characters: Characters) -> String {
  let bytes = unsafe withUnsafeBytes(of: characters) { raw in unsafe Array(raw.prefix { $0 != 0 }) }
  let text = String(decoding: bytes, as: UTF8.self)
  return String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value < 32 ? " " : $0 }))
}
