import Foundation
import Testing

import DocumentOutput

@Suite("Names of exported files")
struct ExportNamesTests {
  @Test(
    "a title becomes a name that every file system takes",
    arguments: [
      ("Invoice 2026", "Invoice 2026"),
      ("a/b\\c:d|e", "a-b-c-d-e"),
      ("What? \"Really\" <now>*", "What Really now"),
      ("line one\nline two\t\tend", "line one line two end"),
      ("null\u{0}bell\u{7}escape\u{1B}[31m", "null bell escape [31m"),
      ("../../etc/passwd", "etc-passwd"),
      ("--force", "force"),
      (".hidden", "hidden"),
      ("ends in dots... ", "ends in dots"),
      ("CON", "_CON"), ("nul.txt", "_nul.txt"), ("Lpt1", "_Lpt1"), ("COM²", "_COM²"),
      ("Console", "Console"), ("COM10", "COM10"),
      ("", "Scan"), ("   ", "Scan"), ("...", "Scan"), ("///", "Scan"), ("??", "Scan"),
      ("🧾 Café 👩‍👩‍👧‍👦 🏴󠁧󠁢󠁳󠁣󠁴󠁿", "🧾 Café 👩‍👩‍👧‍👦 🏴󠁧󠁢󠁳󠁣󠁴󠁿"),
      ("invoice\u{202E}gpj.exe", "invoicegpj.exe"),
      ("\u{FEFF}Rechnung", "Rechnung"),
      ("请款单 счёт فاتورة", "请款单 счёт فاتورة"),
    ])
  func baseNames(title: String, expected: String) {
    let name = ExportNames.baseName(for: title)
    #expect(Array(name.unicodeScalars) == Array(expected.unicodeScalars))
  }

  @Test(
    "letters and accents are composed as Foundation composes them",
    arguments: ["Zürich", "ệ", "Ἄλφα", "йод", "がぎ", "한국어", "Ǟ", "x\u{0301}"])
  func composed(title: String) {
    let apart = title.decomposedStringWithCanonicalMapping
    let name = ExportNames.baseName(for: apart)
    #expect(Array(name.utf8) == Array(title.precomposedStringWithCanonicalMapping.utf8))
  }

  @Test(
    "a name has at most 255 bytes, whole characters, and its ending",
    arguments: ["a", "é", "漢", "🧾", "👩‍👩‍👧‍👦", "e\u{301}\u{302}\u{303}"])
  func longTitles(unit: String) {
    var names = ExportNames()
    let title = String(repeating: unit, count: 300)
    let single = names.names(title: title, pages: [1], of: 1)[0]
    let many = names.names(title: title, pages: [7], of: 1200)[0]
    #expect(single.utf8.count <= 255 && single.utf8.count > 220 && single.hasSuffix(".png"))
    #expect(many.utf8.count <= 255 && many.hasSuffix("-0007.png"))
    let base = String(single.dropLast(4))
    #expect(title.precomposedStringWithCanonicalMapping.hasPrefix(base))
    #expect(base.count * unit.precomposedStringWithCanonicalMapping.utf8.count == base.utf8.count)
  }

  @Test("one character of more bytes than fit is cut all the same")
  func heapOfAccents() {
    let name = ExportNames.baseName(for: "a" + String(repeating: "\u{323}", count: 400), limit: 100)
    #expect(name.utf8.count <= 100 && name.utf8.count > 90)
  }

  @Test("pages are numbered with enough digits, and the only page isn't")
  func numbers() {
    var names = ExportNames()
    #expect(names.names(title: "A", pages: [1], of: 1) == ["A.png"])
    #expect(names.names(title: "B", pages: [1, 2], of: 2) == ["B-01.png", "B-02.png"])
    #expect(names.names(title: "C", pages: [3, 5], of: 120) == ["C-003.png", "C-005.png"])
  }

  @Test("scans of one title in an export get different names, whatever the case of letters")
  func collisions() {
    var names = ExportNames()
    #expect(names.names(title: "Receipt", pages: [1], of: 1) == ["Receipt.png"])
    #expect(names.names(title: "RECEIPT", pages: [1], of: 1) == ["RECEIPT (2).png"])
    #expect(names.names(title: "receipt", pages: [1], of: 1) == ["receipt (3).png"])
    #expect(names.names(title: "Bill", pages: [1, 2], of: 2) == ["Bill-01.png", "Bill-02.png"])
    #expect(names.names(title: "Bill", pages: [2, 3], of: 3) == ["Bill (2)-02.png", "Bill (2)-03.png"])
    #expect(names.names(title: "Bill-01", pages: [1], of: 1) == ["Bill-01 (2).png"])
    #expect(names.names(title: "Zu\u{308}rich", pages: [1], of: 1) == ["Zürich.png"])
    #expect(names.names(title: "Zürich", pages: [1], of: 1) == ["Zürich (2).png"])
  }

  @Test("titles cut to one length still get different names")
  func collisionsOfLongTitles() {
    var names = ExportNames()
    let long = String(repeating: "x", count: 400)
    let first = names.names(title: long, pages: [1], of: 1)[0]
    let second = names.names(title: long + "y", pages: [1], of: 1)[0]
    #expect(first != second && second.hasSuffix(" (2).png") && second.utf8.count == 255)
  }
}
