import ScanLibrary
import Testing

@Suite("JSON")
struct JSONTests {
  @Test(
    "comes out as it went in",
    arguments: [
      "{\n  \"a\": 1\n}\n",
      "{\n  \"big\": 12345678901234567890123,\n  \"small\": 0.1000000000000000055511,\n  \"e\": -1.50E+400\n}\n",
      "{\n  \"quad\": [[1, 2], [3, 4.5]],\n  \"list\": [\n    {},\n    {\n      \"x\": null\n    }\n  ]\n}\n",
      "[true, false, null, \"\", \"\\\"\\\\\\n\\t\\u0001/\u{7F}\u{2028}\"]\n",
      "\"Ünïcödé 👩‍👩‍👧 \u{1F9FE} e\u{301}\"\n",
      "[]\n", "0\n", "-0\n",
    ])
  func roundTrip(_ text: String) throws {
    let value = try JSONParser.parse(Array(text.utf8))
    #expect(String(decoding: JSONWriter.bytes(value), as: UTF8.self) == text)
  }

  @Test(
    "knows every escape",
    arguments: [
      (#""\u0041\n\/\b\f\r\t\"\\""#, "A\n/\u{8}\u{C}\r\t\"\\"),
      (#""\ud83e\uddfe""#, "\u{1F9FE}"), (#""\u00e9\uFFFF""#, "é\u{FFFF}"),
    ])
  func escapes(_ text: String, _ expected: String) throws {
    #expect(try JSONParser.parse(Array(text.utf8)) == .string(expected))
  }

  @Test(
    "that is none is refused",
    arguments: [
      "", " ", "{", "[1,]", "{\"a\":1,}", "{a:1}", "{\"a\" 1}", "[1 2]", "tru", "nul", "01", "1.", ".5", "1e",
      "+1",
      "-", "--1", "NaN", "Infinity", "\"", "\"\\", "\"\\x\"", "\"\\u12\"", "\"\\u12G4\"", "\"\\ud800\"",
      "\"\\ud800\\u0041\"", "\"\\udc00\"", "\"\n\"", "1 2", "{}x", "{\"a\":1,\"a\":2}", "[\"\\u\u{661}234\"]",
    ])
  func broken(_ text: String) {
    #expect(throws: JSONSyntaxError.self) { try JSONParser.parse(Array(text.utf8)) }
  }

  @Test(
    "that is not UTF-8 is refused",
    arguments: [
      [0x22, 0xFF, 0x22], [0x22, 0xC3, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22], [0xFE, 0xFF],
    ] as [[UInt8]])
  func notUTF8(_ bytes: [UInt8]) {
    #expect(throws: JSONSyntaxError.self) { try JSONParser.parse(bytes) }
  }

  @Test("nested without end is refused, and doesn't use up the stack")
  func deep() {
    for bracket in ["[", "{\"a\":"] {
      let text = String(repeating: bracket, count: 1_000_000)
      #expect(throws: JSONSyntaxError.self) { try JSONParser.parse(Array(text.utf8)) }
    }
  }

  @Test("cut anywhere is refused and traps nowhere")
  func cut() throws {
    let text = #"{"a": [1.5e3, "x\u0041\ud83e\uddfe", true, null], "b": {"c": -0.25}}"#
    let bytes = Array(text.utf8)
    _ = try JSONParser.parse(bytes)
    for length in 0..<bytes.count {
      #expect(throws: JSONSyntaxError.self) { try JSONParser.parse(Array(bytes[..<length])) }
    }
  }

  @Test(
    "with a key twice is refused, however many there are and however it is written",
    arguments: [2, 31, 32, 33, 200])
  func repeatedKeys(count: Int) throws {
    func object(_ keys: [String]) -> [UInt8] {
      Array("{\(keys.map { "\"\($0)\": [1, {\"key 0\": 2}]" }.joined(separator: ", "))}".utf8)
    }
    let keys = (0..<count).map { "key \($0)" }
    #expect(try JSONParser.parse(object(keys)).members == keys)
    for repeated in [0, count / 2, count - 1] {
      // The same with its first letter as an escape.
      for spelling in ["key \(repeated)", "\\u006bey \(repeated)"] {
        for place in Set([repeated + 1, count]) {
          var twice = keys
          twice.insert(spelling, at: place)
          let error = #expect(throws: JSONSyntaxError.self) { try JSONParser.parse(object(twice)) }
          #expect(error?.reason == "a key is there twice")
        }
      }
    }
    var escaped = keys
    escaped[0] = "\\u006bey 0"
    #expect(try JSONParser.parse(object(escaped)).members == keys)
  }
}

extension JSONValue {
  /// The keys of an object.
  fileprivate var members: [String]? {
    if case .object(let object) = self { object.members.map(\.key) } else { nil }
  }
}
