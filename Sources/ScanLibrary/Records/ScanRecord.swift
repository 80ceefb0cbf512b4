/// A scan: a title, and pages in order with the photos they come from.
package struct ScanRecord: Sendable, Hashable {
  package let id: ScanID
  package let createdAt: Timestamp
  package internal(set) var title: String
  /// `original`, `enhanced` or `bw`; the library stores it and doesn't interpret it.
  package internal(set) var mode: String
  /// The strength of the mode, or `nil` for its default.
  package internal(set) var amount: Double?
  /// The version of the enhancement that the mode was chosen with.
  package internal(set) var enhancement: Int?
  /// In reading order; never empty.
  package internal(set) var pages: [PageRecord]
  package internal(set) var photos: [PhotoRecord]
  /// Numbers not given yet.
  var nextPage: Int
  var nextPhoto: Int
  /// The format version of the record as it was read; higher than `currentFormat` when a newer Flatbed wrote it.
  package internal(set) var format = currentFormat
  /// Fields that this version doesn't know, kept for the one that does.
  var source = KeptFields()

  /// The format this version writes.
  package static let currentFormat = 1

  static let fileName = "record.json"

  /// Where a record lies, from the folder of all scans.
  static func path(of id: ScanID) -> String { id.text + "/" + fileName }

  /// A record of 10 000 pages has some 5 MB.
  static let maximumBytes = 64 << 20

  /// What tells this scan from others in a message.
  package var summary: ScanSummary {
    ScanSummary(id: id, title: title, createdAt: createdAt, pageCount: pages.count)
  }

  /// The order of listings; scans of one moment are told apart by their ids.
  func isOlder(than other: ScanRecord) -> Bool { (createdAt, id) < (other.createdAt, other.id) }

  /// The page of that file number, or `nil`.
  package func page(_ number: Int) -> PageRecord? { pages.first { $0.number == number } }

  /// The photo of that file number, or `nil`.
  package func photo(_ number: Int) -> PhotoRecord? { photos.first { $0.number == number } }

  /// The names of all files that belong to the scan.
  var fileNames: [String] {
    [Self.fileName] + photos.filter { !$0.isLost }.map(\.fileName) + pages.map(\.fileName)
  }
}
