import Foundation
import ImageCodecs
import Raster
import TestSupport
import Testing

/// A folder of photos takes no more memory than a few of them.
@Suite("A folder of photos")
struct ManyPhotosTests {
  let place: Workplace

  init() throws { place = try Workplace() }

  /// The most memory that a run of the program has had, in bytes.
  private func peak(_ words: String...) throws -> Int {
    let measure = """
      import os, sys
      child = os.spawnvp(os.P_NOWAIT, "flatbed", ["flatbed"] + sys.argv[1:])
      _, status, usage = os.wait4(child, 0)
      print(usage.ru_maxrss * 1024)
      sys.exit(os.waitstatus_to_exitcode(status))
      """
    let outcome = try place.program.shell(
      #"script=$1; shift; python3 -c "$script" "$@" | tail -1; exit ${PIPESTATUS[0]}"#, [measure] + words)
    #expect(outcome.status == 0, "\(outcome.errors)")
    return try #require(Int(outcome.text.trimmingCharacters(in: .whitespacesAndNewlines)))
  }

  @Test("of sixty has the same peak of memory as one of ten, and its pages are in order")
  func peakMemory() throws {
    let scene = SyntheticScene(
      size: PixelSize(width: 900, height: 1200),
      page: Quad(corners: [
        Point(x: 150, y: 110), Point(x: 760, y: 140), Point(x: 740, y: 1080), Point(x: 130, y: 1050),
      ]), features: [.text, .noise(2)])
    let photo = try encodePNG(scene.photo(), resolution: nil)
    for (folder, count) in [("few", 10), ("many", 60)] {
      // Bytes behind the end of a PNG make another file of the same picture.
      for number in 1...count {
        try place.write("\(folder)/\(number).png", photo + [UInt8(number), UInt8(count)])
      }
    }
    let few = try peak("scan", "--quiet", place.path("few"))
    let many = try peak("scan", "--quiet", place.path("many"))
    // One photo has 3 MB of pixels and 1 of PNG, and so has its page: fifty of anything that is kept show.
    #expect(photo.count > 1 << 20)
    #expect(many < few + (30 << 20), "\(few >> 20) MB for 10 photos, \(many >> 20) MB for 60")
    let names = try place.answer("show", "many")["photos"].array.map { $0["name"].string }
    #expect(names == (1...60).map { "\($0).png" })
  }
}
