import Foundation
import Raster
import TestSupport
import Testing

/// The commands that look at scans and change them.
@Suite("Scans are listed, shown and changed")
struct LibraryCommandTests {
  let place: Workplace

  init() throws { place = try Workplace() }

  /// A scan of these pictures, whole and not enhanced, so that a page's pixels tell which picture it is.
  private func scan(_ numbers: [Int], title: String = "Album") throws -> String {
    let paths = try numbers.map { try place.write("\($0).png", try Pictures.png($0)) }
    let outcome = try place.program.run(
      ["scan", "--again", "--whole", "--mode", "original", "--title", title] + paths)
    #expect(outcome.status == 0, "\(outcome.errors)")
    return String(outcome.text.prefix { $0 != " " })
  }

  private func expectPages(
    _ scan: String, _ numbers: [Int], sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let target = place.path(UUID().uuidString)
    let outcome = try place.succeed("export", scan, "-o", target)
    let pages = try outcome.lines.map { try decoded(try place.read($0)) }
    #expect(pages.count == numbers.count, sourceLocation: sourceLocation)
    for (page, number) in zip(pages, numbers) {
      #expect(page == Pictures.raster(number), "isn't \(number)", sourceLocation: sourceLocation)
    }
  }

  // MARK: Listing and naming

  @Test("list shows the oldest first: id, date, pages, title; show tells everything of one scan")
  func listAndShow() throws {
    let one = try scan([1], title: "Rent")
    let two = try scan([2, 3], title: "Trip to Bern")
    let lines = try place.succeed("list").lines
    try #require(lines.count == 2)
    #expect(lines[0].hasPrefix("\(one)  20") && lines[0].hasSuffix("   1 page  Rent"))
    #expect(lines[1].hasPrefix("\(two)  20") && lines[1].hasSuffix("  2 pages  Trip to Bern"))
    let shown = try place.succeed("show", two).text
    #expect(shown.hasPrefix("Trip to Bern\n  id        \(two)"))
    #expect(shown.contains("  mode      original\n"))
    #expect(shown.contains("  page 2\n    from    3.png\n    outline the whole photo\n"))
    #expect(shown.contains("    size    64 × 48 pixels\n"))
  }

  @Test("a scan is named by its title, whatever the case of its letters, or by the start of its id")
  func references() throws {
    let scan = try scan([1], title: "Miete März")
    let id = try place.answer("show", scan)["id"].string
    for reference in [
      id, id.uppercased(), String(id.prefix(4)), String(id.prefix(1)), "Miete März", "miete märz",
    ] {
      #expect(try place.answer("show", reference)["id"].string == id)
    }
    for reference in ["nothing", "0g", ""] {
      let outcome = try place.run("show", reference)
      #expect(outcome.status == 6)
      #expect(outcome.errors.contains("there is no scan"), "\(outcome.errors)")
    }
    let near = try place.run("show", "Miete Marz")
    #expect(near.errors.contains("did you mean \"Miete März\"?"), "\(near.errors)")
  }

  @Test("a title that several scans have is ambiguous, and changes nothing")
  func ambiguous() throws {
    let scans = [try scan([1], title: "Receipt"), try scan([2], title: "Receipt")]
    for words in [
      ["rename", "Receipt", "x"], ["delete", "Receipt", "--yes"], ["export", "Receipt", "-o", "out"],
    ] {
      let outcome = try place.program.run(words)
      #expect(outcome.status == 6)
      #expect(scans.allSatisfy(outcome.errors.contains), "\(outcome.errors)")
    }
    #expect(try place.titles() == ["Receipt", "Receipt"])
    let failure = try failures(in: try place.run("show", "Receipt", "--json").errors)
    #expect(failure.map { $0["code"].string } == ["scan.ambiguous"])
  }

  @Test("an empty library is a note, and one that isn't there is a sentence that says how to make it")
  func noLibrary() throws {
    try place.removeLibrary()
    let none = try place.run("list")
    #expect(none.status == 6)
    #expect(none.errors.contains("there is no library yet (\(place.library))"))
    try place.succeed("library", "init", "--protection", "owner-only")
    try place.succeed("delete", try scan([1]), "--yes")
    let empty = try place.succeed("list")
    #expect(empty.text == "")
    #expect(empty.errors.contains("the library is empty"))
    #expect(try place.answer("list").array.isEmpty)
  }

  @Test("--library names another library than the environment does")
  func otherLibrary() throws {
    let other = place.path("other")
    try place.removeLibrary()
    let path = try place.write("1.png", try Pictures.png(1))
    try place.succeed("scan", "--library", other, "--protection", "owner-only", "--whole", path)
    #expect(try place.answer("--library", other, "list").array.count == 1)
    #expect(try place.run("list").status == 6)
  }

