import Foundation
import ImageCodecs
import LoopbackServer
import PageReview
import PerspectiveCorrection
import Raster
import ScanLibrary
import ScanPipeline
import Synchronization
import TestSupport
import Testing

/// What the page asks, and what it is answered: without a browser and without a network.
@Suite("What the review's page is answered")
struct ReviewDeskTests {
  private let folder: TemporaryFolder
  private let library: Library
  private let scan: ScanRecord
  private let desk: ReviewDesk

  private static let size = PixelSize(width: 300, height: 400)
  private static let corners = [[60.0, 40], [240, 50], [230, 350], [50, 340]]

  /// A library with a scan of two photos, each kept whole.
  init() throws {
    folder = try TemporaryFolder()
    library = try Library.openOrCreate(at: folder.path("library"))
    let pending = try library.beginScan()
    for seed in 1...2 {
      let png = try encodePNG(Self.photo(UInt64(seed)), resolution: nil)
      let photo = try pending.addPhoto(png, name: "\(seed).png", format: "png", fileExtension: "png")
      _ = try pending.addPage(
        png: png, origin: PageOrigin(photo: photo, found: "not-found", reasons: ["for the test"]))
    }
    scan = try pending.commit(title: "Two", mode: "enhanced")
    desk = ReviewDesk(library: library, scans: [scan.id])
  }

  private static func photo(_ seed: UInt64) -> Raster {
    var scene = SyntheticScene(
      size: size, page: Quad(corners: corners.map { Point(x: $0[0], y: $0[1]) }),
      features: [.text, .noise(3)])
    scene.seed = seed
    return scene.photo()
  }

  // MARK: Asking

  private func get(_ path: String, _ query: [String: String] = [:]) throws -> (status: Int, json: Answer) {
    let answer = desk.respond(to: LoopbackRequest(path: path, query: query))
    return (answer.status, Answer(try JSONSerialization.jsonObject(with: Data(answer.body))))
  }

  private func edit(_ change: [String: Any]) throws -> (status: Int, json: Answer) {
    let body = try JSONSerialization.data(
      withJSONObject: ["scan": scan.id.text].merging(change) { $1 })
    let answer = desk.respond(to: LoopbackRequest(method: "POST", path: "/api/edit", body: Array(body)))
    return (answer.status, Answer(try JSONSerialization.jsonObject(with: Data(answer.body))))
  }

  private func picture(_ path: String, _ query: [String: String]) throws -> (
    raster: Raster, headers: [String: String]
  ) {
    let answer = desk.respond(
      to: LoopbackRequest(path: path, query: ["scan": scan.id.text].merging(query) { $1 }))
    try #require(answer.status == 200 && answer.contentType == "image/png")
    return (try ImageSource(bytes: answer.body).decode().raster, answer.headers)
  }

  private var now: ScanRecord { get throws { try library.scan(scan.id) } }

  struct Answer {
    let value: Any?
    init(_ value: Any?) { self.value = value is NSNull ? nil : value }
    subscript(key: String) -> Answer { Answer((value as? [String: Any])?[key]) }
    subscript(index: Int) -> Answer { Answer((value as? [Any])?[index]) }
    var int: Int? { value as? Int }
    var string: String? { value as? String }
    var double: Double? { value as? Double }
    var count: Int { (value as? [Any])?.count ?? 0 }
  }

  // MARK: Pictures

  @Test("a photo comes small for the whole, and in its own pixels for a part")
  func photos() throws {
    let (small, headers) = try picture("/api/photo", ["page": "1", "side": "100"])
    #expect(small.size == PixelSize(width: 75, height: 100))
    #expect(headers["X-Photo-Size"] == "300,400")
    let (part, place) = try picture(
      "/api/photo", ["page": "1", "x": "250", "y": "-20", "w": "100", "h": "90"])
    #expect(place["X-Part"] == "250,0,50,90")
    let photo = Self.photo(1)
    #expect(part == photo.cropped(to: PixelRect(x: 250, y: 0, size: PixelSize(width: 50, height: 90))))
  }

