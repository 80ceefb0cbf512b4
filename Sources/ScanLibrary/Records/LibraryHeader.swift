/// What `library.json` says of the library as a whole.
struct LibraryHeader: Sendable, Hashable {
  static let fileName = "library.json"
  static let maximumBytes = 1 << 20
  static let formatName = "flatbed-library"
  static let currentFormat = 1
  /// The one kind of protection there is so far: owner-only permissions, no encryption.
  static let ownerOnly = "owner-only"

  var id: ScanID
  var format = currentFormat
  var protection = ownerOnly

  init(id: ScanID) { self.id = id }

  /// Reads a header; what a newer version added is passed over, since the file isn't written again.
  init(json bytes: [UInt8]) throws(RecordFault) {
    let value: JSONValue
    do {
      value = try JSONParser.parse(bytes)
    } catch {
      throw RecordFault(reason: "library.json is not JSON: \(error)")
    }
    guard let object = value.object else {
      throw RecordFault(reason: "library.json is not an object")
    }
    let fields = RecordFields(object: object, subject: "library.json")
    guard try fields.string("format") == Self.formatName else {
      throw fields.fault("is not of a Flatbed library")
    }
    format = try fields.integer("version", in: 1...1_000_000_000)
    id = try fields.required("id", "a UUID in lower case") { $0.string.flatMap(ScanID.init) }
    protection = try fields.string("protection")
  }

  var json: [UInt8] {
    var object = JSONObject()
    object["format"] = .string(Self.formatName)
    object["version"] = .integer(format)
    object["id"] = .string(id.text)
    object["protection"] = .string(protection)
    return JSONWriter.bytes(.object(object))
  }
}
