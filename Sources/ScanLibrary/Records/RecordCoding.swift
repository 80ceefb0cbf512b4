private import Raster

/// File numbers stay below this: far above any scan, far below an overflow.
private let maximumNumber = 1_000_000_000

extension ScanRecord {
  /// Reads a record, and checks all that can be checked without the other files.
  init(json bytes: [UInt8], id: ScanID) throws(RecordFault) {
    let object: JSONView
    do {
      object = try JSONDocument(parsing: bytes).root
    } catch {
      throw RecordFault(reason: "record.json is not JSON: \(error)")
    }
    guard object.isObject else { throw RecordFault(reason: "record.json is not an object") }
    let fields = RecordFields(object: object, subject: .file("record.json"))
    format = try fields.integer("version", in: 1...maximumNumber)
    guard try fields.string("id") == id.text else {
      throw fields.fault("has another id than its folder")
    }
    self.id = id
    createdAt = try fields.required("createdAt", "a date in UTC such as 2026-11-30T09:32:53Z") {
      $0.string.flatMap(Timestamp.init(iso8601:))
    }
    title = try fields.string("title")
    mode = try fields.string("mode")
    amount = try fields.optional("amount", "a number", \.double)
    enhancement = try fields.optional("enhancement", "a whole number", \.integer)
    photos = []
    for object in try fields.objects("photos") { photos.append(try PhotoRecord(json: object)) }
    pages = []
    for object in try fields.objects("pages") { pages.append(try PageRecord(json: object)) }
    nextPhoto = try fields.integer("nextPhoto", in: 1...maximumNumber)
    nextPage = try fields.integer("nextPage", in: 1...maximumNumber)
    source = KeptFields(object)
    guard try fields.integer("pageCount", in: 1...maximumNumber) == pages.count else {
      throw fields.fault("lists \(pages.count) pages, which is not its \"pageCount\"")
    }
    try checkNumbers(fields)
  }

  /// The format version that a record says it has, even if nothing else of it can be understood.
  static func version(json bytes: [UInt8]) -> Int? {
    do {
      return try JSONDocument(parsing: bytes).root["version"]?.integer
    } catch {
      return nil
    }
  }

  private func checkNumbers(_ fields: RecordFields) throws(RecordFault) {
    let photoNumbers = NumberSet(photos.lazy.map(\.number))
    guard photoNumbers.areDistinct else { throw fields.fault("lists a photo twice") }
    guard NumberSet(pages.lazy.map(\.number)).areDistinct else {
      throw fields.fault("lists a page twice")
    }
    for page in pages where !photoNumbers.contains(page.origin.photo) {
      throw fields.fault("has page \(page.number) from photo \(page.origin.photo), which it doesn't list")
    }
    guard photos.allSatisfy({ $0.number < nextPhoto }), pages.allSatisfy({ $0.number < nextPage }) else {
      throw fields.fault("would give a number twice")
    }
  }

  /// The record as it is written, and as it will be read: what can't be read again is never stored.
  func encoded() throws(LibraryError) -> (json: [UInt8], record: ScanRecord) {
    let bytes = try json()
    guard bytes.count <= Self.maximumBytes else {
      throw .unfit("the scan has more pages than a record can hold")
    }
    do {
      return (bytes, try ScanRecord(json: bytes, id: id))
    } catch {
      throw .unfit(error.reason)
    }
  }

  /// The record as it is written: known fields set, all others as they were read.
  private func json() throws(LibraryError) -> [UInt8] {
    var object = source.object
    object["version"] = .integer(format)
    object["id"] = .string(id.text)
    // A date that was read keeps its own form, digits beyond milliseconds included.
    if object["createdAt"]?.string.flatMap(Timestamp.init(iso8601:)) != createdAt {
      object["createdAt"] = .string(createdAt.iso8601)
    }
    object["title"] = .string(title)
    object["pageCount"] = .integer(pages.count)
    object["mode"] = .string(mode)
    try object.set("amount", amount)
    object["enhancement"] = enhancement.map(JSONValue.integer)
    object["nextPage"] = .integer(nextPage)
    object["nextPhoto"] = .integer(nextPhoto)
    var list: [JSONValue] = []
    for page in pages { list.append(.object(try page.json())) }
    object["pages"] = .array(list)
    object["photos"] = .array(photos.map { .object($0.json()) })
    return JSONWriter.bytes(.object(object))
  }
}

extension StoredFile {
  fileprivate init(_ fields: RecordFields) throws(RecordFault) {
    self.init(
      bytes: try fields.integer("bytes", in: 0...StoredFile.maximumBytes),
      sha256: try fields.required("sha256", "64 hexadecimal digits") {
        unsafe $0.plainBytes { unsafe ContentHash(digits: $0) } ?? $0.string.flatMap(ContentHash.init(hex:))
      })
  }

  fileprivate func write(to object: inout JSONObject) {
    object["bytes"] = .integer(bytes)
    object["sha256"] = .string(sha256.hex)
  }
}

extension PhotoRecord {
  fileprivate init(json object: JSONView) throws(RecordFault) {
    let number = try RecordFields(object: object, subject: .file("a photo of record.json"))
      .integer("number", in: 1...maximumNumber)
    let fields = RecordFields(object: object, subject: .photo(number))
    self.number = number
    name = try fields.string("name")
    format = try fields.string("format")
    fileExtension = try fields.required("extension", "1 to 8 small letters or digits") { value in
      value.string.flatMap { Self.isSafe(fileExtension: $0) ? $0 : nil }
    }
    file = try StoredFile(fields)
    source = KeptFields(object)
  }

