import Enhancement
package import Foundation
import ImageCodecs
import PageDetection
import Raster
import ScanPipeline

/// By which corners pages are flattened.
package enum CornerChoice: String, Sendable, CaseIterable {
  /// Those of the truth, so that enhancement alone is measured.
  case truth = "true"
  /// Those that the detector finds.
  case found
}

/// A folder's pages, made flat and written in every mode, for the measures that `evaluate_pages.py` takes.
package struct PageRun: Sendable {
  /// One page as it stands in `pages.json`.
  package struct Page: Sendable, Codable, Hashable {
    /// The photo's file name.
    package var file: String
    package var kind: String
    package var tags: [String]
    /// The folder of its pictures, from that of the report.
    package var folder: String
    /// The paths of its pictures by mode, from the report's folder; none for a page that wasn't found.
    package var pictures: [String: String]
    /// The corners it was flattened by, in pixels of the upright photo, from its top-left as it is read.
    package var corners: [[Double]]?
    package var trueCorners: [[Double]]

    enum CodingKeys: String, CodingKey {
      case file, kind, tags, folder, pictures, corners
      case trueCorners = "true_corners"
    }
  }

  /// What `pages.json` holds.
  private struct List: Encodable {
    var data: String
    var remarks: [String]
    var pages: [Page]
  }

  package private(set) var pages: [Page] = []
  /// Photos that couldn't be flattened, with the reason; a run with one of them failed.
  package private(set) var failures: [String] = []

  /// Flattens the page of each photo that has one, and writes it in every mode.
  ///
  /// - Throws: what stops the report from being written.
  package init(
    over folder: TruthFolder, part: HashPart? = nil, corners choice: CornerChoice, into report: URL
  ) throws {
    let pictures = report.appendingPathComponent("pages")
    if FileManager.default.fileExists(atPath: pictures.path) {
      try FileManager.default.removeItem(at: pictures)
    }
    for truth in folder.truths where part?.contains(truth.file) ?? true {
      guard truth.answer == .page, let outline = truth.outlines.first else { continue }
      var page = Page(
        file: truth.file, kind: truth.kind, tags: truth.tags, folder: "pages/\(truth.file)", pictures: [:],
        trueCorners: outline.corners.map { [$0.x, $0.y] })
      do {
        let image = try OpenedPhoto(PhotoFile(path: folder.path(truth.file)), options: DecodeOptions()).source
          .decode()
        let quad = choice == .truth ? outline : Self.found(in: image, nearest: outline)
        if let quad {
          let flat = try makePage(from: image, options: PageOptions(choice: .corners(quad)))
          page.corners = quad.corners.map { [$0.x, $0.y] }
          try FileManager.default.createDirectory(
            at: report.appendingPathComponent(page.folder), withIntermediateDirectories: true)
          for mode in EnhancementMode.allCases {
            let path = "\(page.folder)/\(mode.rawValue).png"
            let picture = try encodePNG(enhance(flat.raster, mode: mode), resolution: flat.resolution)
            try Data(picture).write(to: report.appendingPathComponent(path))
            page.pictures[mode.rawValue] = path
          }
        }
        pages.append(page)
      } catch let error as CocoaError {
        throw error
      } catch {
        failures.append("can't flatten \(truth.file): \(error)")
      }
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let list = List(
      data: URL(fileURLWithPath: folder.path, isDirectory: true).path, remarks: folder.notes + failures,
      pages: pages)
    try FileManager.default.createDirectory(at: report, withIntermediateDirectories: true)
    try encoder.encode(list).write(to: report.appendingPathComponent("pages.json"))
  }

  /// The outline the detector finds, its corners in the order in which the page is read, which only the truth knows.
  private static func found(in image: DecodedImage, nearest outline: Quad) -> Quad? {
    guard let quad = findPage(in: image, options: DetectionOptions()).page?.quad else { return nil }
    let (corners, goal) = (quad.corners, outline.corners)
    func distance(_ turn: Int) -> Double {
      (0..<4).reduce(0) { $0 + corners[($1 + turn) % 4].distance(to: goal[$1]) }
    }
    let turn = (0..<4).min { distance($0) < distance($1) } ?? 0
    return Quad(
      topLeft: corners[turn], topRight: corners[(turn + 1) % 4], bottomRight: corners[(turn + 2) % 4],
      bottomLeft: corners[(turn + 3) % 4])
  }
}
