/// Something odd about a picture that was decoded all the same, as a sentence without its file's name.
package struct DecodeWarning: Sendable, Hashable {
  package var text: String
}
