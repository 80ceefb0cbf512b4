import Foundation
import Glibc
import ImageCodecs
import LoopbackServer
import PageReview
import Raster
import ScanLibrary
import TestSupport
import Testing

/// `flatbed review` in a real browser, by pointer and keys.
@Suite("Review in the browser", .serialized)
struct ReviewTests {
  let place: Workplace

  init() throws { place = try Workplace() }

  /// White paper on a white desk.
  private static func whiteOnWhite(_ corners: [[Double]], seed: UInt64 = 1) throws -> [UInt8] {
    var scene = SyntheticScene(
      size: PixelSize(width: 720, height: 960),
      page: Quad(corners: corners.map { Point(x: $0[0], y: $0[1]) }),
      background: .nearWhite, features: [.text, .noise(2)])
    scene.contrast = 6
    scene.seed = seed
    return try encodePNG(scene.photo(), resolution: nil)
  }

  private static let corners = [[150.0, 120], [560, 160], [600, 830], [110, 800]]

  /// A scan in which no page was found, since the detector was asked to be sure of all.
  @discardableResult
  private func scanUnfound(_ title: String, _ corners: [[Double]] = corners, seed: UInt64 = 1) throws
    -> String
  {
    let photo = try place.write("\(title).png", try Self.whiteOnWhite(corners, seed: seed))
    return try place.scan("--min-confidence", "1", "--title", title, photo)
  }

  /// The corners of a page, as `show` tells them.
  private func corners(_ scan: String, page: Int = 0) throws -> [[Double]] {
    try place.answer("show", scan)["pages"][page]["corners"].array.map { point in
      point.array.compactMap { $0.double ?? $0.int.map(Double.init) }
    }
  }

  private func text(_ corners: [[Double]]) -> [String] { corners.map { "\($0[0]),\($0[1])" } }