  fileprivate func json() -> JSONObject {
    var object = source.object
    object["number"] = .integer(number)
    object["name"] = .string(name)
    object["format"] = .string(format)
    object["extension"] = .string(fileExtension)
    file.write(to: &object)
    return object
  }
}

extension PageRecord {
  fileprivate init(json object: JSONView) throws(RecordFault) {
    let number = try RecordFields(object: object, subject: .file("a page of record.json"))
      .integer("number", in: 1...maximumNumber)
    let fields = RecordFields(object: object, subject: .page(number))
    self.number = number
    origin = PageOrigin(
      photo: try fields.integer("photo", in: 1...maximumNumber),
      frame: try fields.integer("frame", in: 0...maximumNumber),
      quad: try fields.optional("quad", "four points", Quad.init(json:)),
      found: try fields.string("found"),
      confidence: try fields.optional("confidence", "a number", \.double),
      reasons: try fields.optional("reasons", "a list of texts") { value in
        guard let values = value.elements else { return nil }
        var texts: [String] = []
        for value in values {
          guard let text = value.string else { return nil }
          texts.append(text)
        }
        return texts
      } ?? [],
      paper: try fields.optional("paper", "text", \.string))
    look = PageLook(
      turn: try fields.required("turn", "a whole number from 0 to 3") {
        $0.integer.flatMap(QuarterTurn.init(rawValue:))
      },
      mode: try fields.optional("mode", "text", \.string),
      amount: try fields.optional("amount", "a number", \.double))
    size = PixelSize(
      width: try fields.integer("width", in: 1...0x7FFF_FFFF),
      height: try fields.integer("height", in: 1...0x7FFF_FFFF))
    file = try StoredFile(fields)
    source = KeptFields(object)
  }

  fileprivate func json() throws(LibraryError) -> JSONObject {
    var object = source.object
    object["number"] = .integer(number)
    object["photo"] = .integer(origin.photo)
    object["frame"] = .integer(origin.frame)
    try object.set(quad: origin.quad)
    object["found"] = .string(origin.found)
    try object.set("confidence", origin.confidence)
    object["reasons"] = origin.reasons.isEmpty ? nil : .array(origin.reasons.map(JSONValue.string))
    object["paper"] = origin.paper.map(JSONValue.string)
    object["turn"] = .integer(look.turn.rawValue)
    object["mode"] = look.mode.map(JSONValue.string)
    try object.set("amount", look.amount)
    object["width"] = .integer(size.width)
    object["height"] = .integer(size.height)
    file.write(to: &object)
    return object
  }
}

extension Quad {
  /// Four points of two finite numbers each.
  ///
  /// They are taken as they stand, in their order: the record is the one that knows.
  fileprivate init?(json value: JSONView) {
    guard let corners = value.elements else { return nil }
    var points: [Point] = []
    points.reserveCapacity(4)
    for corner in corners {
      guard points.count < 4, var numbers = corner.elements?.makeIterator(), let x = numbers.next()?.double,
        let y = numbers.next()?.double, numbers.next() == nil
      else { return nil }
      points.append(Point(x: x, y: y))
    }
    guard points.count == 4 else { return nil }
    self.init(
      topLeft: points[0], topRight: points[1], bottomRight: points[2], bottomLeft: points[3])
  }
}

extension JSONObject {
  /// Sets a number, and leaves one of the same value in the digits it was read in.
  fileprivate mutating func set(_ key: String, _ value: Double?) throws(LibraryError) {
    guard let value else { return self[key] = nil }
    if self[key]?.double != value { self[key] = try .double(value) }
  }

  /// Sets the corners, and leaves each number of the same value in the digits it was read in.
  fileprivate mutating func set(quad: Quad?) throws(LibraryError) {
    guard let quad else { return self["quad"] = .null }
    let old = (self["quad"]?.array ?? []).map { $0.array ?? [] }
    let isWhole = old.count == 4 && old.allSatisfy { $0.count == 2 }
    var corners: [JSONValue] = []
    for (place, corner) in quad.corners.enumerated() {
      var numbers: [JSONValue] = []
      for (axis, number) in [corner.x, corner.y].enumerated() {
        let kept = isWhole && old[place][axis].double == number
        numbers.append(kept ? old[place][axis] : try .double(number))
      }
      corners.append(.array(numbers))
    }
    self["quad"] = .array(corners)
  }
}

/// Numbers of photos or pages, which are in order as a rule and then need no hashing.
private struct NumberSet {
  private let ascending: [Int]?
  private let others: Set<Int>
  /// Whether none was there twice.
  let areDistinct: Bool

  init(_ numbers: some Sequence<Int>) {
    let numbers = Array(numbers)
    if zip(numbers, numbers.dropFirst()).allSatisfy({ $0 < $1 }) {
      ascending = numbers
      others = []
      areDistinct = true
    } else {
      ascending = nil
      others = Set(numbers)
      areDistinct = others.count == numbers.count
    }
  }

  func contains(_ number: Int) -> Bool {
    guard let ascending else { return others.contains(number) }
    var (low, high) = (0, ascending.count)
    while low < high {
      let middle = (low + high) / 2
      if ascending[middle] < number { low = middle + 1 } else { high = middle }
    }
    return low < ascending.count && ascending[low] == number
  }
}
