internal import LibraryKeys

/// What `library.json` says of the library as a whole.
struct LibraryHeader: Sendable, Hashable {
  static let fileName = "library.json"
  /// The same again, for when the first is lost: without it nothing of a sealed library can be read.
  static let copyName = "library.json.copy"
  static let maximumBytes = 1 << 20
  static let formatName = "flatbed-library"
  /// The newest format that this version writes, that of sealed libraries.
  static let currentFormat = 2
  /// Owner-only permissions, no encryption.
  static let ownerOnly = "owner-only"
  /// Every file sealed with a key that a passphrase opens.
  static let passphrase = "passphrase"

  var id: ScanID
  var format: Int
  var protection: String
  /// The ways to the key of a sealed library.
  var keys: KeyHeader?

  /// What a sealed library's header says of its key.
  struct KeyHeader: Sendable, Hashable {
    /// Tells the key from others.
    var name: [UInt8]
    var slots: [KeySlot]
    /// The sealed `KeyState`.
    var state: [UInt8]
    /// Slots of kinds that this version doesn't know, kept for the one that does.
    var otherSlots: [JSONValue] = []
  }

  /// A library whose content lies open.
  init(id: ScanID) {
    self.id = id
    format = 1
    protection = Self.ownerOnly
  }

  /// A sealed library.
  init(id: ScanID, keys: KeyHeader) {
    self.id = id
    format = 2
    protection = Self.passphrase
    self.keys = keys
  }

  /// Reads a header.
  init(json bytes: [UInt8]) throws(RecordFault) {
    let object: JSONView
    do {
      object = try JSONDocument(parsing: bytes).root
    } catch {
      throw RecordFault(reason: "library.json is not JSON: \(error)")
    }
    guard object.isObject else { throw RecordFault(reason: "library.json is not an object") }
    let fields = RecordFields(object: object, subject: .file("library.json"))
    guard try fields.string("format") == Self.formatName else {
      throw fields.fault("is not of a Flatbed library")
    }
    format = try fields.integer("version", in: 1...1_000_000_000)
    id = try fields.required("id", "a UUID in lower case") { $0.string.flatMap(ScanID.init) }
    protection = try fields.string("protection")
    if protection == Self.passphrase { keys = try KeyHeader(fields) }
  }

  /// As it is written; what a newer version added to the object itself is not kept, since such a library isn't written to.
  var json: [UInt8] {
    var object = JSONObject()
    object["format"] = .string(Self.formatName)
    object["version"] = .integer(format)
    object["id"] = .string(id.text)
    object["protection"] = .string(protection)
    keys?.write(to: &object)
    return JSONWriter.bytes(.object(object))
  }

  /// Whether a writer that knows one header may go on under the other: the same protection with the same key.
  func agrees(with other: LibraryHeader) -> Bool {
    id == other.id && protection == other.protection && keys?.name == other.keys?.name
  }
}

extension LibraryHeader.KeyHeader {
  /// More slots than anybody needs; each costs a second to try.
  private static let mostSlots = 16

  fileprivate init(_ fields: RecordFields) throws(RecordFault) {
    name = try fields.bytes("key", count: LibraryKey.nameBytes)
    state = try fields.bytes("state", count: nil)
    slots = []
    let objects = try fields.objects("slots")
    guard objects.count <= Self.mostSlots else { throw fields.fault("has too many slots") }
    for object in objects {
      if let slot = try KeySlot(json: object) {
        slots.append(slot)
      } else {
        otherSlots.append(object.value)
      }
    }
  }

  fileprivate func write(to object: inout JSONObject) {
    object["key"] = .string(hexadecimal(name))
    object["slots"] = .array(slots.map { .object($0.json) } + otherSlots)
    object["state"] = .string(hexadecimal(state))
  }
}

extension KeySlot {
  /// A slot, or `nil` when it is of a kind that this version doesn't know.
  fileprivate init?(json object: JSONView) throws(RecordFault) {
    let fields = RecordFields(object: object, subject: .file("a slot of library.json"))
    let kind: Kind
    switch try fields.string("kind") {
    case "passphrase":
      kind = .passphrase(
        PassphraseCost(
          memory: try fields.integer("memory", in: 0...1 << 50),
          passes: try fields.integer("passes", in: 0...1 << 30)
        ))
    case "recovery": kind = .recovery
    default: return nil
    }
    self.init(
      kind: kind, salt: try fields.bytes("salt", count: Self.saltBytes),
      nonce: try fields.bytes("nonce", count: Self.nonceBytes),
      wrapped: try fields.bytes("wrapped", count: Self.wrappedBytes))
  }

  fileprivate var json: JSONObject {
    var object = JSONObject()
    switch kind {
    case .passphrase(let cost):
      object["kind"] = .string("passphrase")
      object["memory"] = .integer(cost.memory)
      object["passes"] = .integer(cost.passes)
    case .recovery: object["kind"] = .string("recovery")
    }
    object["salt"] = .string(hexadecimal(salt))
    object["nonce"] = .string(hexadecimal(nonce))
    object["wrapped"] = .string(hexadecimal(wrapped))
    return object
  }
}

extension RecordFields {
  fileprivate func bytes(_ key: StaticString, count: Int?) throws(RecordFault) -> [UInt8] {
    try required(key, "hexadecimal digits of the right number") { value in
      guard let bytes = value.string.flatMap(LibraryKeys.bytes(hexadecimal:)) else { return nil }
      return count == nil || bytes.count == count ? bytes : nil
    }
  }
}
