import Foundation
import ImageCodecs
import Raster
import TestSupport
import Testing

/// Pages come out as PNGs: the right pixels, under safe names, over nothing that is there.
@Suite("Export")
struct ExportTests {
  let place: Workplace

  init() throws { place = try Workplace() }

  private func scan(_ numbers: [Int], title: String, _ options: String...) throws -> String {
    let paths = try numbers.map { try place.write("\($0).png", try Pictures.png($0)) }
    let outcome = try place.program.run(
      ["scan", "--again", "--whole", "--mode", "original", "--title", title] + options + paths)
    #expect(outcome.status == 0, "\(outcome.errors)")
    return String(outcome.text.prefix { $0 != " " })
  }

  // MARK: Names

  @Test(
    "names come from the title, safe on any file system",
    arguments: [
      ("Rechnung 12/2026", "Rechnung 12-2026"), ("Zahnarzt 🦷 für Zoë", "Zahnarzt 🦷 für Zoë"),
      ("../../etc/passwd", "etc-passwd"), ("a\nb\tc", "a b c"), ("CON", "_CON"), ("???", "Scan"),
      ("what? \"this\" <is> it*", "what this is it"), (".hidden", "hidden"), ("name. ", "name"),
    ])
  func names(title: String, name: String) throws {
    let id = try scan([1], title: title)
    let outcome = try place.succeed("export", id, "-o", "out")
    #expect(outcome.lines == ["out/\(name).png"])
    #expect(try place.names(in: "out") == ["\(name).png"])
    #expect(try decoded(try place.read("out/\(name).png")) == Pictures.raster(1))
  }

