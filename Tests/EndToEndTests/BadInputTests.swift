import Foundation
import Raster
import TestSupport
import Testing

/// What can't be scanned is named, with a reason and the documented status; the rest is done.
@Suite("Input that can't be used")
struct BadInputTests {
  let place: Workplace

  init() throws { place = try Workplace() }

  private func expectNoLibrary() {
    #expect(!FileManager.default.fileExists(atPath: place.library))
  }

  /// Files that are no pictures, or half of one, each with what is said of it.
  private func writeBad() throws -> [(path: String, sentence: String, code: String)] {
    let png = try Pictures.png(1)
    return [
      (
        try place.write("mixed/letter.jpg", Array("Dear Sir,\n".utf8)), "not an image", "image.not-recognised"
      ),
      (try place.write("mixed/empty.jpg", []), "the file is empty", "image.not-recognised"),
      (
        try place.write("mixed/cut.png", Array(png.prefix(png.count / 2))), "row", "image.damaged"
      ),
    ]
  }

  @Test("one bad photo among good ones is named, the others are stored, and the status is 1")
  func mixed() throws {
    let bad = try writeBad()
    for number in 1...3 { try place.write("mixed/good \(number).png", try Pictures.png(100 + number)) }
    let outcome = try place.run("scan", "--whole", place.path("mixed"))
    #expect(outcome.status == 1)
    #expect(outcome.text.hasSuffix("  3 pages  mixed\n"))
    for (path, sentence, _) in bad {
      let line = outcome.errors.split(separator: "\n").first { $0.contains("can't read \(path): ") }
      #expect(line?.contains(sentence) == true, "\(outcome.errors)")
    }
    #expect(outcome.errors.hasSuffix("\n3 photos scanned, 3 failed\n"))
    try place.expectSound()
    #expect(try place.staged() == [])
  }

  @Test("when no photo can be used the status is 3, and there is no scan")
  func allBad() throws {
    let bad = try writeBad()
    let outcome = try place.run("scan", "--json", place.path("mixed"))
    #expect(outcome.status == 3)
    let answer = try JSONValue(outcome.output)
    #expect(answer["scans"].array.isEmpty)
    #expect(answer["photos"].array.allSatisfy { $0["status"].string == "failed" })
    let told = try failures(in: outcome.errors)
    #expect(Set(told.map { $0["subject"].string }) == Set(bad.map(\.path)))
    for (path, _, code) in bad {
      #expect(told.first { $0["subject"].string == path }?["code"].string == code)
    }
    #expect(try place.titles() == [])
    #expect(try place.staged() == [])
    try place.expectSound()
  }

  @Test("a damaged photo is taken as far as it goes with --damaged keep, and that is said")
  func damagedKept() throws {
    let png = try Pictures.photo()
    let path = try place.write("cut.png", Array(png.prefix(png.count / 2)))
    let outcome = try place.succeed("scan", "--whole", "--damaged", "keep", path)
    #expect(outcome.errors.contains("cut.png: the PNG data ends at row "), "\(outcome.errors)")
    let page = try place.exported("cut", "--mode", "original")
    let whole = try decoded(png)
    #expect(page.size == whole.size)
    let quarter = whole.samples.count / 4
    #expect(page.samples.prefix(quarter) == whole.samples.prefix(quarter))
    #expect(page.samples.suffix(quarter / 2).allSatisfy { $0 == 255 })
  }

  @Test("one bad picture in a TIFF of several leaves nothing of it, and the others stay")
  func badFrame() throws {
    var tiff = Pictures.tiff([1, 2].map(Pictures.raster))
    // The second picture's first page: its pixels lie beyond the end of the file.
    let place2 = try #require(tiff.lastRange(of: [0x11, 0x01, 4, 0, 1, 0, 0, 0])?.upperBound)
    tiff[place2 + 3] = 0x7F
    let good = try place.write("good.png", try Pictures.png(3))
    let bad = try place.write("bad.tif", tiff)
    let outcome = try place.run("scan", "--whole", bad, good)
    #expect(outcome.status == 1, "\(outcome.errors)")
    let shown = try place.answer("show", String(outcome.text.prefix { $0 != " " }))
    #expect(shown["photos"].array.map { $0["name"].string } == ["good.png"])
    #expect(shown["pages"].array.count == 1)
    try place.expectSound()
  }

  @Test("with --strict a photo without a page is not stored, and the status is 4")
  func strict() throws {
    let table = try place.write("table.png", try Pictures.emptyTable())
    let page = try place.write("page.png", try Pictures.photo())
    let outcome = try place.run("scan", "--strict", table, page)
    #expect(outcome.status == 4)
    #expect(outcome.errors.contains("flatbed: error: no page found in \(table): "))
    // Named after the first photo that is in it.
    #expect(outcome.text.hasSuffix("  1 page  page\n"))
    let shown = try place.answer("show", "page")
    #expect(shown["photos"].array.map { $0["name"].string } == ["page.png"])
  }

