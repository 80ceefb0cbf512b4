/// Kinds of files that people take for pictures that can be scanned, and that aren't read.
package enum ForeignFile: Sendable, Hashable {
  case text
  case html
  case pdf
  case postScript
  case gif
  case webP
  case bmp
  case avif
  case jpegXL
  case jpeg2000
  case svg
  case photoshop
  case djvu
  case windowsIcon
  /// A camera's raw file, with its maker's name for the format.
  case raw(String)
  case video
  case audio
  case zip
  /// Any other packed or packing file: gzip, 7z, rar, tar.
  case archive
  case program
  /// Bytes that are all zero: a file whose data never reached the disk.
  case zeros
  /// A HEIF file whose main brand isn't a still picture that can be read.
  case otherHEIF(brand: String)
}

extension ForeignFile: CustomStringConvertible {
  /// The kind with its article: `a PDF file`.
  package var description: String {
    switch self {
    case .text: "a text file"
    case .html: "a web page (HTML)"
    case .pdf: "a PDF file"
    case .postScript: "a PostScript file"
    case .gif: "a GIF picture"
    case .webP: "a WebP picture"
    case .bmp: "a BMP picture"
    case .avif: "an AVIF picture"
    case .jpegXL: "a JPEG XL picture"
    case .jpeg2000: "a JPEG 2000 picture"
    case .svg: "an SVG drawing"
    case .photoshop: "a Photoshop file"
    case .djvu: "a DjVu file"
    case .windowsIcon: "a Windows icon"
    case .raw(let name): "a camera's raw file (\(name))"
    case .video: "a video"
    case .audio: "a sound file"
    case .zip: "a ZIP file, or a document that is packed as one"
    case .archive: "an archive"
    case .program: "a program"
    case .zeros: "nothing but zero bytes; it was perhaps not copied whole"
    case .otherHEIF(let brand): "a HEIF file of the kind “\(brand)”"
    }
  }
}