  @Test("a folder with other files in it is not made a library")
  func notALibrary() throws {
    try place.removeLibrary()
    try place.write("library/letter.txt", [1])
    let outcome = try place.run("scan", "--whole", try place.write("1.png", try Pictures.png(1)))
    #expect(outcome.status == 6)
    #expect(outcome.errors.contains("not a Flatbed library, and there are other files in the folder"))
    #expect(try place.names(in: "library") == ["letter.txt"])
  }

  // MARK: Changing

  @Test("rename takes any title, and refuses an empty one")
  func rename() throws {
    let scan = try scan([1])
    let title = "Rechnung 12/2026: \"Zahnarzt\" 🦷"
    #expect(try place.succeed("rename", scan, title).text == "\(scan)  1 page  \(title)\n")
    #expect(try place.titles() == [title])
    for bad in ["", " \n", String(repeating: "x", count: 1001)] {
      #expect(try place.run("rename", scan, bad).status == 2)
    }
    #expect(try place.titles() == [title])
  }

  @Test("mode is for the scan, or for some of its pages; the scan's own takes theirs back")
  func mode() throws {
    let scan = try scan([1, 2])
    try place.succeed("mode", scan, "bw", "--pages", "2")
    #expect(try place.exported(scan, "--pages", "1").format == .rgb)
    #expect(try place.exported(scan, "--pages", "2").format == .gray)
    try place.succeed("mode", scan, "enhanced", "--amount", "2")
    let shown = try place.answer("show", scan)
    #expect(shown["mode"].string == "enhanced" && shown["amount"].double == 2)
    #expect(shown["pages"].array.allSatisfy { $0["mode"].isNull && $0["amount"].isNull })
    #expect(try place.exported(scan, "--pages", "2").format == .rgb)
    try place.succeed("mode", scan, "original")
    try expectPages(scan, [1, 2])
  }

  @Test("turns add up, are kept in the record, and lose no pixel")
  func rotate() throws {
    let scan = try scan([1, 2])
    try place.succeed("rotate", scan, "left", "--pages", "1")
    try place.succeed("rotate", scan, "right", "--pages", "2")
    #expect(try place.exported(scan, "--pages", "1") == Pictures.raster(1).turned(.counterclockwise))
    #expect(try place.exported(scan, "--pages", "2") == Pictures.raster(2).turned(.clockwise))
    try place.succeed("rotate", scan, "half")
    #expect(try place.answer("show", scan)["pages"].array.map { $0["turn"].int } == [1, 3])
    #expect(try place.exported(scan, "--pages", "2") == Pictures.raster(2).turned(.counterclockwise))
    try place.succeed("rotate", scan, "right", "--pages", "2")
    try place.succeed("rotate", scan, "left", "--pages", "1")
    try expectPages(scan, [1, 2])
  }