  @Test("without --strict it is kept whole, which the summary and the record say, and the status is 0")
  func notFound() throws {
    let outcome = try place.succeed("scan", place.write("table.png", try Pictures.emptyTable()))
    #expect(outcome.errors.contains("table.png: no page found, the whole photo is kept ("))
    #expect(outcome.errors.hasSuffix("\n1 photo scanned, 1 without a page, kept whole\n"))
    let page = try place.answer("show", "table")["pages"][0]
    #expect(page["found"].string == "not-found")
    #expect(page["corners"].isNull)
    #expect(!page["reasons"].array.isEmpty)
    #expect(page["width"].int == 320 && page["height"].int == 240)
  }

  @Test("a wrong path is a sentence with a hint, and makes no library", arguments: ["nowhere.jpg", "a/b"])
  func wrongPath(name: String) throws {
    let outcome = try place.run("scan", place.path(name))
    #expect(outcome.status == 3)
    #expect(outcome.text == "")
    #expect(
      outcome.errors.hasPrefix(
        """
        flatbed: error: can't read \(place.path(name)): there is no such file or folder
        flatbed: hint: check the path; quote it if it has spaces

        """), "\(outcome.errors)")
  }

  @Test("a folder without pictures is a sentence, and makes no library")
  func emptyFolder() throws {
    try place.removeLibrary()
    try place.write("in/notes.txt", Array("milk".utf8))
    let outcome = try place.run("scan", place.path("in"))
    #expect(outcome.status == 3)
    #expect(outcome.errors.contains("can't read \(place.path("in")): no picture is in this folder\n"))
    expectNoLibrary()
    let answer = try place.run("scan", "--json", place.path("in"))
    #expect(try JSONValue(answer.output)["passedOverFiles"].int == 1)
    #expect(try failures(in: answer.errors).map { $0["code"].string } == ["input.no-pictures"])
  }

  @Test("a file name with a newline, an escape and a turn of direction is escaped where it is printed")
  func oddName() throws {
    let name = "two\nlines \u{1B}[31m\u{202E}gpj.png"
    let path = try place.write(name, try Pictures.png(1))
    let scanned = try place.succeed("scan", "--whole", path)
    #expect(scanned.text.hasSuffix("  1 page  two\\nlines \\u{1b}[31m\\u{202e}gpj\n"))
    #expect(try place.titles() == ["two\nlines \u{1B}[31m\u{202E}gpj"])
    let again = try place.succeed("scan", "--whole", path)
    #expect(again.errors.contains("two\\nlines \\u{1b}[31m\\u{202e}gpj.png is in the library already"))
    #expect(!again.errors.contains("\u{1B}"))
    let exported = try place.succeed("export", "--all", "-o", place.path("out"))
    #expect(exported.lines == [place.path("out") + "/two lines [31mgpj.png"])
    #expect(try place.names(in: "out") == ["two lines [31mgpj.png"])
    let bad = try place.run("scan", place.write("no\npicture", [1, 2, 3]))
    #expect(bad.errors.hasPrefix("flatbed: error: can't read \(place.path("no"))\\npicture: "))
  }

  @Test("a name of 255 bytes goes in and comes out")
  func longName() throws {
    let stem = String(repeating: "ü", count: 125) + "x"
    let scan = try place.scan("--whole", try place.write(stem + ".png", try Pictures.png(1)))
    #expect(try place.titles() == [stem])
    try place.succeed("export", scan, "-o", place.path("out"))
    #expect(try place.names(in: "out") == [stem + ".png"])
  }

  @Test("a device is refused, and so is a socket of the system", arguments: ["/dev/zero", "/dev/null"])
  func device(path: String) throws {
    let outcome = try place.run("scan", path)
    #expect(outcome.status == 3)
    #expect(outcome.errors.hasPrefix("flatbed: error: can't read \(path): it is a device, not a file\n"))
  }

  @Test("an empty standard input, and one given twice, is said to be empty")
  func emptyInput() throws {
    let outcome = try place.run("scan", "-")
    #expect(outcome.status == 3)
    #expect(outcome.errors.hasPrefix("flatbed: error: can't read the standard input: the file is empty\n"))
    let twice = try place.run("scan", "--whole", "-", "-", input: Data(try Pictures.png(1)))
    #expect(twice.status == 1)
    #expect(twice.lines.count == 1)
  }

  @Test("a picture that claims to be huge is refused by its header, with the option that would take it")
  func huge() throws {
    let fixtures = Samples.package.appendingPathComponent("Tests/ImageCodecsTests/Fixtures")
    let huge = fixtures.appendingPathComponent("jpeg_huge.jpg").path
    let good = try place.write("good.png", try Pictures.png(1))
    let outcome = try place.run("scan", "--whole", huge, good)
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("--max-pixels"))
    #expect(outcome.lines.count == 1)
  }

  @Test(
    "limits that make no sense are wrong usage", arguments: ["0", "-1", "300", "999999", "1e9", "many"])
  func senselessLimit(limit: String) throws {
    try place.removeLibrary()
    let outcome = try place.run("scan", "--max-pixels", limit, "a.jpg")
    #expect(outcome.status == 2)
    expectNoLibrary()
  }
}

extension Array where Element: Equatable {
  /// Where a run of elements is found last.
  fileprivate func lastRange(of run: [Element]) -> Range<Int>? {
    guard count >= run.count else { return nil }
    return (0...(count - run.count)).last { Array(self[$0..<$0 + run.count]) == run }
      .map { $0..<$0 + run.count }
  }
}