extension ForeignFile {
  /// Tells the kind from the first bytes, or `nil` when nothing is recognised.
  package static func recognise(_ bytes: some Collection<UInt8>) -> ForeignFile? {
    let start = Array(bytes.prefix(ImageFormat.sniffedBytes))
    func begins(_ text: String, at offset: Int = 0) -> Bool {
      start.dropFirst(offset).starts(with: text.utf8)
    }
    if start.allSatisfy({ $0 == 0 }) { return .zeros }
    if isTIFF(start), let name = rawFormat(in: start) { return .raw(name) }
    if let brand = majorBrand(start) { return container(brand) }
    if begins("%PDF-") { return .pdf }
    if begins("%!PS") { return .postScript }
    if begins("GIF87a") || begins("GIF89a") { return .gif }
    if begins("RIFF"), begins("WEBP", at: 8) { return .webP }
    if begins("RIFF"), begins("AVI ", at: 8) { return .video }
    if begins("RIFF"), begins("WAVE", at: 8) { return .audio }
    if begins("BM"), start.count > 17, [12, 40, 52, 56, 64, 108, 124].contains(start[14]) { return .bmp }
    if start.starts(with: [0xFF, 0x0A]) || begins("JXL ", at: 4) { return .jpegXL }
    if begins("jP  ", at: 4) || start.starts(with: [0xFF, 0x4F, 0xFF, 0x51]) { return .jpeg2000 }
    if begins("8BPS") { return .photoshop }
    if begins("AT&TFORM") { return .djvu }
    if begins("FUJIFILMCCD-RAW") { return .raw("RAF") }
    if begins("FOVb") { return .raw("X3F") }
    if begins("IIRS") || begins("IIRO") || begins("MMOR") { return .raw("ORF") }
    if start.starts(with: [0x49, 0x49, 0x55, 0x00]) { return .raw("RW2") }
    if start.starts(with: [0x00, 0x4D, 0x52, 0x4D]) { return .raw("MRW") }
    if start.starts(with: [0x00, 0x00, 0x01, 0x00]), start.count > 5, start[5] == 0 { return .windowsIcon }
    if begins("PK\u{3}\u{4}") || begins("PK\u{5}\u{6}") { return .zip }
    if start.starts(with: [0x1F, 0x8B]) || begins("Rar!") || begins("BZh")
      || start.starts(with: [0xFD, 0x37, 0x7A, 0x58, 0x5A]) || start.starts(with: [0x28, 0xB5, 0x2F, 0xFD])
      || start.starts(with: [0x37, 0x7A, 0xBC, 0xAF]) || begins("ustar", at: 257)
    {
      return .archive
    }
    if start.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) || start.starts(with: [0x00, 0x00, 0x01, 0xBA]) {
      return .video
    }
    if begins("ID3") || begins("OggS") || begins("fLaC") { return .audio }
    if start.starts(with: [0x7F, 0x45, 0x4C, 0x46]) || begins("#!") || begins("MZ") { return .program }
    return textual(start)
  }

  static func isTIFF(_ start: [UInt8]) -> Bool {
    [[0x49, 0x49, 42, 0], [0x4D, 0x4D, 0, 42], [0x49, 0x49, 43, 0], [0x4D, 0x4D, 0, 43]]
      .contains { start.starts(with: $0 as [UInt8]) }
  }

  /// The name of a camera's raw format that is a TIFF from outside, when its first bytes tell.
  static func rawFormat(in start: [UInt8]) -> String? {
    if start.count > 10, start[8] == 0x43, start[9] == 0x52, start[10] == 2 { return "CR2" }
    return nil
  }

  /// HEIF brands of still pictures coded with HEVC, and the brands that only say "HEIF".
  private static let heifBrands: Set<String> = [
    "heic", "heix", "heim", "heis", "mif1", "mif2", "msf1", "hevc", "hevx",
  ]

  static func isHEIF(_ start: [UInt8]) -> Bool {
    guard let major = majorBrand(start) else { return false }
    if ["heic", "heix", "heim", "heis"].contains(major) { return true }
    guard heifBrands.contains(major) else { return false }
    // mif1 is what AVIF files may call themselves too.
    return !brands(start).contains { $0 == "avif" || $0 == "avis" } || brands(start).contains("heic")
  }

  private static func majorBrand(_ start: [UInt8]) -> String? {
    guard start.count >= 12, start[4..<8].elementsEqual("ftyp".utf8) else { return nil }
    return String(decoding: start[8..<12], as: UTF8.self)
  }

  private static func brands(_ start: [UInt8]) -> [String] {
    let declared = start.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    let end = min(start.count, declared)
    guard end >= 20 else { return [] }
    return stride(from: 16, through: end - 4, by: 4).map {
      String(decoding: start[$0..<$0 + 4], as: UTF8.self)
    }
  }

  private static func container(_ brand: String) -> ForeignFile {
    switch brand {
    case "avif", "avis", "mif1", "mif2", "msf1": .avif
    case "crx ": .raw("CR3")
    case "M4A ", "M4B ": .audio
    case "jp2 ", "jpx ", "jph ": .jpeg2000
    case "jxl ": .jpegXL
    case "heic", "heix", "heim", "heis", "hevc", "hevx": .otherHEIF(brand: brand)
    default: .video
    }
  }

  private static func textual(_ start: [UInt8]) -> ForeignFile? {
    let body = start.starts(with: [0xEF, 0xBB, 0xBF]) ? start.dropFirst(3) : start[...]
    let isText = body.allSatisfy { $0 >= 32 || [9, 10, 12, 13, 27].contains($0) }
    // The last character may be cut in two by the prefix.
    guard isText, isUTF8(body) || body.allSatisfy({ $0 < 128 }) else {
      return start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0xFE, 0xFF]) ? .text : nil
    }
    let text = String(decoding: body, as: UTF8.self).lowercased()
    let words = text.drop { $0.isWhitespace }
    if words.hasPrefix("<!doctype html") || words.hasPrefix("<html") { return .html }
    if words.hasPrefix("<svg") || (words.hasPrefix("<?xml") && words.contains("<svg")) { return .svg }
    return .text
  }

  private static func isUTF8(_ bytes: ArraySlice<UInt8>) -> Bool {
    (0...3).contains { cut in
      String(validating: bytes.dropLast(cut), as: UTF8.self) != nil
    }
  }
}