  @Test("adjust sets corners by hand, and finds the page again, from the photo that is kept")
  func adjust() throws {
    let photo = try place.write("photo.png", try Pictures.photo())
    let scan = try place.scan("--whole", photo)
    let corners = try #require(Pictures.page).corners
    let words = corners.map { "\($0.x),\($0.y)" }
    try FileManager.default.removeItem(atPath: photo)
    let adjusted = try place.program.run(["adjust", scan, "--corners"] + words + ["--json"])
    let page = try JSONValue(adjusted.output)["pages"][0]
    #expect(page["found"].string == "manual")
    #expect(page["corners"].array.map { $0.array.map(\.double) } == corners.map { [$0.x, $0.y] })
    try place.succeed("adjust", scan, "--detect")
    let found = try place.answer("show", scan)["pages"][0]
    #expect(found["found"].string == "detected")
    let quad = try #require(
      Quad(corners: found["corners"].array.map { Point(x: $0[0].double ?? 0, y: $0[1].double ?? 0) }))
    #expect(try quad.overlap(with: #require(Pictures.page)) > 0.97)
    let wrong = try place.run("adjust", scan, "--corners", "0,0", "9000,0", "9000,1", "0,1")
    #expect(wrong.status == 3, "\(wrong.errors)")
    #expect(try place.answer("show", scan)["pages"][0]["found"].string == "detected")
    try place.expectSound()
  }

  @Test("--paper with --whole gives the whole photo that size, when scanning and afterwards")
  func paperOfWhole() throws {
    let scan = try place.scan(
      "--whole", "--paper", "a4", try place.write("1.png", try Pictures.png(1)))
    #expect(try place.answer("show", scan)["pages"][0]["paper"].string == "a4")
    try place.succeed("adjust", scan, "--paper", "letter")
    let page = try place.answer("show", scan)["pages"][0]
    #expect(page["paper"].string == "letter" && page["found"].string == "whole")
    try place.succeed("adjust", scan, "--whole", "--paper", "none")
    #expect(try place.answer("show", scan)["pages"][0]["paper"].isNull)
    #expect(try place.exported(scan, "--mode", "original") == Pictures.raster(1))
  }

  @Test("corners for several photos or pages are refused: they are those of one")
  func cornersOfOne() throws {
    let scan = try scan([1, 2])
    let corners = ["--corners", "1,1", "60,2", "59,44", "2,45"]
    let photos = [place.path("1.png"), place.path("2.png")]
    for words in [
      ["adjust", scan], ["scan", "--again"] + photos, ["pages", "append", scan, "--again"] + photos,
    ] {
      let outcome = try place.program.run(words + corners)
      #expect(outcome.status == 2, "\(words): \(outcome.errors)")
      #expect(outcome.errors.contains("corners are those of one"), "\(outcome.errors)")
    }
    try expectPages(scan, [1, 2])
    #expect(try place.titles().count == 1)
  }

  // MARK: Pages

  @Test("pages move, come and go, and the others stay what they are")
  func pages() throws {
    let scan = try scan([1, 2, 3, 4, 5])
    try place.succeed("pages", "move", scan, "5", "--to", "1")
    try expectPages(scan, [5, 1, 2, 3, 4])
    try place.succeed("pages", "move", scan, "1-2", "--to", "9")
    try expectPages(scan, [2, 3, 4, 5, 1])
    try place.succeed("pages", "remove", scan, "2,4-5", "--yes")
    try expectPages(scan, [2, 4])
    let six = try place.write("6.png", try Pictures.png(6))
    try place.succeed("pages", "append", scan, "--whole", "--at", "2", six)
    try expectPages(scan, [2, 6, 4])
    // The photos of pages that are gone are gone too.
    #expect(try place.answer("show", scan)["photos"].array.count == 3)
    try place.expectSound()
  }

  @Test("places that a scan doesn't have, and all of its pages, are refused")
  func wrongPages() throws {
    let scan = try scan([1, 2])
    for words in [
      ["pages", "remove", scan, "1-2", "--yes"], ["pages", "remove", scan, "3", "--yes"],
      ["pages", "move", scan, "3", "--to", "1"], ["export", scan, "--pages", "3", "-o", "out"],
      ["rotate", scan, "left", "--pages", "2-9"],
      ["pages", "append", scan, "--at", "4", place.path("1.png")],
    ] {
      let outcome = try place.program.run(words)
      #expect(outcome.status == 6, "\(words): \(outcome.errors)")
    }
    for pages in ["0", "2-1", "1,", "-1", "a", "1-", "99999999999999999999"] {
      #expect(try place.run("rotate", scan, "left", "--pages=\(pages)").status == 2, "\(pages)")
    }
    try expectPages(scan, [1, 2])
  }

  @Test("append passes known photos over, and answers in JSON also when nothing was added")
  func appendNothing() throws {
    let scan = try scan([1])
    let outcome = try place.run("pages", "append", scan, place.path("1.png"), "--json")
    #expect(outcome.status == 0)
    #expect(try JSONValue(outcome.output)["pages"].array.count == 1)
    let bad = try place.write("bad.jpg", [1, 2, 3])
    let failed = try place.run("pages", "append", scan, bad, "--json")
    #expect(failed.status == 3)
    #expect(try failures(in: failed.errors).map { $0["code"].string } == ["image.not-recognised"])
    let mixed = try place.run("pages", "append", scan, "--whole", bad, place.write("2.png", Pictures.png(2)))
    #expect(mixed.status == 1)
    try place.expectSound()
  }

  // MARK: Deleting

  @Test("delete takes scans and their photos away, with --yes")
  func delete() throws {
    let (one, two) = (try scan([1]), try scan([2]))
    let kept = try scan([3], title: "kept")
    let answer = try place.answer("delete", one, two, one, "--yes")
    #expect(answer["deleted"].strings.map { String($0.prefix(8)) } == [one, two])
    #expect(try place.titles() == ["kept"])
    #expect(try place.libraryFiles().keys.filter { $0.hasPrefix("scans/") }.count == 3)
    try expectPages(kept, [3])
    #expect(try place.run("delete", kept, "nothing", "--yes").status == 6)
    #expect(try place.titles() == ["kept"])
  }

  @Test("without a terminal to ask on, nothing is deleted or removed")
  func nobodyToAsk() throws {
    let scan = try scan([1, 2])
    for words in ["delete \(scan)", "pages remove \(scan) 1", "delete \(scan) --json"] {
      let outcome = try place.program.shell("setsid -w flatbed \(words)")
      #expect(outcome.status == 2, "\(outcome.errors)")
      #expect(outcome.errors.contains("there is nobody to ask"))
    }
    try expectPages(scan, [1, 2])
  }

  @Test("on a terminal it asks, and only a yes deletes", arguments: [("n", 1), ("", 1), ("y", 0)])
  func asks(answer: String, left: Int) throws {
    let scan = try scan([1])
    // The question goes to the terminal that script makes, and the answer comes from it.
    let outcome = try place.program.shell(
      "printf '%s\\n' \"$2\" | script -qec \"flatbed delete $1\" /dev/null", [scan, answer])
    #expect(outcome.text.contains("Delete \(scan) Album (1 page), with its photos?"), "\(outcome.text)")
    #expect(try place.titles().count == left, "\(outcome.text)")
  }

  // MARK: The library as a whole

  @Test("verify names what is altered, empty or missing, with status 6, and what is only stray with 0")
  func verify() throws {
    let scan = try scan([1, 2, 3])
    let id = try place.answer("show", scan)["id"].string
    let folder = "library/scans/\(id)"
    try place.expectSound()
    try place.write(folder + "/stray.txt", [1])
    #expect(try place.run("verify").status == 0)
    var bytes = try place.read(folder + "/photo-1.png")
    bytes[bytes.count / 2] ^= 1
    try place.write(folder + "/photo-1.png", bytes)
    try place.write(folder + "/page-2-original.png", [])
    try FileManager.default.removeItem(atPath: place.path(folder + "/photo-3.png"))
    let outcome = try place.run("verify", "--json")
    #expect(outcome.status == 6)
    let answer = try JSONValue(outcome.output)
    #expect(answer["sound"].bool == false)
    let damaged = answer["findings"].array.filter { $0["gravity"].string == "damage" }
    #expect(
      Set(damaged.map { $0["file"].string })
        == Set(["photo-1.png", "page-2-original.png", "photo-3.png"].map { "scans/\(id)/\($0)" }))
    #expect(damaged.allSatisfy { $0["scan"].string == id })
    let text = try place.run("verify")
    #expect(text.lines.filter { $0.hasPrefix("damage: scans/\(id)/") }.count == 3)
    #expect(text.lines.contains("stray: scans/\(id)/stray.txt is not named by the scan's record"))
    // The page that is empty can't be exported, and the others can.
    let exported = try place.run("export", scan, "-o", place.path("out"))
    #expect(exported.status == 6)
    #expect(try place.names(in: "out") == ["Album-01.png", "Album-03.png"])
  }

  @Test("a scan whose record is damaged is told of by list, and can be deleted by its id")
  func damagedRecord() throws {
    let scan = try scan([1])
    _ = try self.scan([2], title: "whole")
    let id = try place.answer("show", scan)["id"].string
    try place.write("library/scans/\(id)/record.json", Array("{".utf8))
    let listed = try place.run("list")
    #expect(listed.status == 6)
    #expect(listed.lines.count == 1)
    #expect(listed.errors.contains("scan \(scan) is damaged"))
    #expect(try place.run("verify").status == 6)
    try place.succeed("delete", scan, "--yes")
    try place.succeed("trash", "empty", scan, "--yes")
    try place.expectSound()
    #expect(try place.titles() == ["whole"])
  }

  @Test("library info counts, and tells where the library is")
  func info() throws {
    let tiff = try place.write("two.tif", Pictures.tiff([1, 2].map(Pictures.raster)))
    try place.succeed("scan", "--whole", "--separate", tiff, try place.write("3.png", try Pictures.png(3)))
    let info = try place.answer("library", "info")
    #expect(info["scans"].int == 2 && info["pages"].int == 3 && info["photos"].int == 2)
    #expect(info["path"].string == place.library && info["excludedFromBackup"].bool == false)
    #expect(info["protection"].string == "owner-only" && info["damagedScans"].int == 0)
    let text = try place.succeed("library", "info").lines
    #expect(text.contains("place       \(place.library)") && text.contains("pages       3"))
  }

  @Test("library backup --exclude leaves .nobackup and the line each program needs, never CACHEDIR.TAG")
  func backup() throws {
    _ = try scan([1])
    let mark = place.library + "/.nobackup"
    #expect(try place.succeed("library", "backup").text == "Backups include \(place.library).\n")
    let excluded = try place.succeed("library", "backup", "--exclude")
    #expect(FileManager.default.fileExists(atPath: mark))
    #expect(
      excluded.lines == [
        "restic backup --exclude-if-present .nobackup …", "borg create --exclude-if-present .nobackup …",
        "rsync --filter='dir-merge .nobackup' …",
      ])
    #expect(!(try place.names(in: "library")).contains("CACHEDIR.TAG"))
    #expect(try place.answer("library", "backup")["excluded"].bool == true)
    try place.expectSound()
    try place.succeed("library", "backup", "--include")
    #expect(!FileManager.default.fileExists(atPath: mark))
    #expect(try place.run("library", "backup", "--include", "--exclude").status == 2)
  }
}
