import Raster

extension CaptureMetadata {
  /// Reads an EXIF block, or the first directory of a whole TIFF file.
  ///
  /// Never fails: a broken block gives what could be read before it breaks.
  /// - Parameter block: begins with `II` or `MM`; JPEG's `Exif` and two zero bytes before it are skipped.
  package init(exif block: some Collection<UInt8>) {
    self.init()
    let bytes = Array(block)
    let identifier: [UInt8] = [0x45, 0x78, 0x69, 0x66, 0, 0]
    guard let reader = EXIFReader(bytes.starts(with: identifier) ? bytes.dropFirst(6) : bytes[...]) else {
      return
    }
    let main = reader.directory(at: reader.firstDirectory)
    // EXIF 2.32 wants a SHORT here; anything else is a mistake, and its value a guess.
    if let field = main[.orientation], field.type == 3, let value = reader.whole(field),
      let known = Orientation(rawValue: value)
    {
      orientation = known
    }
    resolution = Self.resolution(main, reader)
    guard let pointer = reader.whole(main[.exifDirectory]) else { return }
    let exif = reader.directory(at: pointer)
    captureDate = reader.text(exif[.dateTimeOriginal]).flatMap(Self.isoDate)
    focalLength35mm = Self.focalLength35mm(exif, reader)
  }

  private static func resolution(
    _ main: EXIFReader.Directory, _ reader: EXIFReader
  ) -> Resolution? {
    guard let x = reader.number(main[.xResolution]), let y = reader.number(main[.yResolution]) else {
      return nil
    }
    switch reader.whole(main[.resolutionUnit]) ?? 2 {
    case 2: return Resolution(plausible: x, y)
    case 3: return Resolution(plausible: x * 2.54, y * 2.54)
    default: return nil
    }
  }

  /// Focal lengths in 35 mm terms that a lens can have: from a fish-eye to a telescope.
  private static let plausibleFocalLengths = 5.0...2000.0
  /// Sensor diagonals in millimetres, from the smallest phone's to medium format.
  private static let plausibleDiagonals = 2.0...80.0
  /// The diagonal of a 36 × 24 mm frame.
  private static let filmDiagonal = 43.267

  private static func focalLength35mm(
    _ exif: EXIFReader.Directory, _ reader: EXIFReader
  ) -> Double? {
    if let told = reader.number(exif[.focalLengthIn35mmFilm]), plausibleFocalLengths.contains(told) {
      return told
    }
    guard let length = reader.number(exif[.focalLength]),
      let width = reader.number(exif[.pixelXDimension]), let height = reader.number(exif[.pixelYDimension]),
      let densityX = reader.number(exif[.focalPlaneXResolution]), densityX > 0,
      let densityY = reader.number(exif[.focalPlaneYResolution]), densityY > 0
    else { return nil }
    let unit: Double
    switch reader.whole(exif[.focalPlaneResolutionUnit]) ?? 2 {
    case 2: unit = 25.4
    case 3: unit = 10
    case 4: unit = 1
    case 5: unit = 0.001
    default: return nil
    }
    let (across, down) = (width / densityX * unit, height / densityY * unit)
    let diagonal = (across * across + down * down).squareRoot()
    guard plausibleDiagonals.contains(diagonal) else { return nil }
    let equivalent = length * filmDiagonal / diagonal
    return plausibleFocalLengths.contains(equivalent) ? equivalent : nil
  }

  /// `2026:11:30 09:32:53` as `2026-11-30T09:32:53`, or `nil` when it isn't a date: cameras without a clock write zeros or spaces.
  static func isoDate(_ text: String) -> String? {
    let bytes = Array(text.utf8)
    guard bytes.count >= 19 else { return nil }
    func number(_ range: Range<Int>) -> Int? {
      guard bytes[range].allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
      return bytes[range].reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }
    guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
      let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19),
      year > 0, (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second <= 60
    else { return nil }
    func part(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
    return "\(part(0..<4))-\(part(5..<7))-\(part(8..<10))T\(part(11..<13)):\(part(14..<16)):\(part(17..<19))"
  }
}

extension Resolution {
  /// Pixels per inch that a scan or a photo can have; others are mistakes or fillers such as 1.
  private static let plausibleValues = 10.0...10_000.0

