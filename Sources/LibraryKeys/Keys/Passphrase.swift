/// A passphrase, as bytes that are kept to themselves.
package struct Passphrase: Sendable {
  package let bytes: SecretBytes

  /// The least that is taken for a new one; it is a bound against slips, not a measure of strength.
  package static let leastBytes = 8
  package static let mostBytes = 1024

  /// Takes over what was typed or read, and overwrites where it was.
  ///
  /// - Throws: `unfitPassphrase` when it is too short or too long, or not UTF-8.
  package init(taking bytes: inout [UInt8]) throws(KeyError) {
    defer { wipe(&bytes) }
    guard !bytes.isEmpty else { throw .unfitPassphrase(reason: "is empty") }
    guard bytes.count >= Self.leastBytes else {
      throw .unfitPassphrase(reason: "is too short: \(Self.leastBytes) letters are the least")
    }
    guard bytes.count <= Self.mostBytes else { throw .unfitPassphrase(reason: "is too long") }
    guard isUTF8(bytes) else { throw .unfitPassphrase(reason: "is not UTF-8") }
    self.bytes = try SecretBytes(taking: &bytes)
  }

  /// Whether both are the same.
  package func equals(_ other: Passphrase) -> Bool { bytes.equals(other.bytes) }
}

/// Whether bytes are text, found out without a copy of them.
private func isUTF8(_ bytes: [UInt8]) -> Bool {
  var decoder = UTF8()
  var iterator = bytes.makeIterator()
  while true {
    switch decoder.decode(&iterator) {
    case .scalarValue: continue
    case .emptyInput: return true
    case .error: return false
    }
  }
}
