import Evaluation
import Foundation
import ImageCodecs
import Raster
import TestSupport
import Testing

/// A folder of a test's own with pictures and truth in it.
struct PhotoFolder {
  let folder: TemporaryFolder
  var path: String { folder.path }

  init() throws { folder = try TemporaryFolder() }

  func picture(_ name: String, _ raster: Raster? = nil) throws {
    let raster = raster ?? Raster(size: PixelSize(width: 60, height: 40), format: .rgb, filledWith: 90)
    try Data(encodePNG(raster, resolution: nil)).write(to: folder.url.appendingPathComponent(name))
  }

  func text(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: folder.url.appendingPathComponent(name))
  }
}

@Suite("Reading the truth")
struct TruthFolderTests {
  private let corners = "[[1, 2], [50, 3], [52, 38], [2, 36]]"

  @Test("one truth.json tells of all photos")
  func oneFile() throws {
    let place = try PhotoFolder()
    for name in ["b.jpg", "a.png", "c.png", "d.png"] { try place.picture(name) }
    try place.text(
      "truth.json",
      """
      {"b.jpg": {"kind": "receipt", "tags": ["shadow"], "answer": "page", "corners": \(corners), "size": [60, 40],
                 "note": "passed over"},
       "a.png": {"kind": "none", "corners": null}, "c.png": {"kind": "note", "answer": "flat"},
       "d.png": {"kind": "note", "answer": "ambiguous", "tags": []}}
      """)
    let folder = try TruthFolder(path: place.path)
    #expect(folder.truths.map(\.file) == ["a.png", "b.jpg", "c.png", "d.png"])
    #expect(folder.truths.map(\.answer) == [.none, .page, .flat, .ambiguous])
    let receipt = folder.truths[1]
    #expect(receipt.kind == "receipt" && receipt.tags == ["shadow"])
    #expect(receipt.outlines.map(\.topRight) == [Point(x: 50, y: 3)])
    #expect(receipt.size == PixelSize(width: 60, height: 40))
    #expect(receipt.page == nil)
    #expect(folder.notes.isEmpty)
  }

  @Test("a NAME.json beside each photo tells of that one")
  func filesBeside() throws {
    let place = try PhotoFolder()
    for name in ["s1.png", "s2.png", "s1.clean.png"] { try place.picture(name) }
    try place.text(
      "s1.json",
      """
      {"file": "s1.png", "kind": "note", "tags": ["curled"], "corners": \(corners), "page_mm": [210, 148.5],
       "corners_alt": [[1, 2], [25, 3], [26, 38], [2, 36]], "image_size": [60, 40]}
      """)
    try place.text("s2.json", #"{"kind": "none", "corners": null, "page_mm": null}"#)
    let folder = try TruthFolder(path: place.path)
    #expect(folder.truths.map(\.file) == ["s1.png", "s2.png"])
    #expect(folder.truths[0].page == PageMeasure(width: 210, height: 148.5))
    #expect(folder.truths[0].outlines.count == 2)
    #expect(folder.truths[0].size == PixelSize(width: 60, height: 40))
    #expect(folder.truths[1].answer == .none)
    #expect(folder.notes.isEmpty)
  }

  @Test("photos without truth, and truth without a photo, are named")
  func missing() throws {
    let place = try PhotoFolder()
    try place.picture("a.png")
    try place.picture("b.png")
    try place.text("a.json", #"{"kind": "none"}"#)
    try place.text("c.json", #"{"kind": "none"}"#)
    #expect(
      try TruthFolder(path: place.path).notes == [
        "b.png has no truth: there is no b.json beside it", "c.json has no photo beside it",
      ])
    try place.text("truth.json", #"{"a.png": {"kind": "none"}, "z.png": {"kind": "none"}}"#)
    #expect(
      try TruthFolder(path: place.path).notes == [
        "z.png is not there, though truth.json tells of it",
        "b.png has no truth: truth.json doesn't tell of it",
      ])
  }

  @Test(
    "a broken entry is named with its file and the reason",
    arguments: [
      (#"{"kind": "note"}"#, "a page needs its corners"),
      (#"{"corners": [[1, 2], [3, 4]]}"#, "corners has to be four pairs of numbers"),
      (#"{"corners": [[1, 2], [3, 4], [5, 6], [7]]}"#, "corners has to be four pairs of numbers"),
      (
        #"{"corners": [[0, 0], [0, 9], [9, 9], [9, 0]]}"#,
        "corners don't go clockwise around a convex four-sided shape"
      ),
      (
        #"{"answer": "maybe"}"#,
        "answer is “maybe”, and has to be one of page, flat, none, ambiguous"
      ),
      (
        #"{"corners": [[0, 0], [9, 0], [9, 9], [0, 9]], "page_mm": [210, 0]}"#,
        "page_mm has to be the page's width and height in millimetres, both above 0"
      ),
      (
        #"{"kind": "none", "size": [60]}"#,
        "the photo's size has to be its width and its height, both above 0"
      ),
    ])
  func broken(entry: String, reason: String) throws {
    let place = try PhotoFolder()
    try place.picture("a.png")
    try place.text("a.json", entry)
    let error = #expect(throws: TruthError.self) { try TruthFolder(path: place.path) }
    #expect(error == .badEntry(file: "a.json", photo: "a.png", reason: reason))
  }

  @Test(
    "a file that can't be read is named with the reason",
    arguments: [
      ("{", "it isn't JSON"), ("[1]", "what it holds isn't an object"),
      (#"{"a.png": {"kind": 3}}"#, "“a.png”, “kind” isn't a text"),
      (#"{"a.png": {"corners": [[1, 2], ["x"]]}}"#, "“a.png”, “corners”, number 2, number 1 isn't a number"),
      (#"{"a.png": null}"#, "“a.png” is null, and has to be an object"),
      (#"{"a.png": {"corners": 7}}"#, "“a.png”, “corners” isn't a list"),
    ])
  func unreadable(text: String, reason: String) throws {
    let place = try PhotoFolder()
    try place.picture("a.png")
    try place.text("truth.json", text)
    let error = #expect(throws: TruthError.self) { try TruthFolder(path: place.path) }
    #expect(error == .unreadableFile("truth.json", reason: reason))
  }

  @Test("a folder that is empty or isn't there")
  func nothing() throws {
    let place = try PhotoFolder()
    #expect(throws: TruthError.nothingToMeasure(place.path)) { try TruthFolder(path: place.path) }
    let missing = place.path + "/none"
    #expect(throws: TruthError.unreadableFolder(missing, reason: "no such file or folder")) {
      try TruthFolder(path: missing)
    }
  }

  @Test("a part is chosen by the first digit of the name's SHA-256")
  func parts() throws {
    // By sha256sum those of a, b, c, d.png begin with 7, 5, 5 and a.
    let names = ["a.png", "b.png", "c.png", "d.png"]
    for (text, chosen) in [
      ("0-7", names.dropLast()), ("8-f", ["d.png"]), ("0-46-9a", ["a.png", "d.png"]),
      ("5", ["b.png", "c.png"]),
    ] {
      let part = try #require(HashPart(text))
      #expect(names.filter(part.contains) == Array(chosen))
      #expect(part.description == text)
    }
    for text in ["", "g", "7-0", "0-", "-7", "0-7x", "A"] { #expect(HashPart(text) == nil) }
  }
}