  /// `nil` when a value is no pixels per inch that a picture can have.
  init?(plausible horizontal: Double, _ vertical: Double) {
    guard Self.plausibleValues.contains(horizontal), Self.plausibleValues.contains(vertical) else {
      return nil
    }
    self.init(horizontal: horizontal, vertical: vertical)
  }
}

/// Reads fields of a TIFF structure with every access checked.
///
/// Only the directories asked for are visited, so pointers that go in circles do no harm.
struct EXIFReader {
  enum Tag: Int {
    case orientation = 0x0112
    case xResolution = 0x011A
    case yResolution = 0x011B
    case resolutionUnit = 0x0128
    case exifDirectory = 0x8769
    case dateTimeOriginal = 0x9003
    case focalLength = 0x920A
    case pixelXDimension = 0xA002
    case pixelYDimension = 0xA003
    case focalPlaneXResolution = 0xA20E
    case focalPlaneYResolution = 0xA20F
    case focalPlaneResolutionUnit = 0xA210
    case focalLengthIn35mmFilm = 0xA405
  }

  struct Field {
    var type: Int
    var count: Int
    /// Where the values begin, from the start of the structure.
    var offset: Int
  }

  typealias Directory = [Tag: Field]

  /// More entries than any writer needs; the rest is left alone.
  private static let mostEntries = 1024
  /// Longest text that is looked at.
  private static let mostText = 64

  private let bytes: ArraySlice<UInt8>
  private let isLittleEndian: Bool
  private(set) var firstDirectory = 0

  /// `nil` when the bytes don't begin as a TIFF does.
  init?(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    if bytes.starts(with: [0x49, 0x49]) {
      isLittleEndian = true
    } else if bytes.starts(with: [0x4D, 0x4D]) {
      isLittleEndian = false
    } else {
      return nil
    }
    guard integer(at: 2, bytes: 2) == 42, let first = integer(at: 4, bytes: 4) else { return nil }
    firstDirectory = first
  }

  /// The known fields of a directory; the first of a kind counts.
  func directory(at offset: Int) -> Directory {
    var fields: Directory = [:]
    guard let count = integer(at: offset, bytes: 2) else { return fields }
    for index in 0..<min(count, Self.mostEntries) {
      let entry = offset + 2 + 12 * index
      guard let tag = integer(at: entry, bytes: 2), let type = integer(at: entry + 2, bytes: 2),
        let count = integer(at: entry + 4, bytes: 4), let value = integer(at: entry + 8, bytes: 4)
      else { return fields }
      guard let known = Tag(rawValue: tag), fields[known] == nil else { continue }
      let isInline = count <= 4 && Self.size(of: type) * count <= 4
      fields[known] = Field(type: type, count: count, offset: isInline ? entry + 8 : value)
    }
    return fields
  }

  /// A single BYTE, SHORT or LONG.
  func whole(_ field: Field?) -> Int? {
    guard let field, field.count == 1, [1, 3, 4].contains(field.type) else { return nil }
    return integer(at: field.offset, bytes: Self.size(of: field.type))
  }

  /// A single number of any kind that isn't negative; `nil` for a fraction without a denominator.
  func number(_ field: Field?) -> Double? {
    guard let field, field.count == 1 else { return nil }
    switch field.type {
    case 1, 3, 4:
      return whole(field).map(Double.init)
    case 5, 10:
      guard let above = integer(at: field.offset, bytes: 4),
        let below = integer(at: field.offset + 4, bytes: 4),
        below > 0, field.type == 5 || (above < 1 << 31 && below < 1 << 31)
      else { return nil }
      return Double(above) / Double(below)
    default:
      return nil
    }
  }

  /// The start of a text, up to its zero byte.
  func text(_ field: Field?) -> String? {
    guard let field, field.type == 2 else { return nil }
    let length = min(field.count, Self.mostText)
    guard field.offset <= bytes.count - length else { return nil }
    let start = bytes.startIndex + field.offset
    return String(decoding: bytes[start..<start + length].prefix { $0 != 0 }, as: UTF8.self)
  }

  private static func size(of type: Int) -> Int {
    switch type {
    case 3, 8: 2
    case 4, 9, 11, 13: 4
    case 5, 10, 12: 8
    default: 1
    }
  }

  private func integer(at offset: Int, bytes count: Int) -> Int? {
    guard offset >= 0, offset <= bytes.count - count else { return nil }
    let start = bytes.startIndex + offset
    let slice = bytes[start..<start + count]
    return isLittleEndian
      ? slice.reversed().reduce(0) { $0 << 8 | Int($1) } : slice.reduce(0) { $0 << 8 | Int($1) }
  }
}
