import Foundation
import ImageCodecs
import Raster
import TestSupport
import Testing

/// From a photo to a PNG, through the built program.
@Suite struct WholeWayTests {
  let folder: TemporaryFolder
  let program: BuiltProgram

  init() throws {
    folder = try TemporaryFolder()
    program = BuiltProgram(environment: ["FLATBED_LIBRARY": folder.path("library")])
  }

  @Test("a photo becomes a scan, is listed, and comes out flat, at the true place and without its GPS")
  func wholeWay() throws {
    let photo = Samples.path("invoice-on-cloth.jpg")
    let scanned = try program.run(["scan", "--protection", "owner-only", photo])
    #expect(scanned.status == 0, "\(scanned.errors)")
    let id = try #require(scanned.text.split(separator: " ").first.map(String.init))
    #expect(scanned.text == "\(id)  1 page  invoice-on-cloth\n")

    let listed = try program.run(["list"])
    #expect(listed.lines.count == 1)
    #expect(listed.text.hasPrefix(id))

    let shown = try #require(try program.run(["show", id, "--json"]).json() as? [String: Any])
    let page = try #require((shown["pages"] as? [[String: Any]])?.first)
    #expect(page["found"] as? String == "detected")
    let corners = try #require(page["corners"] as? [[Double]])
    let found = try #require(Quad(corners: corners.map { Point(x: $0[0], y: $0[1]) }))
    #expect(try found.overlap(with: trueQuad(of: "invoice-on-cloth.jpg")) > 0.97)

    let target = folder.path("out")
    let exported = try program.run(["export", id, "-o", target])
    #expect(exported.status == 0, "\(exported.errors)")
    #expect(exported.lines == [target + "/invoice-on-cloth.png"])
    let png = try Data(contentsOf: URL(fileURLWithPath: target + "/invoice-on-cloth.png"))
    let picture = try ImageSource(bytes: Array(png)).decode()
    #expect(picture.raster.format == .rgb)
    // The invoice is A4, lying on its side in the photo or not.
    let ratio = Double(picture.raster.width) / Double(picture.raster.height)
    #expect(abs(max(ratio, 1 / ratio) - 297.0 / 210.0) < 0.03)
    #expect(Double(picture.raster.width * picture.raster.height) >= found.area)
    for trace in ["Exif", "eXIf", "Flatbed Sample Camera", "GPS", "tEXt", "iTXt", "tIME"] {
      #expect(png.range(of: Data(trace.utf8)) == nil, "\(trace) is in the export")
    }
  }

  @Test("the photo's own bytes are kept, and only the owner can read them")
  func originalsAreKept() throws {
    let photo = Samples.path("receipt-faint-thermal.jpg")
    #expect(try program.run(["scan", "--protection", "owner-only", photo]).status == 0)
    let scans = folder.url.appendingPathComponent("library/scans")
    let scan = try #require(try FileManager.default.contentsOfDirectory(atPath: scans.path).first)
    let stored = scans.appendingPathComponent(scan)
    #expect(
      try Data(contentsOf: stored.appendingPathComponent("photo-1.jpg"))
        == Data(contentsOf: URL(fileURLWithPath: photo)))
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path("library")) {
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.path("library/\(name)"))
      let permissions = try #require(attributes[.posixPermissions] as? Int)
      #expect(permissions & 0o077 == 0, "\(name) has \(String(permissions, radix: 8))")
    }
  }

  @Test("modes, turns and corners can be changed and changed back, and give the same pixels again")
  func nothingIsBakedIn() throws {
    let id = try scan("receipt-white-on-white.jpg")
    let first = try exported(id)
    #expect(first.format == .rgb)
    #expect(try program.run(["mode", id, "bw"]).status == 0)
    let grey = try exported(id)
    #expect(grey.format == .gray)
    #expect(try program.run(["rotate", id, "right"]).status == 0)
    #expect(try exported(id) == grey.turned(.clockwise))
    #expect(try exported(id, "--mode", "original") == exported(id, "--mode", "enhanced", "--amount", "0"))
    #expect(try program.run(["adjust", id, "--whole"]).status == 0)
    #expect(try exported(id).size != grey.size.transposed)
    #expect(try program.run(["adjust", id, "--detect"]).status == 0)
    #expect(try program.run(["rotate", id, "left"]).status == 0)
    #expect(try exported(id) == grey)
    #expect(try program.run(["mode", id, "enhanced"]).status == 0)
    #expect(try exported(id) == first)
  }

  @Test("corners given to adjust give the same page as corners given to scan")
  func cornersBeforeAndAfter() throws {
    let corners = ["--corners", "300,200", "1500,260", "1450,1700", "250,1650"]
    let after = try scan("receipt-faint-thermal.jpg")
    #expect(try program.run(["adjust", after] + corners).status == 0)
    let before = try program.run(["scan", "--again", Samples.path("receipt-faint-thermal.jpg")] + corners)
    let id = try #require(before.text.split(separator: " ").first.map(String.init))
    #expect(try exported(after) == exported(id))
  }

  // MARK: Helpers

  private func scan(_ sample: String) throws -> String {
    let outcome = try program.run(["scan", "--protection", "owner-only", Samples.path(sample)])
    return try #require(outcome.text.split(separator: " ").first.map(String.init), "\(outcome.errors)")
  }

  private func exported(_ id: String, _ options: String...) throws -> Raster {
    let outcome = try program.run(["export", id, "-o", "-"] + options)
    #expect(outcome.status == 0, "\(outcome.errors)")
    return try ImageSource(bytes: Array(outcome.output)).decode().raster
  }

  private func trueQuad(of sample: String) throws -> Quad {
    let truth = try JSONSerialization.jsonObject(
      with: Data(contentsOf: Samples.folder.appendingPathComponent("truth.json")))
    let entry = try #require((truth as? [String: [String: Any]])?[sample])
    let corners = try #require(entry["corners"] as? [[Double]])
    return try #require(Quad(corners: corners.map { Point(x: $0[0], y: $0[1]) }))
  }
}