  @Test("pages have numbers of at least two digits, and as many as the last one needs")
  func digits() throws {
    let tiff = Pictures.tiff(
      (1...101).map { _ in Raster(size: PixelSize(width: 4, height: 3), format: .rgb, filledWith: 9) })
    let id = try place.scan("--whole", "--mode", "original", place.write("fax.tif", tiff))
    #expect(
      try place.succeed("export", id, "--pages", "1,9-10,101", "-o", "out").lines == [
        "out/fax-001.png", "out/fax-009.png", "out/fax-010.png", "out/fax-101.png",
      ])
    let two = try scan([1, 2], title: "two")
    #expect(try place.succeed("export", two, "-o", "out").lines == ["out/two-01.png", "out/two-02.png"])
  }

  @Test("scans of one title don't overwrite each other, and --all takes every scan")
  func sameTitle() throws {
    for number in 1...3 { _ = try scan([number], title: "Receipt") }
    let outcome = try place.succeed("export", "--all", "-o", "out/")
    #expect(outcome.lines == ["out/Receipt.png", "out/Receipt (2).png", "out/Receipt (3).png"])
    for (index, line) in outcome.lines.enumerated() {
      #expect(try decoded(try place.read(line)) == Pictures.raster(index + 1))
    }
    #expect(try place.run("export", "--all", "Receipt").status == 2)
    #expect(try place.run("export").status == 2)
  }

  @Test("without -o the files go where one is, and --json tells each")
  func here() throws {
    let id = try scan([1, 2], title: "Here")
    let answer = try place.answer("export", id)
    #expect(answer.array.map { $0["path"].string } == ["Here-01.png", "Here-02.png"])
    #expect(answer.array.map { $0["page"].int } == [1, 2])
    #expect(answer[0]["width"].int == 64 && answer[0]["height"].int == 48)
    #expect(answer[0]["scan"].string.hasPrefix(id))
    #expect(try decoded(try place.read("Here-02.png")) == Pictures.raster(2))
  }

  // MARK: Where to

  @Test("a file that is there is not overwritten, unless --force is given")
  func overwriting() throws {
    let id = try scan([1, 2], title: "x")
    try place.write("out/x-01.png", Array("mine".utf8))
    let refused = try place.run("export", id, "-o", "out")
    #expect(refused.status == 5)
    #expect(refused.errors.contains("can't write out/x-01.png: "))
    #expect(refused.errors.contains("--force"))
    #expect(try place.read("out/x-01.png") == Array("mine".utf8))
    try place.succeed("export", id, "-o", "out", "--force")
    #expect(try decoded(try place.read("out/x-01.png")) == Pictures.raster(1))
    #expect(try decoded(try place.read("out/x-02.png")) == Pictures.raster(2))
    #expect(try place.names(in: "out") == ["x-01.png", "x-02.png"])
  }

  @Test("one page goes to a file of any name, or to the standard output; several don't")
  func single() throws {
    let id = try scan([1, 2], title: "x")
    #expect(try place.succeed("export", id, "--pages", "2", "-o", "my page.png").lines == ["my page.png"])
    #expect(try decoded(try place.read("my page.png")) == Pictures.raster(2))
    #expect(try place.exported(id, "--pages", "1") == Pictures.raster(1))
    for target in ["both.png", "-"] {
      let outcome = try place.run("export", id, "-o", target)
      #expect(outcome.status == 2 && outcome.output.isEmpty)
      #expect(outcome.errors.contains("2 pages can't go into one PNG"))
    }
    #expect(!FileManager.default.fileExists(atPath: place.path("both.png")))
    #expect(try place.run("export", id, "--pages", "1", "-o", "no/such/page.png").status == 5)
  }

  @Test("a picture is not written to a terminal")
  func terminal() throws {
    let id = try scan([1], title: "x")
    let photo = place.path("1.png")
    for words in ["export \(id) -o -", "flatten \(photo) -o -"] {
      let outcome = try place.program.shell("script -qec \"flatbed \(words)\" /dev/null < /dev/null")
      #expect(outcome.status == 2)
      #expect(outcome.text.contains("a PNG is not for reading on a terminal"), "\(outcome.text)")
      #expect(outcome.output.range(of: Data("IHDR".utf8)) == nil)
    }
  }

  // MARK: Pixels

  @Test("--mode and --amount are for this export only")
  func override() throws {
    let photo = try place.write("photo.png", try Pictures.photo())
    let id = try place.scan(photo)
    let enhanced = try place.exported(id)
    let grey = try place.exported(id, "--mode", "bw")
    #expect(grey.format == .gray && grey.size == enhanced.size)
    #expect(try place.exported(id, "--mode", "original") != enhanced)
    #expect(try place.exported(id, "--amount", "0") == place.exported(id, "--mode", "original"))
    #expect(try place.answer("show", id)["mode"].string == "enhanced")
    #expect(try place.exported(id) == enhanced)
    try place.succeed("mode", id, "bw")
    #expect(try place.exported(id) == grey)
  }

  @Test(
    "an export's mode is made of the flat page, whatever mode the scan has: looks are never stacked"
  )
  func neverStacked() throws {
    let photo = try place.write("photo.png", try Pictures.photo())
    let id = try place.scan(photo)
    for mode in ["original", "enhanced", "bw"] {
      // What a single photo gives, without any library.
      try place.succeed("flatten", photo, "-o", "\(mode).png", "--mode", mode)
    }
    for scanMode in ["original", "enhanced", "bw"] {
      try place.succeed("mode", id, scanMode, "--amount", "6")
      for mode in ["original", "enhanced", "bw"] {
        let direct = try decoded(try place.read("\(mode).png"))
        #expect(
          try place.exported(id, "--mode", mode) == direct, "\(mode) of a scan in \(scanMode)")
      }
    }
  }

  @Test(
    "--bits 1 writes black or white and nothing between, in every mode, and is for this export only"
  )
  func oneBit() throws {
    let id = try place.scan(try place.write("photo.png", try Pictures.photo()))
    let before = try place.exported(id)
    for mode in ["original", "enhanced", "bw"] {
      let png = Array(
        try place.succeed("export", id, "--mode", mode, "--bits", "1", "-o", "-").output)
      #expect(png[24] == 1 && png[25] == 0)
      let picture = try decoded(png)
      #expect(picture.size == before.size && picture.format == .gray)
      #expect(Set(picture.samples) == [0, 255])
    }
    let grey = try place.exported(id, "--mode", "bw")
    #expect(Set(grey.samples).count > 64)
    let bits = try decoded(
      Array(try place.succeed("export", id, "--mode", "bw", "--bits", "1", "-o", "-").output))
    // White paper stays, and what is dark is black.
    let pairs = zip(grey.samples, bits.samples)
    #expect(
      pairs.allSatisfy { $0 != 255 || $1 == 255 } && pairs.allSatisfy { $0 >= 128 || $1 == 0 })
    #expect(try place.exported(id) == before)
    #expect(try place.run("export", id, "--bits", "4").status == 2)
  }

  @Test("new pages have the mode of the option, else of $FLATBED_MODE, else enhanced")
  func defaultMode() throws {
    let photo = try place.write("photo.png", try Pictures.photo())
    let byDefault = try place.scan(photo)
    #expect(try place.answer("show", byDefault)["mode"].string == "enhanced")
    let other = try Workplace(environment: ["FLATBED_MODE": "bw"])
    let copy = try other.write("photo.png", try Pictures.photo())
    let id = try other.scan(copy)
    #expect(try other.answer("show", id)["mode"].string == "bw")
    #expect(try other.exported(id).format == .gray)
    try other.succeed("flatten", copy, "-o", "flat.png")
    #expect(try decoded(try other.read("flat.png")).format == .gray)
    try other.succeed("flatten", copy, "-o", "colour.png", "--mode", "enhanced")
    #expect(try decoded(try other.read("colour.png")).format == .rgb)
    #expect(try other.exported(id, "--mode", "enhanced").format == .rgb)
    let wrong = try Workplace(environment: ["FLATBED_MODE": "sepia"])
    let outcome = try wrong.run("scan", copy)
    #expect(outcome.status == 2 && outcome.errors.contains("sepia"))
  }

  @Test("no page is made smaller on its way: as many pixels as in the photo, in every mode")
  func neverSmaller() throws {
    let photo = try place.write("photo.png", try Pictures.photo())
    let id = try place.scan(photo, "--paper", "a4")
    let page = try place.answer("show", id)["pages"][0]
    let corners = page["corners"].array.map { Point(x: $0[0].double ?? 0, y: $0[1].double ?? 0) }
    try #require(corners.count == 4)
    let sides = (0..<4).map { corners[$0].distance(to: corners[($0 + 1) % 4]) }
    let (width, height) = (page["width"].int ?? 0, page["height"].int ?? 0)
    #expect(
      Double(width) >= max(sides[0], sides[2]) - 2 && Double(height) >= max(sides[1], sides[3]) - 2)
    for mode in ["original", "enhanced", "bw"] {
      #expect(
        try place.exported(id, "--mode", mode).size == PixelSize(width: width, height: height))
    }
    // How fine that is can be read, too.
    let text = try place.succeed("show", id).text
    let dotsPerInch = Int((Double(min(width, height)) / (210 / 25.4)).rounded())
    #expect(text.contains("\(width) × \(height) pixels, a4, \(dotsPerInch) dpi"), "\(text)")
  }

  @Test("each page of a bulk export is the page that is exported alone")
  func bulk() throws {
    // The pictures are as unlike as can be, so that one that is blank or another's shows.
    for scan in 1...20 {
      let pages = (1...3).map { Pictures.raster(10 * scan + $0) }
      try place.write("in/scan \(scan).tif", Pictures.tiff(pages))
    }
    try place.succeed("scan", "--whole", "--separate", place.path("in"))
    let files = try place.answer("export", "--all", "-o", "out").array
    #expect(files.count == 60)
    #expect(Set(files.map { $0["path"].string }).count == 60)
    for (index, file) in files.enumerated() {
      let (scan, page) = (file["scan"].string, file["page"].int ?? 0)
      #expect(page == index % 3 + 1)
      let single = try place.succeed("export", scan, "--pages", "\(page)", "-o", "-")
      #expect(try place.read(file["path"].string) == Array(single.output))
    }
    try place.succeed("export", "--all", "--mode", "original", "-o", "plain")
    for scan in 1...20 {
      for page in 1...3 {
        #expect(
          try decoded(try place.read("plain/scan \(scan)-0\(page).png")) == Pictures.raster(10 * scan + page))
      }
    }
  }

  @Test("pages turned by different angles come out whole")
  func mixedTurns() throws {
    let id = try scan([1, 2, 3, 4], title: "turned")
    for (page, direction) in [(2, "right"), (3, "half"), (4, "left")] {
      try place.succeed("rotate", id, direction, "--pages", "\(page)")
    }
    let pages = try place.succeed("export", id, "-o", "out").lines.map { try decoded(try place.read($0)) }
    #expect(
      pages == [
        Pictures.raster(1), Pictures.raster(2).turned(.clockwise), Pictures.raster(3).turned(.half),
        Pictures.raster(4).turned(.counterclockwise),
      ])
  }

  @Test("the eight ways in which EXIF says a photo lies all come out the same way up")
  func orientations() throws {
    let fixtures = Samples.package.appendingPathComponent("Tests/ImageCodecsTests/Fixtures")
    var pages: [Raster] = []
    for orientation in 1...8 {
      let path = fixtures.appendingPathComponent("jpeg_exif_\(orientation).jpg").path
      let id = try place.scan("--whole", "--again", "--mode", "original", "--title", "\(orientation)", path)
      pages.append(try place.exported(id))
    }
    for page in pages.dropFirst() {
      try #require(page.size == pages[0].size)
      let difference = zip(page.samples, pages[0].samples).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
      #expect(Double(difference) / Double(page.samples.count) < 3)
    }
  }

  @Test("a page of known size carries it, for every mode and turn, and nothing of the photo's own data")
  func resolution() throws {
    let id = try place.scan(Samples.path("receipt-faint-thermal.jpg"), "--paper", "a4")
    for (turn, mode) in [("left", "original"), ("left", "enhanced"), ("left", "bw")] {
      try place.succeed("rotate", id, turn)
      let png = Array(try place.succeed("export", id, "--mode", mode, "-o", "-").output)
      let picture = try ImageSource(bytes: png).decode()
      let resolution = try #require(picture.resolution)
      let millimetres = [
        Double(picture.raster.width) / resolution.horizontal * 25.4,
        Double(picture.raster.height) / resolution.vertical * 25.4,
      ].sorted()
      #expect(abs(millimetres[0] - 210) < 1 && abs(millimetres[1] - 297) < 1, "\(millimetres)")
      let kinds = try chunks(png)
      #expect(kinds.isSubset(of: ["IHDR", "pHYs", "sRGB", "gAMA", "IDAT", "IEND"]), "\(kinds)")
    }
  }

  /// The kinds of chunk that a PNG is made of.
  private func chunks(_ png: [UInt8]) throws -> Set<String> {
    var found: Set<String> = []
    var offset = 8
    while offset + 8 <= png.count {
      let length = png[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
      found.insert(String(decoding: png[offset + 4..<offset + 8], as: UTF8.self))
      offset += length + 12
    }
    #expect(offset == png.count)
    return found
  }

  // MARK: Without a library

  @Test("detect answers by path as given, with the true corners, and null with reasons where there is none")
  func detect() throws {
    try place.removeLibrary()
    try place.write("photo.png", try Pictures.photo())
    try place.write("table.png", try Pictures.emptyTable())
    let answer = try place.answer("detect", "photo.png", "./table.png")
    #expect(answer.keys == ["./table.png", "photo.png"])
    let corners = answer["photo.png"]["corners"].array.map {
      Point(x: $0[0].double ?? 0, y: $0[1].double ?? 0)
    }
    #expect(try #require(Quad(corners: corners)).overlap(with: #require(Pictures.page)) > 0.97)
    #expect(corners[0].distance(to: Point(x: 92, y: 38)) < 4)
    #expect((answer["photo.png"]["confidence"].double ?? 0) > 0.3)
    #expect(answer["./table.png"]["corners"].isNull)
    #expect(!answer["./table.png"]["reasons"].array.isEmpty)
    #expect(!FileManager.default.fileExists(atPath: place.library))
    try place.write("bad.jpg", [1, 2, 3])
    let mixed = try place.run("detect", "--json", "bad.jpg", "photo.png")
    #expect(mixed.status == 1)
    #expect(try JSONValue(mixed.output).keys == ["photo.png"])
    #expect(try place.run("detect", "bad.jpg").status == 3)
  }

  @Test("a table's frame on the page isn't taken for the page")
  func innerFrame() throws {
    let outline = try #require(Pictures.page)
    let scene = SyntheticScene(
      size: PixelSize(width: 440, height: 480), page: outline, background: .wood,
      features: [.table, .noise(2)])
    try place.write("table.png", try encodePNG(scene.photo(), resolution: nil))
    let corners = try place.answer("detect", "table.png")["table.png"]["corners"].array
      .map { Point(x: $0[0].double ?? 0, y: $0[1].double ?? 0) }
    #expect(try #require(Quad(corners: corners)).overlap(with: outline) > 0.95)
  }

  @Test("a flat scan is left as it is, each of its pages")
  func flatScan() throws {
    let id = try place.scan(Samples.path("scan-two-invoices.tif"))
    let pages = try place.answer("show", id)["pages"].array
    #expect(pages.map { $0["found"].string } == ["detected", "detected"])
    let tiff = try ImageSource(bytes: try place.read(Samples.path("scan-two-invoices.tif")))
    for (frame, page) in pages.enumerated() {
      #expect(page["corners"].isNull)
      let picture = try ImageSource(
        bytes: Array(
          place.succeed("export", id, "--pages", "\(frame + 1)", "--mode", "original", "-o", "-").output)
      ).decode()
      #expect(picture.raster == (try tiff.decode(frame: frame).raster))
      #expect(abs((picture.resolution?.horizontal ?? 0) - 150) < 0.1)
    }
  }

  @Test("flatten gives what scan and export give, from a file or in a pipeline")
  func flatten() throws {
    let photo = try Pictures.photo()
    let path = try place.write("photo.png", photo)
    let id = try place.scan(path)
    for mode in ["original", "enhanced", "bw"] {
      try place.succeed("flatten", path, "-o", "\(mode).png", "--mode", mode)
      #expect(try decoded(try place.read("\(mode).png")) == place.exported(id, "--mode", mode))
      let piped = try place.succeed("flatten", "-", "-o", "-", "--mode", mode, input: Data(photo))
      #expect(Array(piped.output) == (try place.read("\(mode).png")))
    }
    let refused = try place.run("flatten", path, "-o", "bw.png")
    #expect(refused.status == 5)
    try place.succeed("flatten", path, "-o", "bw.png", "--force", "--turn", "right")
    #expect(try decoded(try place.read("bw.png")) == place.exported(id).turned(.clockwise))
    let table = try place.write("table.png", try Pictures.emptyTable())
    #expect(try place.run("flatten", table, "-o", "strict.png", "--strict").status == 4)
    #expect(!FileManager.default.fileExists(atPath: place.path("strict.png")))
    let tiff = try place.write("two.tif", Pictures.tiff([1, 2].map(Pictures.raster)))
    try place.succeed("flatten", tiff, "-o", "2.png", "--whole", "--mode", "original", "--frame", "2")
    #expect(try decoded(try place.read("2.png")) == Pictures.raster(2))
    #expect(try place.run("flatten", tiff, "-o", "3.png", "--frame", "3").status == 3)
  }
}
