private import CSystemSodium

/// What is wrong with a sealed file.
package enum SealFault: Error, Sendable, Hashable {
  /// It doesn't begin as sealed files do.
  case notSealed
  /// It is sealed with another key.
  case otherKey
  /// It has lost its end.
  case cut
  /// It was changed, or belongs elsewhere; the first byte of content that can't be trusted.
  case altered(at: Int)
  /// There is more behind its end.
  case trailing
}

extension SealFault: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notSealed: "is not sealed, as the library's files are"
    case .otherKey: "is sealed with a key that is not the library's"
    case .cut: "has lost its end"
    case .altered(at: 0): "is not what was sealed under this name: it was altered, or belongs elsewhere"
    case .altered(let offset): "was altered or cut off at byte \(offset) of its content"
    case .trailing: "has more bytes than were sealed"
    }
  }
}

/// Files encrypted and authenticated in chunks, bound to their place; the format document has the layout.
package enum SealedFile {
  /// What every sealed file begins with.
  package static let magic: [UInt8] = Array("FLATBED".utf8) + [2]

  private static let chunkBytes = 65536
  private static let streamHeaderBytes = Int(crypto_secretstream_xchacha20poly1305_HEADERBYTES)
  private static let tagBytes = Int(crypto_secretstream_xchacha20poly1305_ABYTES)
  private static let final = UInt8(
    crypto_secretstream_xchacha20poly1305_TAG_PUSH | crypto_secretstream_xchacha20poly1305_TAG_REKEY)
  private static let headBytes = magic.count + LibraryKey.nameBytes + streamHeaderBytes

  /// How long a file is that holds so many bytes of content.
  package static func sealedBytes(ofContent count: Int) -> Int {
    headBytes + count + tagBytes * max(1, (count + chunkBytes - 1) / chunkBytes)
  }

  /// How many bytes of content a file of this length holds; a length that no sealed file has counts as the next shorter one.
  package static func contentBytes(ofSealed count: Int) -> Int {
    let rest = max(0, count - headBytes)
    let whole = rest / (chunkBytes + tagBytes)
    return whole * chunkBytes + max(0, rest - whole * (chunkBytes + tagBytes) - tagBytes)
  }

  /// Whether a file's first bytes are those of a sealed one.
  package static func isSealed(_ bytes: [UInt8]) -> Bool { bytes.starts(with: magic) }

  /// Whether a file is sealed with this key, as far as its first bytes tell.
  package static func isSealed(_ bytes: [UInt8], with key: LibraryKey) -> Bool {
    isSealed(bytes) && bytes.dropFirst(magic.count).starts(with: key.name)
  }

  /// Seals content for its place, `LIBRARY/SCAN/NAME`.
  package static func seal(_ content: [UInt8], with key: LibraryKey, place: String) -> [UInt8] {
    var sealed: [UInt8] = []
    sealed.reserveCapacity(sealedBytes(ofContent: content.count))
    seal(content, with: key, place: place) { sealed += $0 }
    return sealed
  }

  /// Seals content for its place, and hands over what is sealed piece by piece.
  ///
  /// - Throws: what `take` throws.
  package static func seal<Failure: Error>(
    _ content: [UInt8], with key: LibraryKey, place: String, take: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    let context = Array(place.utf8)
    var state = crypto_secretstream_xchacha20poly1305_state()
    defer { unsafe sodium_memzero(&state, MemoryLayout.size(ofValue: state)) }
    var header = [UInt8](repeating: 0, count: streamHeaderBytes)
    unsafe key.files.read { keyBytes in
      // Neither this nor the pushes can fail: they always return 0.
      unsafe _ = crypto_secretstream_xchacha20poly1305_init_push(&state, &header, keyBytes)
    }
    try take(magic + key.name + header)
    var piece = [UInt8](repeating: 0, count: chunkBytes + tagBytes)
    var done = 0
    repeat {
      let count = min(chunkBytes, content.count - done)
      let tag: UInt8 = done + count == content.count ? final : 0
      if count < chunkBytes { piece.removeLast(chunkBytes - count) }
      unsafe content.withUnsafeBufferPointer { input in
        let start = unsafe input.baseAddress.map { unsafe $0 + done }
        unsafe _ = crypto_secretstream_xchacha20poly1305_push(
          &state, &piece, nil, start, UInt64(count), context, UInt64(context.count), tag)
      }
      try take(piece)
      done += count
    } while done < content.count
  }

  /// The content of a sealed file, all of it checked.
  ///
  /// - Parameter keys: keys that it may be sealed with.
  package static func open(
    _ sealed: [UInt8], with keys: [LibraryKey], place: String
  ) throws(SealFault) -> [UInt8] {
    guard isSealed(sealed) else { throw .notSealed }
    guard sealed.count >= headBytes + tagBytes else { throw .cut }
    guard let key = keys.first(where: { isSealed(sealed, with: $0) }) else { throw .otherKey }
    let context = Array(place.utf8)
    var fault: SealFault?
    let content = unsafe [UInt8](unsafeUninitializedCapacity: contentBytes(ofSealed: sealed.count)) {
      buffer, filled in
      unsafe sealed.withUnsafeBufferPointer { input in
        fault = unsafe pull(input, key, context, into: buffer, filled: &filled)
      }
    }
    if let fault { throw fault }
    return content
  }

  private static func pull(
    _ sealed: UnsafeBufferPointer<UInt8>, _ key: LibraryKey, _ context: [UInt8],
    into content: UnsafeMutableBufferPointer<UInt8>, filled: inout Int
  ) -> SealFault? {
    guard let start = sealed.baseAddress else { return .cut }
    var state = crypto_secretstream_xchacha20poly1305_state()
    defer { unsafe sodium_memzero(&state, MemoryLayout.size(ofValue: state)) }
    let header = unsafe start + magic.count + LibraryKey.nameBytes
    guard
      unsafe key.files.read({ unsafe crypto_secretstream_xchacha20poly1305_init_pull(&state, header, $0) })
        == 0
    else { return .altered(at: 0) }
    var position = headBytes
    while true {
      let count = min(chunkBytes + tagBytes, sealed.count - position)
      guard count >= tagBytes else { return .cut }
      var tag: UInt8 = 0
      let output = unsafe content.baseAddress.map { unsafe $0 + filled }
      guard
        unsafe crypto_secretstream_xchacha20poly1305_pull(
          &state, output, nil, &tag, start + position, UInt64(count), context, UInt64(context.count)) == 0
      else { return .altered(at: filled) }
      filled += count - tagBytes
      position += count
      if tag == final { return position == sealed.count ? nil : .trailing }
      // Every chunk but the last is full.
      guard tag == 0, count == chunkBytes + tagBytes else { return .altered(at: filled) }
      if position == sealed.count { return .cut }
    }
  }
}
