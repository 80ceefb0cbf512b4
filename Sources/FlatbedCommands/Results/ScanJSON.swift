import Raster
import ScanLibrary

/// A scan as `--json` shows it: the record's fields, by the record's names.
struct ScanJSON: Encodable {
  let scan: ScanRecord

  private enum Key: String, CodingKey {
    case id, createdAt, title, pageCount, mode, amount, pages, photos
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(scan.id.text, forKey: .id)
    try container.encode(scan.createdAt.iso8601, forKey: .createdAt)
    try container.encode(scan.title, forKey: .title)
    try container.encode(scan.pages.count, forKey: .pageCount)
    try container.encode(scan.mode, forKey: .mode)
    try container.encode(scan.amount, forKey: .amount)
    try container.encode(scan.pages.enumerated().map { PageJSON(place: $0 + 1, page: $1) }, forKey: .pages)
    try container.encode(scan.photos.map(PhotoJSON.init), forKey: .photos)
  }
}

/// A page, with its place in the scan.
private struct PageJSON: Encodable {
  let place: Int
  let page: PageRecord

  private enum Key: String, CodingKey {
    case page, number, photo, frame, corners, found, confidence, reasons, paper, turn, mode, amount, width,
      height
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(place, forKey: .page)
    try container.encode(page.number, forKey: .number)
    try container.encode(page.origin.photo, forKey: .photo)
    try container.encode(page.origin.frame, forKey: .frame)
    try container.encode(page.origin.quad.map(CornersJSON.init), forKey: .corners)
    try container.encode(page.origin.found, forKey: .found)
    try container.encode(page.origin.confidence.map(hundredths), forKey: .confidence)
    try container.encode(page.origin.reasons, forKey: .reasons)
    try container.encode(page.origin.paper, forKey: .paper)
    try container.encode(page.look.turn.rawValue, forKey: .turn)
    try container.encode(page.look.mode, forKey: .mode)
    try container.encode(page.look.amount, forKey: .amount)
    try container.encode(page.size.width, forKey: .width)
    try container.encode(page.size.height, forKey: .height)
  }
}

private struct PhotoJSON: Encodable {
  let number: Int
  let name: String
  let format: String
  let bytes: Int
  let sha256: String

  init(_ photo: PhotoRecord) {
    number = photo.number
    name = photo.name
    format = photo.format
    bytes = photo.file.bytes
    sha256 = photo.file.sha256.hex
  }
}
