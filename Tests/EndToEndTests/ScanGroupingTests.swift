import Foundation
import Glibc
import TestSupport
import Testing

/// Which photos become which scans.
@Suite("Photos become scans")
struct ScanGroupingTests {
  let place: Workplace

  init() throws { place = try Workplace() }

  /// Photos in a folder, numbered so that the order of letters isn't that of numbers.
  private func writeFolder(_ name: String, _ numbers: [Int]) throws -> String {
    for number in numbers { try place.write("\(name)/page \(number).png", try Pictures.png(number)) }
    return place.path(name)
  }

  private func expectPages(_ scan: String, _ numbers: [Int]) throws {
    let shown = try place.answer("show", scan)
    #expect(shown["pages"].array.count == numbers.count)
    for (index, number) in numbers.enumerated() {
      let page = try place.exported(scan, "--pages", "\(index + 1)", "--mode", "original")
      #expect(page == Pictures.raster(number), "page \(index + 1) isn't picture \(number)")
    }
  }

  @Test("a folder is one scan in natural order; hidden and other files are counted")
  func folder() throws {
    let folder = try writeFolder("Trip", [10, 9, 2])
    try place.write("Trip/notes.txt", Array("milk".utf8))
    try place.write("Trip/.hidden.png", try Pictures.png(77))
    try place.write("Trip/old/1.png", try Pictures.png(78))
    let outcome = try place.succeed("scan", "--whole", folder)
    #expect(outcome.text.hasSuffix("  3 pages  Trip\n") && outcome.lines.count == 1)
    #expect(
      outcome.errors == """
        3 photos scanned, 2 other files passed over, 1 sub-folder passed over (--recursive scans them)

        """)
    try expectPages("Trip", [2, 9, 10])
  }

  @Test("--separate makes a scan of each photo, named after it")
  func separate() throws {
    let outcome = try place.succeed("scan", "--whole", "--separate", try writeFolder("in", [10, 2]))
    #expect(outcome.lines.count == 2)
    #expect(try place.titles() == ["page 2", "page 10"])
    try expectPages("page 10", [10])
  }

  @Test("--recursive makes a scan of each sub-folder")
  func recursive() throws {
    _ = try writeFolder("all", [1])
    _ = try writeFolder("all/x", [2, 3])
    _ = try writeFolder("all/y/deep", [4])
    try place.succeed("scan", "--whole", "--recursive", place.path("all"))
    #expect(try place.titles() == ["all", "x", "deep"])
    try expectPages("x", [2, 3])
  }

  @Test("photos given together are one scan in the order given, and --title names it")
  func together() throws {
    let (one, two) = (try place.write("b.png", Pictures.png(1)), try place.write("a.png", Pictures.png(2)))
    let scan = try place.scan("--whole", one, two, "--title", "Vertrag/2026 📄")
    #expect(try place.titles() == ["Vertrag/2026 📄"])
    try expectPages(scan, [1, 2])
  }

  @Test(
    "a scan is named after the first of its photos that could be used, unless a folder or --title names it")
  func namedAfterFirstStored() throws {
    let bad = try place.write("in/1.jpg", [1, 2, 3])
    let known = try place.write("in/2.png", try Pictures.png(2))
    let new = try place.write("in/3.png", try Pictures.png(3))
    try place.succeed("scan", "--whole", known)
    #expect(try place.run("scan", "--whole", bad, known, new).text.hasSuffix("  1 page  3\n"))
    #expect(try place.run("scan", "--whole", "--again", place.path("in")).text.hasSuffix("  2 pages  in\n"))
    let titled = try place.run("scan", "--whole", "--again", "--title", "T", bad, new)
    #expect(titled.text.hasSuffix("  1 page  T\n"))
  }

  // MARK: Duplicates

  @Test("photos that the library has are passed over with a note, unless --again is given")
  func duplicates() throws {
    let folder = try writeFolder("in", [1, 2])
    let first = try place.scan("--whole", folder)
    let second = try place.succeed("scan", "--whole", folder)
    #expect(second.text == "")
    #expect(
      second.errors.contains("page 1.png is in the library already, in \(first) in; passed over (--again"))
    #expect(second.errors.hasSuffix("\n2 in the library already\n"))
    #expect(try place.titles() == ["in"])
    try place.succeed("scan", "--whole", "--again", folder)
    #expect(try place.titles() == ["in", "in"])
    try place.expectSound()
  }

  @Test("the same photo twice in one run is one page, also under another name or path")
  func twiceAtOnce() throws {
    let folder = try writeFolder("in", [1])
    let path = folder + "/page 1.png"
    try FileManager.default.createSymbolicLink(
      atPath: place.path("link.png"), withDestinationPath: path)
    try place.write("copy.png", try Pictures.png(1))
    let outcome = try place.succeed(
      "scan", "--whole", path, folder + "/../in/page 1.png", place.path("link.png"), place.path("copy.png"))
    #expect(outcome.text.contains("  1 page  page 1\n"))
    #expect(outcome.errors.contains("copy.png is the same photo as \(path); passed over"))
    #expect(outcome.errors.components(separatedBy: "is the same photo as").count == 4)
    let answer = try place.answer("scan", "--whole", path, place.path("copy.png"))
    #expect(answer["photos"].array.map { $0["status"].string } == ["duplicate", "duplicate"])
    #expect(answer["scans"].array.isEmpty)
  }

  @Test("in JSON a duplicate has a status of its own, and the scan that has it; with --again it is stored")
  func duplicatesInJSON() throws {
    let folder = try writeFolder("in", [1])
    let first = try place.answer("scan", "--whole", folder)
    #expect(first["photos"].array.map { $0["status"].string } == ["stored"])
    _ = try writeFolder("in", [2])
    let second = try place.answer("scan", "--whole", folder)
    #expect(second["photos"].array.map { $0["status"].string } == ["duplicate", "stored"])
    #expect(second["photos"][0]["scan"].string == first["scans"][0]["id"].string)
    #expect(second["scans"][0]["pageCount"].int == 1)
    let again = try place.answer("scan", "--whole", "--again", folder)
    #expect(again["photos"].array.map { $0["status"].string } == ["stored", "stored"])
    #expect(try place.titles().count == 3)
  }

  @Test(
    "a photo that is still being written is refused as long as it isn't whole, and then scanned once",
    arguments: ["png", "jpg"])
  func slowWriter(kind: String) throws {
    let photo =
      kind == "png"
      ? try Pictures.photo()
      : [UInt8](try Data(contentsOf: URL(fileURLWithPath: Samples.path("card-glare-dark-stone.jpg"))))
    let folder = place.path("in")
    for (part, status) in [(0, 3), (1, 3), (2, 3), (3, 0), (3, 0)] as [(Int, Int32)] {
      try place.write("in/1.\(kind)", Array(photo.prefix(photo.count * part / 3)))
      let outcome = try place.run("scan", folder)
      #expect(outcome.status == status, "\(part): \(outcome.errors)")
      #expect(part == 3 || outcome.errors.contains("can't read \(folder)/1.\(kind)"), "\(outcome.errors)")
      #expect(try place.titles() == (part == 3 ? ["in"] : []))
    }
    #expect(try place.answer("show", "in")["photos"][0]["bytes"].int == photo.count)
    try place.expectSound()
  }

  @Test("new photos in a known folder are a scan of only those, with a note that names 'pages append'")
  func grownFolder() throws {
    let folder = try writeFolder("in", [1, 2])
    _ = try place.scan("--whole", folder)
    _ = try writeFolder("in", [3])
    let outcome = try place.succeed("scan", "--whole", folder)
    #expect(outcome.text.hasSuffix("  1 page  in\n"))
    #expect(outcome.errors.contains("'flatbed pages append'"))
    let scans = try place.answer("list").array
    #expect(scans.map { $0["pageCount"].int } == [2, 1])
    try expectPages(scans[1]["id"].string, [3])
  }

  @Test("a --separate run that stopped is continued when it is run again")
  func continued() throws {
    let folder = try writeFolder("in", [1, 2, 3, 4])
    // As after a stop: two of four are done.
    try place.succeed("scan", "--whole", "--separate", folder + "/page 1.png", folder + "/page 2.png")
    let answer = try place.answer("scan", "--whole", "--separate", folder)
    #expect(
      answer["photos"].array.map { $0["status"].string } == ["duplicate", "duplicate", "stored", "stored"])
    #expect(answer["scans"].array.map { $0["title"].string } == ["page 3", "page 4"])
    #expect(try place.titles() == ["page 1", "page 2", "page 3", "page 4"])
  }

  // MARK: Files of several pictures, and streams

  @Test("a TIFF of several pages is one photo, and each of its pages a page")
  func manyPages() throws {
    let numbers = [5, 6, 7]
    let tiff = Pictures.tiff(numbers.map(Pictures.raster))
    let scan = try place.scan("--whole", place.write("fax.tif", tiff))
    try expectPages(scan, numbers)
    let shown = try place.answer("show", scan)
    #expect(shown["photos"].array.count == 1)
    #expect(shown["pages"].array.map { $0["frame"].int } == [0, 1, 2])
    let files = try place.libraryFiles()
    #expect(files.keys.filter { $0.contains("/photo-") }.count == 1)
  }

  @Test("a photo comes in by the standard input, by a pipe, and by a FIFO with a name")
  func streams() throws {
    let bytes = try Pictures.png(1)
    let scan = try #require(
      try place.succeed("scan", "--whole", "-", input: Data(bytes)).text.split(separator: " ").first)
    #expect(try place.titles() == ["standard input"])
    try expectPages(String(scan), [1])
    try place.write("2.png", try Pictures.png(2))
    try place.write("3.png", try Pictures.png(3))
    let outcome = try place.program.shell(
      """
      mkfifo fifo.png && { cat 3.png > fifo.png & }
      flatbed scan --whole --title piped <(cat 2.png) fifo.png
      """)
    #expect(outcome.status == 0, "\(outcome.errors)")
    try expectPages("piped", [2, 3])
  }

  @Test("a FIFO or a socket in a folder isn't waited for")
  func fifoInFolder() throws {
    let folder = try writeFolder("in", [1])
    #expect(unsafe mkfifo(folder + "/page 0.png", 0o600) == 0)
    let outcome = try place.succeed("scan", "--whole", folder)
    #expect(outcome.errors == "1 photo scanned, 1 other file passed over\n")
  }
}
