import CommandLineKit
import Testing

@Suite("Text for terminals")
struct PrintableTests {
  @Test(
    "what moves, hides or reorders text is escaped",
    arguments: [
      ("plain.jpg", "plain.jpg"), ("a\nb", "a\\nb"), ("a\tb\r", "a\\tb\\r"), ("\u{1b}[2J", "\\u{1b}[2J"),
      ("\r\n", "\\r\\n"), ("\u{7f}\u{9b}1m", "\\u{7f}\\u{9b}1m"), ("a\u{202e}gpj", "a\\u{202e}gpj"),
      ("\u{2066}x", "\\u{2066}x"),
      ("\u{200f}\u{feff}\u{200b}", "\\u{200f}\\u{feff}\\u{200b}"), ("\u{2028}", "\\u{2028}"),
      ("a\\b", "a\\b"),
      ("Grüße 漢字 👩‍👩‍👧 🏴󠁧󠁢󠁳󠁣󠁴󠁿", "Grüße 漢字 👩‍👩‍👧 🏴󠁧󠁢󠁳󠁣󠁴󠁿"), ("می‌خواهم", "می‌خواهم"), ("", ""),
    ])
  func escapes(text: String, expected: String) {
    #expect(printable(text) == expected)
  }

  @Test(
    "columns are counted as terminals do",
    arguments: [
      ("abc", 3), ("é", 1), ("e\u{301}", 1), ("漢字", 4), ("ｱ", 1), ("Ａ", 2), ("👩‍👩‍👧", 2), ("❤️", 2), ("한", 2),
      ("", 0),
    ])
  func widths(text: String, width: Int) {
    #expect(displayWidth(text) == width)
  }

  @Test(
    "text is cut to a width",
    arguments: [
      ("abc", 3, "abc"), ("abcd", 3, "ab…"), ("漢字", 3, "漢…"), ("漢字", 2, "…"), ("ab", 0, ""),
    ])
  func cuts(text: String, width: Int, expected: String) {
    #expect(truncated(text, to: width) == expected)
  }

  @Test(
    "slips are counted",
    arguments: [
      ("", "", 0), ("abc", "abc", 0), ("abc", "acb", 1), ("abc", "ab", 1), ("", "abc", 3),
      ("kitten", "sitting", 3), ("ca", "abc", 3),
    ])
  func slips(from: String, to: String, count: Int) {
    #expect(editDistance(Array(from), Array(to)) == count)
    #expect(editDistance(Array(to), Array(from)) == count)
  }

  @Test(
    "the nearest word is found, and no far one",
    arguments: [
      ("lsit", "list"), ("li", "list"), ("LIST", "list"), ("eksport", "export"), ("x", nil), ("", nil),
      ("zzzz", nil), ("ab", nil),
    ])
  func near(word: String, found: String?) {
    #expect(nearest(to: word, among: ["scan", "list", "export"]) == found)
  }

  @Test("a word of any length is answered at once")
  func longWord() {
    #expect(nearest(to: String(repeating: "x", count: 1_000_000), among: ["scan"]) == nil)
  }

  @Test(
    "times are short",
    arguments: [
      (0, "0 s"), (59.4, "59 s"), (59.6, "1 min 00 s"), (125, "2 min 05 s"), (4800, "1 h 20 min"),
      (-1, "0 s"), (.infinity, "277777 h 46 min"),
    ] as [(Double, String)])
  func durations(seconds: Double, text: String) {
    #expect(durationText(seconds) == text)
  }

  @Test(
    "bytes that aren't text are refused, and shown",
    arguments: [
      ([0x61, 0xE9, 0x2E], "a\\xE9."), ([0xC3], "\\xC3"), ([0xE2, 0x82, 0x41], "\\xE2\\x82A"),
      ([0x0A, 0xFF], "\\n\\xFF"), ([0xC3, 0xA9, 0x80], "é\\x80"),
    ] as [([UInt8], String)])
  func notText(bytes: [UInt8], shown: String) {
    let error = #expect(throws: UsageError.self) { try ProcessArguments.text(bytes) }
    #expect(error?.message == "the argument '\(shown)' isn't UTF-8 text")
    #expect(error?.suggestion != nil)
  }

  @Test("bytes that are text are taken as they are")
  func isText() throws {
    #expect(try ProcessArguments.text(Array("Grüße \u{1b}".utf8)) == "Grüße \u{1b}")
  }

  @Test(
    "shell lines are cut like a shell does",
    arguments: [
      ("a  b", ["a", "b"]), ("'a b' \"c 'd'\"", ["a b", "c 'd'"]), ("a\\ b c", ["a b", "c"]), ("''", [""]),
      ("a'b'c", ["abc"]),
      ("a # b", ["a"]), ("a#b", ["a#b"]), ("", []),
    ])
  func shell(line: String, words: [String]) {
    #expect(shellWords(line).map(\.text) == words)
  }
}
