package import LibraryKeys

/// How a library's content is protected.
package enum LibraryProtection: Sendable, Hashable {
  /// By permissions alone.
  case ownerOnly
  /// Sealed with a key that these slots give.
  case passphrase(slots: [KeySlot])

  init(_ header: LibraryHeader, path: String) throws(LibraryError) {
    switch (header.protection, header.keys) {
    case (LibraryHeader.ownerOnly, _): self = .ownerOnly
    case (LibraryHeader.passphrase, let keys?): self = .passphrase(slots: keys.slots)
    default: throw .unknownProtection(path: path, name: header.protection)
    }
  }

  /// As in `library.json`.
  package var name: String {
    switch self {
    case .ownerOnly: LibraryHeader.ownerOnly
    case .passphrase: LibraryHeader.passphrase
    }
  }

  /// Whether a recovery key opens it, too.
  package var hasRecoveryKey: Bool {
    guard case .passphrase(let slots) = self else { return false }
    return slots.contains { $0.kind == .recovery }
  }
}

/// What is seen of a library from outside, without its key.
package struct LibraryDoor: Sendable, Hashable {
  package var path: String
  package var id: ScanID
  package var protection: LibraryProtection
}

/// The key of a new library and the ways to it, made for an id that the library will have.
package struct NewKeys: Sendable {
  package let id: ScanID
  package let key: LibraryKey
  package let slots: [KeySlot]

  /// - Parameters:
  ///   - id: of the library; a new one's is random.
  ///   - recovery: `nil` makes no second way in.
  package init(
    id: ScanID = ScanID(), passphrase: Passphrase, recovery: RecoveryKey?, cost: PassphraseCost = .standard
  ) throws(KeyError) {
    self.id = id
    key = try LibraryKey.random()
    var slots = [try KeySlot(passphrase: passphrase, for: key, library: id.text, cost: cost)]
    if let recovery { slots.append(try KeySlot(recovery: recovery, for: key, library: id.text)) }
    self.slots = slots
  }

  func header(state: KeyState) throws(LibraryError) -> LibraryHeader {
    do {
      return LibraryHeader(
        id: id,
        keys: LibraryHeader.KeyHeader(
          name: key.name, slots: slots, state: try state.sealed(with: key, library: id.text)))
    } catch {
      throw .key(error)
    }
  }
}

/// How a new library is to be protected.
package enum NewLibrary: Sendable {
  case ownerOnly
  case passphrase(NewKeys)

  var key: LibraryKey? {
    if case .passphrase(let keys) = self { keys.key } else { nil }
  }

  func header() throws(LibraryError) -> LibraryHeader {
    switch self {
    case .ownerOnly: LibraryHeader(id: ScanID())
    case .passphrase(let keys): try keys.header(state: KeyState())
    }
  }
}

extension Library {
  /// Looks at a library from outside.
  package static func door(at path: String, calls: FileCalls = FileCalls()) throws(LibraryError)
    -> LibraryDoor
  {
    let header = try readHeader(in: try openRoot(path, calls: calls), path: path)
    return LibraryDoor(path: path, id: header.id, protection: try LibraryProtection(header, path: path))
  }

  /// How many scans are seen from outside, and how many bytes their files have.
  package static func outside(at path: String) throws(LibraryError) -> (scans: Int, bytes: Int) {
    let scans = try openRoot(path, calls: FileCalls()).folder(scansFolderName)
    var count = 0
    var bytes = 0
    for name in try scans.names() where ScanID(name) != nil {
      guard let folder = try scans.folderIfThere(name) else { continue }
      count += 1
      for file in try folder.names() { bytes += try folder.status(of: file)?.bytes ?? 0 }
    }
    return (count, bytes)
  }
}