  private func expectNear(
    _ corners: [[Double]], _ truth: [[Double]] = corners, within limit: Double,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(corners.count == 4, sourceLocation: sourceLocation)
    for (corner, goal) in zip(corners, truth) {
      #expect(
        hypot(corner[0] - goal[0], corner[1] - goal[1]) < limit, "\(corner), not \(goal)",
        sourceLocation: sourceLocation)
    }
  }

  // MARK: Corners

  @Test(
    "corners are dragged to their places, the flat page moves with them, and what is saved is what 'adjust' saves"
  )
  func dragging() throws {
    let scan = try scanUnfound("receipt")
    let review = try ReviewSession(place)
    let answer = try review.browse("drag", ["corners": Self.corners])
    #expect(answer["faults"].array.isEmpty)
    #expect(answer["differing"].int == 4)
    #expect(answer["end"].string == "Done")
    let ended = try review.end()
    #expect(ended.status == 0 && ended.errors == "")
    #expect(ended.lines.last?.hasPrefix(scan) == true)
    let set = try corners(scan)
    // Two pixels of the screen.
    expectNear(set, within: 4)
    let page = try place.answer("show", scan)["pages"][0]
    #expect(page["found"].string == "manual" && page["confidence"].isNull)
    let reviewed = try place.exported(scan, "--mode", "original")
    try place.succeed("adjust", scan, "--corners", text(set)[0], text(set)[1], text(set)[2], text(set)[3])
    // 'show' tells hundredths of a pixel, so that the last bit may differ.
    let adjusted = try place.exported(scan, "--mode", "original")
    try #require(adjusted.size == reviewed.size)
    let differing = zip(adjusted.samples, reviewed.samples).count { abs(Int($0) - Int($1)) > 4 }
    #expect(differing < reviewed.samples.count / 1000)
    let truth = text(Self.corners)
    try place.succeed("adjust", scan, "--corners", truth[0], truth[1], truth[2], truth[3])
    let ideal = try place.exported(scan, "--mode", "original")
    for (side, truth) in [(reviewed.width, ideal.width), (reviewed.height, ideal.height)] {
      #expect(abs(Double(side) / Double(truth) - 1) < 0.03)
    }
    try place.expectSound()
  }

  @Test("the same by the keys alone")
  func keys() throws {
    let scan = try scanUnfound("receipt")
    let review = try ReviewSession(place, scan)
    let answer = try review.browse("keys", ["corners": Self.corners])
    #expect(answer["faults"].array.isEmpty)
    #expect(try review.end().status == 0)
    expectNear(try corners(scan), within: 4)
  }

  @Test("ten pages are set right, one after the other, in less than three minutes")
  func ten() throws {
    var generator = SeededGenerator(seed: 10)
    var truth: [String: Any] = [:]
    for number in 1...10 {
      let corners = Self.corners.map { $0.map { $0 + Double.random(in: -60...60, using: &generator) } }
      truth["page \(number)"] = corners
      try scanUnfound("page \(number)", corners, seed: UInt64(number))
    }
    let review = try ReviewSession(place)
    let answer = try review.browse("ten", ["truth": truth, "tolerance": 6])
    #expect(answer["faults"].array.isEmpty)
    #expect(answer["progress"].string == "All looked at")
    #expect(try #require(answer["seconds"].double) < 180)
    #expect(try review.end().status == 0)
    for (title, corners) in truth {
      expectNear(try self.corners(title), try #require(corners as? [[Double]]), within: 5)
    }
    // All has been seen, so nothing is left to be shown.
    let nothing = try place.succeed("review", "--no-open")
    #expect(nothing.text == "" && nothing.errors.contains("no page needs a look"))
  }

  @Test("'scan --review' stores what was set when it is done, and nothing before, nor after Ctrl-C")
  func beforeStoring() throws {
    let photo = try place.write("receipt.png", try Self.whiteOnWhite(Self.corners))
    let scratch = try TemporaryFolder()
    let words = ["scan", "--review", "--no-open", "--min-confidence", "1", photo]
    let stopped = try ReviewSession(place, command: words, environment: ["TMPDIR": scratch.path])
    // What is there for the moment is sealed.
    let held = try place.program.shell("grep -rlE 'IHDR|receipt' \"$1\" || true", [scratch.path])
    #expect(held.text == "" && held.errors == "")
    #expect(try !FileManager.default.subpathsOfDirectory(atPath: scratch.path).isEmpty)
    stopped.signal(SIGINT)
    #expect(try stopped.end().status == 130)
    #expect(try place.titles() == [])
    #expect(try FileManager.default.subpathsOfDirectory(atPath: scratch.path) == [])

    let review = try ReviewSession(place, command: words, environment: ["TMPDIR": scratch.path])
    let answer = try review.browse("drag", ["corners": Self.corners])
    #expect(answer["faults"].array.isEmpty)
    let ended = try review.end()
    #expect(ended.status == 0, "\(ended.errors)")
    #expect(try place.titles() == ["receipt"])
    #expect(ended.lines.last?.hasSuffix("1 page  receipt") == true)
    expectNear(try corners("receipt"), within: 4)
    #expect(try place.answer("show", "receipt")["pages"][0]["found"].string == "manual")
    #expect(try FileManager.default.subpathsOfDirectory(atPath: scratch.path) == [])
    try place.expectSound()
    // It is known from now on.
    #expect(try place.run("scan", "--review", "--no-open", photo).errors.contains("in the library already"))
  }

  @Test("'Next guess' goes through the detector's outlines, and 'Detect again' looks anew")
  func guesses() throws {
    let photo = try place.write("photo.png", try Pictures.photo())
    let scan = try place.scan("--whole", photo)
    let review = try ReviewSession(place, scan)
    let answer = try review.browse("guesses")
    #expect(answer["faults"].array.isEmpty)
    let truth = try #require(Pictures.page).corners.map { [$0.x, $0.y] }
    func places(_ name: String) -> [[Double]] {
      ["Top left corner", "Top right corner", "Bottom right corner", "Bottom left corner"].map { corner in
        answer[name][corner].array.compactMap { $0.double ?? $0.int.map(Double.init) }
      }
    }
    // The best guess is the page, and is recorded as set by a person; the second is another, or none is told.
    expectNear(places("guess"), truth, within: 6)
    #expect(answer["guessState"].string.contains("set by hand"))
    #expect(answer["guessMessage"].string.hasPrefix("Guess 1 of "))
    #expect(answer["secondMessage"].string.hasPrefix("Guess ") && places("second") != places("detected"))
    expectNear(places("detected"), truth, within: 6)
    #expect(answer["detectedState"].string.contains("% sure"))
    #expect(try review.end().status == 0)
    let page = try place.answer("show", scan)["pages"][0]
    #expect(page["found"].string == "detected" && page["confidence"].double ?? 0 > 0.5)
    expectNear(try corners(scan), truth, within: 6)
  }

  @Test("on a phone a finger drags the corners, two zoom, and one beside the outline moves the photo")
  func touch() throws {
    let scan = try scanUnfound("receipt")
    let review = try ReviewSession(place, scan)
    let answer = try review.browse("touch", ["corners": Self.corners])
    #expect(answer["faults"].array.isEmpty)
    // The lens was there each time, and the page under the finger stayed where it was.
    #expect(answer["loupes"].int == 4 && answer["scrolled"].int == 0)
    let factor = try #require(answer["zoomed"].double)
    #expect(abs(factor - 3) < 0.2)
    // The photo is zoomed, and not the page around it.
    #expect(answer["pageZoom"].double ?? answer["pageZoom"].int.map(Double.init) == 1)
    let panned = answer["panned"].array.compactMap { $0.double ?? $0.int.map(Double.init) }
    #expect(panned.count == 2 && abs(panned[0] - 30) < 2 && abs(panned[1] - 20) < 2, "\(panned)")
    #expect(answer["still"].bool == true)
    #expect(try review.end().status == 0)
    // A pixel and a half of this small screen.
    expectNear(try corners(scan), within: 6)
    #expect(try place.answer("show", scan)["pages"][0]["found"].string == "manual")
  }

  /// A drawn photo of 1000 × 750 pixels with each of them `factor` × `factor` times.
  private static func enlarged(_ factor: Int) throws -> [UInt8] {
    var scene = SyntheticScene(
      size: PixelSize(width: 1000, height: 750),
      page: Quad(corners: [
        Point(x: 260, y: 90), Point(x: 700, y: 70), Point(x: 730, y: 660), Point(x: 240, y: 680),
      ]), features: [.text, .noise(2)])
    scene.seed = 48
    let small = scene.photo()
    var samples: [UInt8] = []
    samples.reserveCapacity(small.samples.count * factor * factor)
    for y in 0..<small.height {
      var row: [UInt8] = []
      for x in 0..<small.width {
        let at = (y * small.width + x) * 3
        for _ in 0..<factor { row += small.samples[at..<at + 3] }
      }
      for _ in 0..<factor { samples += row }
    }
    return try encodePNG(
      Raster(
        size: PixelSize(width: small.width * factor, height: small.height * factor), format: .rgb,
        samples: samples), resolution: nil)
  }

  @Test("dragging over a photo of 48 megapixels is as smooth as over a small one")
  func large() throws {
    // The small one has just more pixels than the copy that is dragged over.
    let scans = try [("large", 8), ("small", 2)].map { title, factor in
      try place.scan("--title", title, place.write("\(title).png", Self.enlarged(factor)))
    }
    let review = try ReviewSession(place, scans[0], scans[1])
    let answer = try review.browse("rate", ["rounds": 4])
    #expect(answer["faults"].array.isEmpty)
    #expect(try review.end().status == 0)
    // The best of four rounds of each: what else the machine does in one of them counts for neither.
    func best(_ scan: String, _ what: String) throws -> Double {
      let rounds = answer[scan].array
      try #require(rounds.count == 4)
      return try #require(rounds.compactMap { $0[what].double ?? $0[what].int.map(Double.init) }.min())
    }
    let (median, most) = try (best("large", "median"), best("large", "most"))
    let (smallMedian, smallMost) = try (best("small", "median"), best("small", "most"))
    // Two frames of a display are what measuring itself may be off by.
    #expect(median < 2 * smallMedian + 17, "frames of \(median) ms, of the small photo \(smallMedian) ms")
    #expect(most < 2 * smallMost + 34, "longest frame \(most) ms, of the small photo \(smallMost) ms")
  }

  // MARK: The other controls

  @Test("pages are turned, ordered, removed and put back, modes, paper and title set, and all of it undone")
  func pages() throws {
    let photos = try (1...2).map { try place.write("\($0).png", try Pictures.photo($0)) }
    let scan = try place.scan("--title", "Pages", photos[0], photos[1])
    let review = try ReviewSession(place, scan)
    let answer = try review.browse("pages")
    #expect(answer["faults"].array.isEmpty)
    #expect(answer["allGrey"]["mode"].string == "bw")
    #expect(answer["turned"]["title"].string == "Two pages")
    #expect(answer["letter"]["facts"].string.hasSuffix("Letter"))
    #expect(answer["whole"]["facts"].string != answer["letter"]["facts"].string)
    #expect(answer["start"]["pages"].array.count == 2)
    #expect(answer["later"]["pages"].strings != answer["whole"]["pages"].strings)
    #expect(answer["undone"]["pages"].strings == answer["whole"]["pages"].strings)
    #expect(answer["redone"]["pages"].strings == answer["later"]["pages"].strings)
    #expect(answer["removed"]["pages"].array.count == 1)
    #expect(answer["putBack"]["pages"].strings == answer["redone"]["pages"].strings)
    #expect(try review.end().status == 0)
    let now = try place.answer("show", scan)
    #expect(now["title"].string == "Two pages" && now["mode"].string == "bw" && now["pageCount"].int == 2)
    #expect(now["pages"][1]["found"].string == "whole" && now["pages"][1]["turn"].int == 1)
    #expect(now["pages"][0]["found"].string == "detected" && now["pages"][0]["turn"].int == 0)
    try place.expectSound()
  }

  @Test("what a command changes meanwhile is not overwritten unless one insists")
  func conflict() throws {
    let scan = try scanUnfound("receipt")
    let review = try ReviewSession(place, scan)
    let (signal, go) = (place.path("signal"), place.path("go"))
    let place = place
    let beside = Task.detached {
      try wait(for: "the photo") { FileManager.default.fileExists(atPath: signal) }
      let outcome = try place.program.run(["rotate", scan, "half"])
      try Data().write(to: URL(fileURLWithPath: go))
      return outcome.status
    }
    let answer = try review.browse(
      "shown_until",
      ["signal": signal, "go": go, "press": "#turn-right", "picture": "conflict", "insist": true])
    #expect(answer["message"].string.contains("changed elsewhere"), "\(answer["message"].string)")
    #expect(try review.end().status == 0)
    // A half turn by the command, and then, insisted on, a quarter.
    #expect(try place.answer("show", scan)["pages"][0]["turn"].int == 3)
    withExtendedLifetime(beside) {}
  }

  // MARK: Sizes

  @Test("everything fits at 360 pixels, on a laptop and at 4k, has a name, and is large enough to be hit")
  func screens() throws {
    try scanUnfound("receipt")
    let review = try ReviewSession(place)
    let answer = try review.browse("screens")
    for size in ["360", "1280", "4k"] {
      #expect(answer[size]["wide"].int ?? 1 <= 0, "\(size)")
      for fault in ["unnamed", "small", "cut"] {
        #expect(answer[size][fault].strings == [], "\(fault) at \(size)")
      }
    }
    #expect(try review.end().status == 0)
  }

  // MARK: Entry

  @Test("an address works once: a second browser gets nothing, the first goes on, also after loading again")
  func twice() throws {
    try scanUnfound("receipt")
    let review = try ReviewSession(place)
    let answer = try review.browse("twice")
    #expect(answer["refused"].string.contains("used already"))
    #expect(!answer["address"].string.contains("#"))
    #expect(try review.end().status == 0)
  }

  @Test("an address that has expired shows so, and nothing else")
  func expired() throws {
    let site = LoopbackSite(
      ticket: EntryTicket(life: -1, now: { 0 }), pages: reviewPage, now: { 0 },
      answer: { _ in LoopbackResponse(status: 200, text: "no") })
    let server = try LoopbackServer(site)
    let answer = try ReviewSession.browse("entry", address: server.address)
    #expect(answer["text"].string.contains("expired"))
    #expect(answer["stored"].int == 0)
    let without = try ReviewSession.browse("entry", address: "http://127.0.0.1:\(server.port)/")
    #expect(without["text"].string.contains("only for the tab"))
  }

  @Test("a page of another site in the same browser reads nothing, changes nothing and frames nothing")
  func hostile() throws {
    let scan = try scanUnfound("receipt")
    let before = try place.answer("show", scan)["pages"][0]["number"].int
    let review = try ReviewSession(place)
    let answer = try review.browse("hostile")
    for attempt in ["page", "scans", "header", "session", "edit", "blind", "script", "image"] {
      #expect(answer[attempt].string == "refused", "\(attempt): \(answer[attempt].string)")
    }
    #expect(answer["frame"].string == "opaque")
    #expect(["opaque", "none"].contains(answer["opener"].string))
    #expect(try review.end().status == 0)
    #expect(try place.answer("show", scan)["pages"][0]["number"].int == before)
  }

  @Test("a locked library isn't shown, and one that is locked meanwhile goes dark at once")
  func locked() throws {
    let runtime = try TemporaryFolder()
    let place = try Workplace(environment: ["XDG_RUNTIME_DIR": runtime.path], withLibrary: false)
    let pass = try place.write("pass", Array("violet anchors 12\n".utf8))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: pass)
    try place.write("photo.png", try Self.whiteOnWhite(Self.corners))
    try place.succeed("library", "init", "--passphrase-file", pass, "--recovery-file", place.path("recovery"))
    let scan = try place.scan("--whole", "--passphrase-file", pass, place.path("photo.png"))
    let refused = try place.run("review", "--no-open", scan)
    #expect(refused.status == 8 && refused.text == "")
    try place.succeed("unlock", "--passphrase-file", pass, "--for", "1h")
    let review = try ReviewSession(place, scan)
    let (signal, go) = (place.path("signal"), place.path("go"))
    let beside = Task.detached {
      try wait(for: "the photo") { FileManager.default.fileExists(atPath: signal) }
      let outcome = try place.program.run(["lock"])
      try Data().write(to: URL(fileURLWithPath: go))
      return outcome.status
    }
    let answer = try review.browse(
      "shown_until", ["signal": signal, "go": go, "press": "#turn-right", "picture": "locked"])
    #expect(answer["heading"].string == "Locked", "\(answer["text"].string)")
    #expect(try review.end().status == 8)
    withExtendedLifetime(beside) {}
  }

  // MARK: Beginning and end

  @Test(
    "the browser is given a file that only its owner can read, and the token stands in no list of processes")
  func opening() throws {
    try scanUnfound("receipt")
    let opener = try place.write(
      "bin/xdg-open",
      Array(
        """
        #!/bin/sh
        stat -c '%a %U' "$1" >"$SEEN.part"; cat "$1" >>"$SEEN.part"
        tr '\\0' ' ' <"/proc/$PPID/cmdline" >>"$SEEN.part"; echo "$0 $*" >>"$SEEN.words"
        [ "$(id -u)" = 0 ] && setpriv --reuid=65534 --regid=65534 --clear-groups cat "$1" >"$SEEN.others" 2>/dev/null
        mv "$SEEN.part" "$SEEN"
        """.utf8))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: opener)
    let seen = place.path("seen")
    let runtime = try TemporaryFolder()
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: runtime.path)
    var program = place.program
    program.environment["PATH"] = "\(place.path("bin")):/usr/bin:/bin"
    program.environment["SEEN"] = seen
    program.environment["XDG_RUNTIME_DIR"] = runtime.path
    let output = try TemporaryFolder()
    let process = try program.start(["review"], capturingIn: output)
    try wait(for: "the browser") { FileManager.default.fileExists(atPath: seen) }
    let text = String(decoding: try place.read("seen"), as: UTF8.self)
    #expect(text.hasPrefix("600 "), "\(text)")
    let token = try #require(text.firstMatch(of: /url=http:\/\/127\.0\.0\.1:[0-9]+\/#([0-9a-f]{64})/)).1
    #expect(!String(decoding: try place.read("seen.words"), as: UTF8.self).contains(token))
    if geteuid() == 0 { #expect(try place.read("seen.others") == []) }
    // Ctrl-C is an ordinary end.
    kill(process.processIdentifier, SIGINT)
    process.waitUntilExit()
    let outcome = try program.outcome(of: process, in: output)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(!outcome.text.contains(token) && !outcome.errors.contains(token))
    #expect(try FileManager.default.contentsOfDirectory(atPath: runtime.path) == [])
  }

  @Test("without anything to open it with, the address is told")
  func withoutOpener() throws {
    try scanUnfound("receipt")
    var program = place.program
    program.environment["PATH"] = place.path("bin")
    let output = try TemporaryFolder()
    let process = try program.start(["review"], capturingIn: output)
    let out = output.url.appendingPathComponent("out")
    try wait(for: "the address") { try !Data(contentsOf: out).isEmpty }
    kill(process.processIdentifier, SIGTERM)
    process.waitUntilExit()
    let outcome = try program.outcome(of: process, in: output)
    #expect(outcome.lines.first?.hasPrefix("http://127.0.0.1:") == true)
    #expect(outcome.errors.contains("no browser could be started"))
  }

  @Test("its port is on the loopback addresses only")
  func port() throws {
    try scanUnfound("receipt")
    let review = try ReviewSession(place)
    let listening = try place.program.shell(
      "cat /proc/net/tcp /proc/net/tcp6 | awk -v port=:$(printf %04X $1) '$4 == \"0A\" && index($2, port) { print $2 }'",
      [review.port])
    #expect(!listening.lines.isEmpty)
    for line in listening.lines {
      #expect(
        line.hasPrefix("0100007F:") || line.hasPrefix("00000000000000000000000001000000:"), "\(line)")
    }
    review.signal(SIGINT)
    #expect(try review.end().status == 0)
  }
}
