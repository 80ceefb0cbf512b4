import Evaluation
import Foundation
import ImageCodecs
import Raster
import TestSupport
import Testing

@Suite("Flat pages to measure")
struct PageRunTests {
  /// The page's outline, from its top-left as it is read: it lies on its side.
  private let outline = Quad(
    topLeft: Point(x: 330, y: 40), topRight: Point(x: 335, y: 260), bottomRight: Point(x: 50, y: 255),
    bottomLeft: Point(x: 60, y: 45))

  private func place() throws -> PhotoFolder {
    let place = try PhotoFolder()
    let scene = SyntheticScene(size: PixelSize(width: 400, height: 300), page: outline, features: [.text])
    try place.picture("page.png", scene.photo())
    try place.picture("empty.png")
    try place.picture("hidden.png")
    let corners = outline.corners.map { "[\($0.x), \($0.y)]" }.joined(separator: ", ")
    try place.text(
      "truth.json",
      """
      {"page.png": {"kind": "note", "tags": ["rotated"], "corners": [\(corners)]}, "empty.png": {"kind": "none"},
       "hidden.png": {"kind": "note", "corners": [[10, 10], [50, 10], [50, 30], [10, 30]]}}
      """)
    return place
  }

  private func run(_ place: PhotoFolder, _ corners: CornerChoice, part: HashPart? = nil) throws -> PageRun {
    try PageRun(
      over: TruthFolder(path: place.path), part: part, corners: corners,
      into: place.folder.url.appendingPathComponent("report"))
  }

  private func size(_ place: PhotoFolder, _ path: String?) throws -> PixelSize {
    let url = place.folder.url.appendingPathComponent("report").appendingPathComponent(try #require(path))
    return try ImageSource(bytes: Array(Data(contentsOf: url))).frameSizes[0]
  }

  @Test("each page is written in all modes, upright, and pages.json tells of it")
  func modes() throws {
    let place = try place()
    let run = try run(place, .truth)
    #expect(run.failures.isEmpty)
    #expect(run.pages.map(\.file) == ["hidden.png", "page.png"])
    let page = run.pages[1]
    #expect(page.corners == outline.corners.map { [$0.x, $0.y] })
    #expect(page.pictures.keys.sorted() == ["bw", "enhanced", "original"])
    for path in page.pictures.values {
      // Read upright it is higher than wide, though it lies on its side in the photo.
      let size = try size(place, path)
      #expect(size.height > size.width)
    }
    let json = try JSONSerialization.jsonObject(
      with: Data(contentsOf: place.folder.url.appendingPathComponent("report/pages.json")))
    let list = try #require(json as? [String: Any])
    #expect(list["data"] as? String == place.path)
    #expect((list["pages"] as? [[String: Any]])?.map { $0["file"] as? String } == ["hidden.png", "page.png"])
  }

  @Test(
    "by the corners that are found, in the order in which the page is read; a page that is missed has none")
  func found() throws {
    let pages = try run(place(), .found).pages
    #expect(pages[0].corners == nil)
    #expect(pages[0].pictures.isEmpty)
    let corners = try #require(pages[1].corners).map { Point(x: $0[0], y: $0[1]) }
    for (found, truth) in zip(corners, outline.corners) { #expect(found.distance(to: truth) < 3) }
  }

  @Test("corners that can't be a page's are named and fail the run; a second run leaves nothing of the first")
  func failures() throws {
    let place = try place()
    _ = try run(place, .truth)
    try place.text(
      "truth.json",
      #"{"page.png": {"kind": "note", "corners": [[-900, 0], [-800, 0], [-800, 90], [-900, 90]]}}"#)
    let run = try run(place, .truth)
    #expect(run.pages.isEmpty)
    #expect(
      run.failures == [
        "can't flatten page.png: only 0.0 % of the page's outline lies inside the photo"
      ])
    #expect(
      !FileManager.default.fileExists(
        atPath: place.folder.url.appendingPathComponent("report/pages/page.png").path))
  }

  @Test("a part leaves the others out")
  func part() throws {
    let half = try #require(HashPart("8-f"))
    let files = try run(place(), .truth, part: half).pages.map(\.file)
    #expect(files == ["hidden.png", "page.png"].filter(half.contains))
  }
}
