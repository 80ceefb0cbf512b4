/// The formats that can be read, told by the first bytes of a file and never by its name.
package enum ImageFormat: String, Sendable, CaseIterable {
  case jpeg
  case png
  case tiff
  case heif

  /// The format as its users write it.
  package var displayName: String {
    switch self {
    case .jpeg: "JPEG"
    case .png: "PNG"
    case .tiff: "TIFF"
    case .heif: "HEIC"
    }
  }

  /// The format whose signature the bytes begin with, or `nil` when it is none of ours.
  package static func sniff(_ bytes: some Collection<UInt8>) -> ImageFormat? {
    let start = Array(bytes.prefix(Self.sniffedBytes))
    if start.starts(with: [0xFF, 0xD8, 0xFF]) { return .jpeg }
    if start.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return .png }
    if ForeignFile.isTIFF(start) { return ForeignFile.rawFormat(in: start) == nil ? .tiff : nil }
    return ForeignFile.isHEIF(start) ? .heif : nil
  }

  /// How many bytes from the start are enough to tell the format: a HEIF file may list many brands.
  package static let sniffedBytes = 512
}
