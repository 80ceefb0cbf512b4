package import Foundation
import ImageCodecs
package import Raster

/// The folder that a run is reported in: `quads.html` with its pictures in `quads/`, and `quads.csv`.
package struct ReportFolder: Sendable {
  package let url: URL
  /// The long side of the pictures: enough to see a corner that is off by a hundredth.
  private static let pictureSide = 480

  /// Makes the folder, and in it an empty one for the pictures; other files in it are left alone.
  package init(path: String) throws {
    url = URL(fileURLWithPath: path, isDirectory: true)
    let pictures = url.appendingPathComponent(Self.pictures)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    if FileManager.default.fileExists(atPath: pictures.path) {
      try FileManager.default.removeItem(at: pictures)
    }
    try FileManager.default.createDirectory(at: pictures, withIntermediateDirectories: false)
  }

  private static let pictures = "quads"

  /// Keeps a small copy of a photo for the page.
  package func addPicture(of photo: Raster, file: String) throws {
    let small = thumbnail(of: photo, longSide: Self.pictureSide)
    try Data(encodePNG(small, resolution: nil)).write(to: url.appendingPathComponent(Self.picture(file)))
  }

  /// Writes the page and the table.
  package func write(_ run: DetectionRun) throws {
    let page = htmlReport(run) { file in
      // A name may hold what means something in an address.
      Self.picture(file).addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? Self.picture(file)
    }
    try Data(page.utf8).write(to: url.appendingPathComponent("quads.html"))
    try Data(csvReport(run).utf8).write(to: url.appendingPathComponent("quads.csv"))
  }

  private static func picture(_ file: String) -> String { "\(pictures)/\(file).png" }
}