  @Test("a flat page is the export's picture, made smaller to fit")
  func flatPages() throws {
    let (full, _) = try picture("/api/flat", ["page": "2", "side": "4000"])
    #expect(try full == renderPage(now.pages[1], of: now, in: library).raster)
    #expect(
      try picture("/api/flat", ["page": "2", "side": "200"]).raster.size == PixelSize(width: 150, height: 200)
    )
    let thumbnail = try picture("/api/flat", ["page": "2", "side": "80", "thumbnail": "1"]).raster
    #expect(thumbnail.size == PixelSize(width: 60, height: 80))
  }

  @Test("a picture made smaller has the mean of what it stands for, at any size")
  func reducing() throws {
    let (small, _) = try picture("/api/photo", ["page": "1", "side": "16"])
    #expect(small.size == PixelSize(width: 12, height: 16))
    let photo = Self.photo(1)
    let mean = { (raster: Raster) in
      raster.samples.reduce(0) { $0 + Double($1) } / Double(raster.samples.count)
    }
    #expect(abs(mean(small) - mean(photo)) < 0.6)
    // The first pixel is the mean of 25 × 25.
    let block = photo.cropped(to: PixelRect(x: 0, y: 0, size: PixelSize(width: 25, height: 25)))
    let red = stride(from: 0, to: block.samples.count, by: 3).reduce(0) { $0 + Int(block.samples[$1]) }
    #expect(abs(Int(small.samples[0]) - red / 625) <= 1)
  }

  // MARK: Changing

  @Test("what is saved is what 'adjust' would have saved: the same page, set by hand")
  func corners() throws {
    let answer = try edit(["action": "corners", "page": 1, "corners": Self.corners, "seen": ["turn": 0]])
    #expect(answer.status == 200)
    let number = try #require(answer.json["page"].int)
    let page = try #require(try now.page(number))
    #expect(page.origin.found == "manual" && page.origin.confidence == nil && page.origin.reasons == [])
    let quad = try #require(Quad(corners: Self.corners.map { Point(x: $0[0], y: $0[1]) }))
    let expected = try remakePage(
      scan.pages[0], of: scan, in: library,
      outline: .choice(.corners(quad)),
      correction: CorrectionOptions())
    #expect(try library.pageBytes(now, page: number) == expected.png)
    #expect(page.origin == expected.origin)
    #expect(answer.json["scan"]["pages"][0]["isUnsure"].value as? Bool == false)
    #expect(try now.pages.map(\.number) == [number, 2])
  }

  @Test("a change of what was changed elsewhere is refused, and shows how it is now; nothing is written")
  func conflict() throws {
    // A command beside turns page 1, and makes page 2 anew.
    try library.change(scan.id) { change throws(LibraryError) in
      try change.turnPages([1], by: .half)
      _ = try change.replacePage(
        2, png: library.pageBytes(change.record, page: 2), origin: change.record.pages[1].origin)
    }
    let before = try now
    for change: [String: Any] in [
      ["action": "corners", "page": 1, "corners": Self.corners, "seen": ["turn": 0]],
      ["action": "turn", "page": 1, "turn": 1, "seen": ["turn": 0]],
      ["action": "whole", "page": 2, "seen": ["turn": 0]],
      ["action": "mode", "page": 2, "mode": "bw", "seen": ["turn": 0]],
      ["action": "remove", "page": 2, "seen": ["turn": 0]],
      ["action": "order", "order": [2, 1], "seenOrder": [1, 2]],
      ["action": "title", "title": "Mine", "seenTitle": "Not this"],
    ] {
      let answer = try edit(change)
      #expect(answer.status == 409, "\(change)")
      #expect(answer.json["scan"]["pages"][0]["turn"].int == 2, "\(change)")
      #expect(answer.json["error"].string?.hasSuffix(".") == true)
    }
    #expect(try now == before)
    // What was not changed elsewhere can be changed.
    #expect(try edit(["action": "title", "title": "Mine", "seenTitle": "Two"]).status == 200)
    #expect(try now.title == "Mine")
  }

  @Test("a page goes back to how it was, with how it was found, and forth again")
  func restoring() throws {
    let first = try #require(scan.page(1))
    // The page begins with this, and what it has seen is remembered.
    #expect(try get("/api/scans").status == 200)
    let changed = try edit([
      "action": "corners", "page": 1, "corners": Self.corners, "turn": 1, "seen": ["turn": 0],
    ])
    let number = try #require(changed.json["page"].int)
    #expect(try now.page(number)?.look.turn == .clockwise)
    let by = try library.pageBytes(now, page: number)
    let back = try edit([
      "action": "restore", "page": number, "of": 1, "look": ["turn": 0], "seen": ["turn": 1],
    ])
    let madeAgain = try #require(back.json["page"].int)
    let again = try #require(try now.page(madeAgain))
    #expect(again.origin == first.origin && again.look == first.look)
    // The file is made anew and need not be the same; its pixels are.
    let new = try ImageSource(bytes: library.pageBytes(now, page: again.number)).decode().raster
    #expect(new == Self.photo(1))
    let forth = try edit([
      "action": "restore", "page": again.number, "of": number, "look": ["turn": 1], "seen": ["turn": 0],
    ])
    #expect(try library.pageBytes(now, page: #require(forth.json["page"].int)) == by)
  }

  @Test("a removed page comes back to its place, with its photo and its look; the last page stays")
  func removing() throws {
    _ = try edit(["action": "turn", "page": 1, "turn": 3, "seen": ["turn": 0]])
    let (photo, png) = (try library.photoBytes(now, photo: 1), try library.pageBytes(now, page: 1))
    #expect(try edit(["action": "remove", "page": 1, "seen": ["turn": 3]]).status == 200)
    #expect(try now.pages.map(\.number) == [2] && now.photos.count == 1)
    #expect(try edit(["action": "remove", "page": 2, "seen": ["turn": 0]]).status == 500)
    let back = try edit(["action": "putBack", "page": 1, "place": 0])
    let number = try #require(back.json["page"].int)
    #expect(try now.pages.map(\.number) == [number, 2])
    let page = try #require(try now.page(number))
    #expect(page.look.turn == .counterclockwise && page.origin.found == "not-found")
    #expect(try library.photoBytes(now, photo: page.origin.photo) == photo)
    #expect(try library.pageBytes(now, page: number) == png)
    // It can be made anew, also as it was before it was removed.
    #expect(
      try edit(["action": "corners", "page": number, "corners": Self.corners, "seen": ["turn": 3]]).status
        == 200)
    #expect(try edit(["action": "putBack", "page": 1, "place": 0]).status == 400)
  }

  @Test("a page that comes back doesn't bring its photo along when another page has kept it")
  func sharedPhoto() throws {
    let pending = try library.beginScan()
    let png = try encodePNG(Self.photo(7), resolution: nil)
    let photo = try pending.addPhoto(png, name: "both.png", format: "png", fileExtension: "png")
    for _ in 1...2 { _ = try pending.addPage(png: png, origin: PageOrigin(photo: photo, found: "whole")) }
    let both = try pending.commit(title: "Both", mode: "original").id
    let desk = ReviewDesk(library: library, scans: [both])
    for change in [
      #"{"action":"remove","page":1,"seen":{"turn":0},"#, #"{"action":"putBack","page":1,"place":0,"#,
    ] {
      let body = Array("\(change)\"scan\":\"\(both.text)\"}".utf8)
      let answer = desk.respond(to: LoopbackRequest(method: "POST", path: "/api/edit", body: body))
      #expect(answer.status == 200, "\(String(decoding: answer.body, as: UTF8.self))")
    }
    let now = try library.scan(both)
    #expect(now.pages.map(\.number) == [3, 2] && now.photos.map(\.number) == [1])
    #expect(now.pages.allSatisfy { $0.origin.photo == 1 })
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path("library/scans/\(both.text)"))
    #expect(files.count { $0.hasPrefix("photo-") } == 1, "\(files)")
  }

  // MARK: Paper

  private func adjusted(paper: PaperChoice) throws {
    let quad = try #require(Quad(corners: Self.corners.map { Point(x: $0[0], y: $0[1]) }))
    let made = try remakePage(
      scan.pages[0], of: scan, in: library, outline: .choice(.corners(quad)),
      correction: CorrectionOptions(paper: paper))
    try library.change(scan.id) { change throws(LibraryError) in try change.replacePage(1, by: made) }
  }

  @Test(
    "a paper that was forced before, by a command or here, stays with other corners, until another is chosen",
    arguments: ["letter", "none", "auto"])
  func paperStays(name: String) throws {
    // The page has A4's proportions nearly; what fits it is told by 'auto'.
    let choice: PaperChoice = ["letter": .size(.letter), "none": .none][name] ?? .auto
    try adjusted(paper: choice)
    let before = try #require(try now.pages.first)
    let shown = desk.respond(
      to: LoopbackRequest(path: "/api/photo", query: ["scan": scan.id.text, "page": "\(before.number)"]))
    // 'none' can be told from 'auto' only where something would fit.
    let isTold = name == "letter" || before.origin.paper != nil
    if isTold { #expect(shown.headers["X-Paper"] == name) }
    let other = Self.corners.map { [$0[0] + 1, $0[1]] }
    let answer = try edit([
      "action": "corners", "page": before.number, "corners": other, "seen": ["turn": 0],
    ])
    let number = try #require(answer.json["page"].int)
    #expect(try now.page(number)?.origin.paper == before.origin.paper)
    // What 'adjust --paper' writes.
    let chosen = try edit(["action": "paper", "page": number, "paper": "a5", "seen": ["turn": 0]])
    let chosenNumber = try #require(chosen.json["page"].int)
    let a5 = try #require(try now.page(chosenNumber))
    let expected = try remakePage(
      a5, of: now, in: library, outline: .same,
      correction: CorrectionOptions(paper: .size(.a5)))
    #expect(a5.origin == expected.origin && a5.origin.paper == "a5")
    #expect(try library.pageBytes(now, page: a5.number) == expected.png)
    #expect(chosen.json["scan"]["pages"][0]["paperChoice"].string == "a5")
    // Undone, the choice before it counts again, and not the one that was taken back.
    let back = try edit([
      "action": "restore", "page": a5.number, "of": number, "look": ["turn": 0], "seen": ["turn": 0],
    ])
    let backNumber = try #require(back.json["page"].int)
    let last = try edit([
      "action": "corners", "page": backNumber, "corners": Self.corners, "seen": ["turn": 0],
    ])
    let lastNumber = try #require(last.json["page"].int)
    #expect(try now.page(lastNumber)?.origin.paper == before.origin.paper)
  }

  // MARK: Other changes

  @Test("turn, mode of a page and of all, order and title are set")
  func fields() throws {
    _ = try edit(["action": "turn", "page": 1, "turn": 1, "seen": ["turn": 0]])
    _ = try edit(["action": "turn", "page": 1, "turn": 2, "seen": ["turn": 1]])
    #expect(try now.page(1)?.look.turn == .counterclockwise)
    _ = try edit(["action": "mode", "page": 2, "mode": "bw", "seen": ["turn": 0]])
    #expect(try now.mode == "enhanced" && now.page(2)?.look.mode == "bw")
    _ = try edit(["action": "mode", "page": 1, "mode": "original", "all": true, "seen": ["turn": 3]])
    #expect(try now.mode == "original" && now.page(2)?.look.mode == nil)
    let looks = ["1": ["turn": 3], "2": ["turn": 0, "mode": "bw"] as [String: Any]]
    _ = try edit(["action": "looks", "mode": "enhanced", "seenMode": "original", "looks": looks])
    #expect(try now.mode == "enhanced" && now.page(2)?.look.mode == "bw")
    _ = try edit(["action": "order", "order": [2, 1], "seenOrder": [1, 2]])
    #expect(try now.pages.map(\.number) == [2, 1])
    _ = try edit(["action": "title", "title": "Other", "seenTitle": "Two"])
    #expect(try now.title == "Other")
  }

  @Test("the detector is asked again, and its other guesses can be had")
  func detecting() throws {
    let guesses = try get("/api/guesses", ["scan": scan.id.text, "page": "1"])
    #expect(guesses.json.count > 0)
    let detected = try edit(["action": "detect", "page": 1, "seen": ["turn": 0]])
    let number = try #require(detected.json["page"].int)
    let page = try #require(try now.page(number))
    #expect(page.origin.found == "detected")
    let quad = try #require(page.origin.quad)
    for (corner, truth) in zip(quad.corners, Self.corners) {
      #expect(corner.distance(to: Point(x: truth[0], y: truth[1])) < 4)
    }
  }

  @Test("proportions are told for any outline, or why it can't be one")
  func shapes() throws {
    func shape(_ corners: String, paper: String = "auto") throws -> Answer {
      try get("/api/shape", ["scan": scan.id.text, "page": "1", "corners": corners, "paper": paper]).json
    }
    let free = try shape("60,40,240,50,230,350,50,340", paper: "none")
    #expect(abs(try #require(free["aspect"].double) - 0.6) < 0.05)
    let a4 = try shape("60,40,240,50,230,350,50,340", paper: "a4")
    #expect(abs(try #require(a4["aspect"].double) - 210.0 / 297) < 0.01)
    #expect(try shape("60,40,63,40,63,350,60,340")["problem"].string != nil)
  }

  @Test(
    "nonsense is refused with a sentence, and changes nothing",
    arguments: [
      ("{}", 400), ("no", 400), (#"{"action":"corners","page":1,"corners":[]}"#, 422),
      (#"{"action":"corners","page":1,"corners":[[0,0],[9,9],[1,1],[2,2]]}"#, 422),
      (#"{"action":"corners","page":1,"corners":[[1e300,0],[9,9],[1,1],[2,2]]}"#, 422),
      (#"{"action":"corners","page":1,"corners":[[0,0],[2,0],[2,2],[0,2]]}"#, 422),
      (#"{"action":"corners","page":9,"corners":[[0,0],[9,0],[9,9],[0,9]]}"#, 409),
      (#"{"action":"paper","page":1,"paper":"a9"}"#, 400),
      (#"{"action":"mode","page":1,"mode":"sepia"}"#, 400),
      (#"{"action":"turn","page":1,"turn":7}"#, 400), (#"{"action":"turn"}"#, 400),
      (#"{"action":"title","title":" ","seenTitle":"Two"}"#, 400),
      (#"{"action":"order","order":[1,1],"seenOrder":[1,2]}"#, 409),
      (#"{"action":"restore","page":1,"of":77}"#, 400), (#"{"action":"putBack","page":1}"#, 400),
    ])
  func nonsense(text: String, status: Int) throws {
    let body = text.replacingOccurrences(of: "{\"action\"", with: "{\"scan\":\"\(scan.id.text)\",\"action\"")
    let answer = desk.respond(
      to: LoopbackRequest(method: "POST", path: "/api/edit", body: Array(body.utf8)))
    #expect(answer.status == status, "\(String(decoding: answer.body, as: UTF8.self))")
    #expect(try now == scan)
  }

  @Test("scans that aren't in review are neither shown nor changed")
  func others() throws {
    let pending = try library.beginScan()
    let png = try encodePNG(Self.photo(3), resolution: nil)
    let photo = try pending.addPhoto(png, name: "3.png", format: "png", fileExtension: "png")
    _ = try pending.addPage(png: png, origin: PageOrigin(photo: photo, found: "whole"))
    let other = try pending.commit(title: "Other", mode: "original")
    #expect(try get("/api/scans").json["scans"].count == 1)
    for path in ["/api/photo", "/api/flat", "/api/shape", "/api/guesses"] {
      #expect(try get(path, ["scan": other.id.text, "page": "1"]).status == 410, "\(path)")
    }
    #expect(
      try edit(["scan": other.id.text, "action": "title", "title": "x", "seenTitle": "Other"]).status == 410)
    #expect(try get("/api/nothing").status == 404)
    #expect(try get("/api/photo", ["scan": scan.id.text]).status == 400)
    #expect(try get("/api/photo", ["scan": scan.id.text, "page": "1", "x": "no"]).status == 400)
  }

  @Test("after the library is locked nothing is answered any more")
  func locked() throws {
    let locked = ReviewDesk(library: library, scans: [scan.id], isUnlocked: { false })
    for path in ["/api/scans", "/api/photo", "/api/flat", "/api/done"] {
      #expect(locked.respond(to: LoopbackRequest(path: path)).status == 423, "\(path)")
    }
    #expect(locked.isLocked && !locked.isDone)
  }

  @Test("it knows whether any tab is open, and when it is done")
  func presence() {
    func post(_ path: String, _ body: String) {
      _ = desk.respond(to: LoopbackRequest(method: "POST", path: path, body: Array(body.utf8)))
    }
    #expect(desk.isDeserted)
    post("/api/arrive", "a")
    post("/api/arrive", "b")
    post("/api/leave", "a")
    #expect(!desk.isDeserted)
    post("/api/leave", "b")
    #expect(desk.isDeserted && !desk.isDone)
    post("/api/done", "")
    #expect(desk.isDone)
  }

  // MARK: A draft

  @Test("a draft is stored when it is done; if it can't be, the page is told, and may ask again")
  func draft() throws {
    let isFull = Mutex(true)
    let stored = Mutex(0)
    let desk = ReviewDesk(library: library, scans: [scan.id]) { () throws(LibraryError) in
      if isFull.withLock({ $0 }) { throw .system(.write, path: "there", code: ENOSPC) }
      stored.withLock { $0 += 1 }
    }
    let done = LoopbackRequest(method: "POST", path: "/api/done")
    let refused = desk.respond(to: done)
    #expect(refused.status == 500 && String(decoding: refused.body, as: UTF8.self).contains("no space left"))
    #expect(!desk.isDone)
    isFull.withLock { $0 = false }
    #expect(desk.respond(to: done).status == 200 && desk.isDone)
    #expect(stored.withLock { $0 } == 1)
    let listing = desk.respond(to: LoopbackRequest(path: "/api/scans"))
    #expect(
      Answer(try JSONSerialization.jsonObject(with: Data(listing.body)))["isDraft"].value as? Bool == true)
    #expect(try get("/api/scans").json["isDraft"].value as? Bool == false)
  }

  @Test("scans of a draft are stored once each, as they were last, with their photos and looks")
  func scratch() throws {
    let place = try TemporaryFolder()
    let scratch = try ScratchLibrary(environment: ["TMPDIR": place.path])
    let ids = try (1...2).map { number in
      let pending = try scratch.library.beginScan()
      let png = try encodePNG(Self.photo(UInt64(number)), resolution: nil)
      let photo = try pending.addPhoto(png, name: "\(number).png", format: "png", fileExtension: "png")
      for turn in [QuarterTurn.half, .none] {
        _ = try pending.addPage(
          png: png, origin: PageOrigin(photo: photo, found: "whole"), look: PageLook(turn: turn))
      }
      return try pending.commit(title: "Draft \(number)", mode: "bw").id
    }
    // Neither a photo's name nor a title nor a picture is in the open.
    for name in try FileManager.default.subpathsOfDirectory(atPath: place.path) {
      let path = place.path(name)
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      guard attributes[.type] as? FileAttributeType == .typeRegular else { continue }
      let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      for secret in ["IHDR", "Draft", "1.png"] {
        #expect(bytes.range(of: Data(secret.utf8)) == nil, "\(secret) in \(name)")
      }
    }
    try scratch.store(ids, in: library)
    let first = scratch.stored
    #expect(first.map(\.title) == ["Draft 1", "Draft 2"] && first.allSatisfy { $0.mode == "bw" })
    #expect(first[0].pages.map(\.look.turn) == [.half, .none] && first[0].photos.count == 1)
    #expect(
      try library.photoBytes(first[1], photo: 1)
        == scratch.library.photoBytes(scratch.library.scan(ids[1]), photo: 1))
    try scratch.library.change(ids[0]) { $0.setTitle("Other") }
    try scratch.store(ids, in: library)
    #expect(scratch.stored.map(\.title) == ["Other", "Draft 2"])
    #expect(scratch.stored[1].id == first[1].id && scratch.stored[0].id != first[0].id)
    #expect(Set(try library.scans().scans.map(\.title)) == ["Two", "Other", "Draft 2"])
  }

  @Test("nothing of a draft stays when it goes")
  func scratchGoes() throws {
    let place = try TemporaryFolder()
    _ = try ScratchLibrary(environment: ["TMPDIR": place.path]).library
    #expect(try FileManager.default.contentsOfDirectory(atPath: place.path) == [])
  }
}
