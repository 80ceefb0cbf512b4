import Foundation
import Raster
import ScanLibrary
import TestSupport
import Testing

@Suite("A record")
struct RecordTests {
  let folder: TemporaryFolder
  let library: Library
  let scan: ScanRecord

  init() throws {
    folder = try TemporaryFolder()
    library = try Library.openOrCreate(at: folder.path("library"))
    scan = try library.addSample("Quittung", seeds: [1, 2])
  }

  private var recordPath: String { library.path + "/scans/\(scan.id)/record.json" }

  private func text() throws -> String { try String(contentsOfFile: recordPath, encoding: .utf8) }

  /// Replaces the record as another program would, by a new file.
  private func rewrite(_ edit: (String) -> String) throws {
    let edited = edit(try text())
    #expect(try edited != text())
    try edited.write(toFile: recordPath, atomically: true, encoding: .utf8)
  }

  @Test("is JSON with the fields of the format document")
  func fields() throws {
    let object = try #require(
      JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: recordPath)))
        as? [String: Any])
    #expect(object["version"] as? Int == 1)
    #expect(object["id"] as? String == scan.id.text)
    #expect(object["title"] as? String == "Quittung")
    #expect(object["pageCount"] as? Int == 2)
    #expect(object["mode"] as? String == "enhanced")
    #expect(object["enhancement"] as? Int == 1)
    #expect(object["createdAt"] as? String == scan.createdAt.iso8601)
    #expect(object["nextPage"] as? Int == 3)
    #expect(object["nextPhoto"] as? Int == 3)
    let page = try #require((object["pages"] as? [[String: Any]])?.last)
    #expect(page["number"] as? Int == 2)
    #expect(page["photo"] as? Int == 2)
    #expect(page["frame"] as? Int == 0)
    #expect(page["quad"] as? [[Double]] == [[10.5, 12.25], [2000.125, 8], [1990, 3000.75], [-3.5, 2990]])
    #expect(page["found"] as? String == "detected")
    #expect(page["confidence"] as? Double == 0.93)
    #expect(page["turn"] as? Int == 0)
    #expect(page["width"] as? Int == 3)
    #expect(page["height"] as? Int == 2)
    #expect(page["bytes"] as? Int == 200)
    #expect(page["sha256"] as? String == ContentHash(of: samplePNG(2)).hex)
    #expect(page["mode"] == nil)
    let photo = try #require((object["photos"] as? [[String: Any]])?.first)
    #expect(photo["number"] as? Int == 1)
    #expect(photo["name"] as? String == "IMG_1.JPG")
    #expect(photo["format"] as? String == "jpeg")
    #expect(photo["extension"] as? String == "jpg")
    #expect(photo["bytes"] as? Int == 300)
    #expect(photo["sha256"] as? String == ContentHash(of: samplePhoto(1)).hex)
  }

  @Test("keeps what this version doesn't know, at every level and to the last digit")
  func unknownFields() throws {
    try rewrite { text in
      text.replacing(
        "\"version\": 1,", with: "\"version\": 1,\n  \"tags\": [\"a\", 1.10, {\"deep\": 9007199254740993}],"
      )
      .replacing("\"found\": \"detected\"", with: "\"found\": \"detected\", \"skew\": 0.1000000000000000055")
      .replacing("\"format\": \"jpeg\"", with: "\"format\": \"jpeg\", \"camera\": {\"iso\": 100}")
    }
    try library.change(scan.id) { change throws(LibraryError) in
      change.setTitle("Neu")
      try change.replacePage(1, png: samplePNG(8), origin: PageOrigin(photo: 1, found: "manual"))
      try change.reorderPages([2, 3])
    }
    let text = try text()
    #expect(
      text.contains("\"tags\": [\n    \"a\",\n    1.10,\n    {\n      \"deep\": 9007199254740993\n    }\n  ]")
    )
    #expect(text.matches(of: /"skew": 0.1000000000000000055\b/).count == 2)
    #expect(text.matches(of: /"camera": {\s*"iso": 100\s*}/).count == 2)
    #expect(text.contains("\"Neu\""))
  }

  @Test("keeps the digits of numbers and dates that don't change")
  func digits() throws {
    try rewrite { text in
      text.replacing(scan.createdAt.iso8601, with: "2026-01-02T03:04:05.123456789Z")
        .replacing("\"confidence\": 0.93", with: "\"confidence\": 0.930000000000000000001")
        .replacing("2000.125", with: "2000.1250")
    }
    let before = try text()
    #expect(try library.scan(scan.id).createdAt.iso8601 == "2026-01-02T03:04:05.123Z")
    try library.change(scan.id) { $0.setTitle("Other") }
    #expect(try text() == before.replacing("Quittung", with: "Other"))
  }

  @Test(
    "keeps any title",
    arguments: [
      "", " ", "a/b\\c", "../..", "line\nbreak", "tab\tand \u{0} and \u{1B}[31m", "\"quoted\"", "🧾👩‍👩‍👧 Ünïcödé",
      "e\u{301} is not \u{E9}", "\u{202E}desrever", String(repeating: "ä", count: 128) + "x",
      String(repeating: "long ", count: 20_000),
    ])
  func titles(_ title: String) throws {
    let stored = try library.addSample(title, seeds: [3])
    let read = try Library.open(at: library.path).scan(stored.id)
    #expect(Array(read.title.unicodeScalars) == Array(title.unicodeScalars))
    #expect(try library.change(stored.id) { $0.setTitle("x" + title) }.title == "x" + title)
  }

  @Test("keeps a photo's name of 255 bytes, or any other, and never uses it as a path")
  func photoNames() throws {
    for name in [String(repeating: "ü", count: 127) + "x", "../../etc/passwd", "new\nline.jpg", ""] {
      let pending = try library.beginScan()
      _ = try pending.addPhoto(samplePhoto(5), name: name, format: "jpeg", fileExtension: "jpg")
      _ = try pending.addPage(png: samplePNG(5), origin: PageOrigin(photo: 1, found: "whole"))
      let stored = try pending.commit(title: "x", mode: "bw")
      #expect(try library.scan(stored.id).photos[0].name == name)
      #expect(stored.photos[0].fileName == "photo-1.jpg")
    }
    #expect(try library.verify().findings == [])
  }

  @Test(
    "with a fault is damaged, says why, and hides no other scan",
    arguments: [
      (#""version": 1,"#, #""version": "1","#, "\"version\" that is not a whole number"),
      (#""version": 1,"#, "", "has no \"version\""),
      (#""pageCount": 2"#, #""pageCount": 3"#, "lists 2 pages"),
      (#""pageCount": 2"#, #""pageCount": 2.0"#, "\"pageCount\" that is not a whole number"),
      (#""title": "Quittung""#, #""title": null"#, "has no \"title\""),
      (#""photo": 2"#, #""photo": 7"#, "page 2 from photo 7"),
      (#""turn": 0"#, #""turn": 4"#, "whole number from 0 to 3"),
      (#""nextPage": 3"#, #""nextPage": 2"#, "give a number twice"),
      (#""extension": "jpg""#, #""extension": "/../x""#, "1 to 8 small letters or digits"),
      (#""sha256": ""#, #""sha256": "0"#, "64 hexadecimal digits"),
      (#""bytes": 300"#, #""bytes": -300"#, "\"bytes\""),
      (#""bytes": 300"#, #""bytes": 99999999999999999999"#, "\"bytes\""),
      (#""bytes": 300"#, #""bytes": 5000000000"#, "from 0 to 4294967296"),
      ("[10.5, 12.25]", "[10.5]", "four points"),
      ("[10.5, 12.25]", "[1e999, 12.25]", "four points"),
      ("{", "", "is not JSON"),
      ("Z\"", "\"", "a date in UTC"),
    ])
  func faults(_ old: String, _ new: String, _ reason: String) throws {
    let other = try library.addSample("Other", seeds: [4])
    try rewrite { $0.replacing(old, with: new) }
    let listing = try library.scans()
    #expect(listing.scans == [other])
    let damaged = try #require(listing.damaged.first)
    #expect(damaged.id == scan.id)
    #expect(damaged.error.description.contains(reason), "\(damaged.error)")
    #expect(throws: damaged.error) { try library.scan(scan.id) }
    #expect(throws: damaged.error) { try library.find(scan.id.text) }
    #expect(throws: damaged.error) { try library.change(scan.id) { $0.setTitle("x") } }
    let report = try library.verify()
    #expect(report.findings.map(\.gravity) == [.damage])
    #expect(try library.findID(String(scan.id.text.prefix(8))) == scan.id)
    try library.delete(scan.id)
    #expect(try library.scans().damaged.isEmpty)
  }

  @Test("that is empty, missing, a folder or a link is damaged")
  func noRecord() throws {
    let manager = FileManager.default
    for (make, reason) in [
      ({ try Data().write(to: URL(fileURLWithPath: $0)) }, "record.json is empty"),
      ({ _ in }, "record.json is missing"),
      ({ try manager.createDirectory(atPath: $0, withIntermediateDirectories: false) }, "not a regular file"),
      ({ try manager.createSymbolicLink(atPath: $0, withDestinationPath: "/etc/hostname") }, "symbolic link"),
    ] as [((String) throws -> Void, String)] {
      try manager.removeItem(atPath: recordPath)
      try make(recordPath)
      let error = try #require(try library.scans().damaged.first?.error)
      #expect(error.description.contains(reason), "\(error)")
      try? manager.removeItem(atPath: recordPath)
      try Data("x".utf8).write(to: URL(fileURLWithPath: recordPath))
    }
  }

  @Test(
    "holds numbers in any digits, and each is the nearest there is",
    arguments: [
      "0", "-0", "0.0", "1", "-1", "0.1", "-0.1", "212.25", "2810.125", "0.3", "1e2", "1.5E-3", "-12e+1",
      "123456789012345", "12345678901234.5", "0.123456789012345", "1234567890123456", "9007199254740993",
      "0.1000000000000000055511151231257827", "2.2250738585072014e-308", "5e-324", "1.7976931348623157e308",
      "3.14159265358979", "99999999999999.9", "0.00000000000001",
    ])
  func numbers(_ digits: String) throws {
    try rewrite { $0.replacing("[10.5, 12.25]", with: "[\(digits), 12.25]") }
    let quad = try #require(try library.scan(scan.id).pages[0].origin.quad)
    let expected = try #require(Double(digits))
    #expect(quad.topLeft.x.bitPattern == expected.bitPattern)
    #expect(quad.topLeft.y == 12.25)
    // A change of something else leaves them as they are.
    try library.change(scan.id) { $0.setTitle("New") }
    #expect(try text().contains("[\(digits), 12.25]"))
  }

  @Test(
    "holds whole numbers up to the largest",
    arguments: [
      ("0", 0), ("4294967296", 4_294_967_296), ("4294967297", nil), ("9223372036854775807", nil),
      ("9223372036854775808", nil), ("-9223372036854775808", nil), ("-1", nil), ("1.0", nil), ("1e3", nil),
      ("-0", 0),
    ] as [(String, Int?)])
  func wholeNumbers(_ digits: String, _ expected: Int?) throws {
    try rewrite { $0.replacing("\"bytes\": 300", with: "\"bytes\": \(digits)") }
    let listing = try library.scans()
    #expect(listing.scans.first?.photos[0].file.bytes == expected)
    #expect(listing.damaged.count == (expected == nil ? 1 : 0))
  }

  @Test("changed at random is read or refused, and traps nowhere")
  func mutations() throws {
    let folder = try MemoryFolder()
    let path = folder.path("library")
    let scan = try Library.openOrCreate(at: path).addSample(seeds: [1, 2])
    let url = URL(fileURLWithPath: path + "/scans/\(scan.id)/record.json")
    let whole = [UInt8](try Data(contentsOf: url))
    var generator = SeededGenerator(seed: 3)
    let pieces: [[UInt8]] = ["9", "-", "e9", "\"", "{", "]", ",", "null", "\\u", "\u{FF}", "0.5"].map {
      Array($0.utf8)
    }
    var refused = 0
    for _ in 0..<1500 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
        case 1:
          bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...40, using: &generator)))
        case 2: bytes.removeLast(bytes.count - place)
        default:
          bytes.insert(contentsOf: pieces[Int.random(in: 0..<pieces.count, using: &generator)], at: place)
        }
        if bytes.isEmpty { break }
      }
      try Data(bytes).write(to: url)
      let library = try Library.open(at: path)
      let listing = try library.scans()
      #expect(listing.scans.count + listing.damaged.count == 1)
      refused += listing.damaged.count
      _ = try library.verify()
    }
    #expect(refused > 1000)
  }

  @Test("of a newer version is read as far as it can be, and not changed")
  func newer() throws {
    try rewrite { $0.replacing("\"version\": 1,", with: "\"version\": 2,") }
    let before = try text()
    #expect(try library.scan(scan.id).title == "Quittung")
    let error = #expect(throws: LibraryError.self) {
      try library.change(scan.id) { $0.setTitle("x") }
    }
    #expect(error == .newerFormat(path: recordPath, found: 2, known: 1))
    #expect(error?.description.contains("newer Flatbed") == true)
    #expect(try text() == before)
    try rewrite { $0.replacing("\"turn\": 0", with: "\"turn\": \"left\"") }
    #expect(throws: LibraryError.newerFormat(path: recordPath, found: 2, known: 1)) {
      try library.scan(scan.id)
    }
  }

  @Test("never holds a number that JSON can't")
  func notFinite() throws {
    for value in [Double.nan, .infinity] {
      #expect(throws: LibraryError.unfit("a number to store is infinite or not a number")) {
        try library.change(scan.id) { change throws(LibraryError) in
          try change.setLook(page: 1, PageLook(amount: value))
        }
      }
    }
    #expect(try library.verify().findings == [])
    #expect(try library.scan(scan.id) == scan)
  }
}

@Suite("Ids, dates and hashes")
struct RecordValueTests {
  @Test("Ids are random UUIDs of version 4 in lower case")
  func ids() throws {
    let ids = (0..<1000).map { _ in ScanID() }
    #expect(Set(ids).count == 1000)
    for id in ids {
      #expect(
        id.text.wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/) != nil)
      #expect(ScanID(id.text) == id)
    }
    for text in ["", "x", ids[0].text.uppercased() + "", ids[0].text + "0", "../" + ids[0].text.dropFirst(3)]
    {
      #expect(ScanID(text) == nil || text == ids[0].text)
    }
  }

  @Test("Dates are ISO 8601 in UTC, as the C library has them too")
  func dates() throws {
    var generator = SeededGenerator(seed: 5)
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.dateFormat = "yyyy-MM-dd'T'HH:mm:ss.SSS'Z'"
    for _ in 0..<2000 {
      // From 1600 to 9999.
      let value = Int.random(in: -11_676_096_000_000...253_402_300_799_999, using: &generator)
      let expected = formatter.string(from: Date(timeIntervalSince1970: Double(value) / 1000))
      let stamp = Timestamp(milliseconds: value)
      #expect(stamp.iso8601 == expected)
      #expect(Timestamp(iso8601: stamp.iso8601) == stamp)
    }
    #expect(Timestamp(iso8601: "2024-02-29T23:59:60Z")?.iso8601 == "2024-03-01T00:00:00.000Z")
    #expect(Timestamp(iso8601: "2026-11-30T09:32:53.5Z")?.iso8601 == "2026-11-30T09:32:53.500Z")
  }

  @Test(
    "What is no date is none",
    arguments: [
      "", "2026-11-30", "2026-11-30T09:32:53", "2026-11-30T09:32:53+01:00", "2026-11-31T00:00:00Z",
      "2023-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-01-00T00:00:00Z",
      "2026-01-01T24:00:00Z",
      "2026-01-01T00:60:00Z", "0000-01-01T00:00:00Z", "2026-01-01T00:00:00.Z",
      "2026-01-01T00:00:00.1234567890Z",
      "2026-01-01 00:00:00Z", "2026-01-01T00:00:0xZ", "+026-01-01T00:00:00Z", "2026-01-01T00:00:00.1xZ",
    ])
  func noDates(_ text: String) { #expect(Timestamp(iso8601: text) == nil) }

  @Test(
    "Hashes are SHA-256, with the values of FIPS 180-4",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
    ])
  func hashes(_ text: String, _ hex: String) {
    #expect(ContentHash(of: Array(text.utf8)).hex == hex)
    #expect(ContentHash(hex: hex) == ContentHash(of: Array(text.utf8)))
    #expect(ContentHash(hex: hex.uppercased()) == nil)
    #expect(ContentHash(hex: String(hex.dropLast())) == nil)
  }
}
