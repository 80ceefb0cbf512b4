import ImageCodecs
import Raster
import TestSupport
import Testing

@Suite struct EXIFTests {
  /// A directory entry: tag, type, and the value's bytes as they stand in a big-endian block.
  typealias Entry = (tag: Int, type: Int, count: Int, bytes: [UInt8])

  static func short(_ tag: Int, _ value: Int) -> Entry {
    (tag, 3, 1, [UInt8(value >> 8), UInt8(value & 255)])
  }
  static func long(_ tag: Int, _ value: Int) -> Entry { (tag, 4, 1, four(value)) }
  static func ratio(_ tag: Int, _ above: Int, _ below: Int) -> Entry {
    (tag, 5, 1, four(above) + four(below))
  }
  static func text(_ tag: Int, _ text: String) -> Entry {
    (tag, 2, text.utf8.count + 1, Array(text.utf8) + [0])
  }

  static func four(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(value >> $0 & 255) } }

  static func directory(_ entries: [Entry], at offset: Int) -> [UInt8] {
    var table = [UInt8(entries.count >> 8), UInt8(entries.count & 255)]
    var values: [UInt8] = []
    let valuesAt = offset + 2 + 12 * entries.count + 4
    for entry in entries {
      table += [entry.tag >> 8, entry.tag & 255, entry.type >> 8, entry.type & 255].map { UInt8($0) }
      table += four(entry.count)
      if entry.bytes.count <= 4 {
        table += entry.bytes + [UInt8](repeating: 0, count: 4 - entry.bytes.count)
      } else {
        table += four(valuesAt + values.count)
        values += entry.bytes
      }
    }
    return table + [0, 0, 0, 0] + values
  }

  static func block(main: [Entry], exif: [Entry]) -> [UInt8] {
    let pointerSize = directory(main + [long(0x8769, 0)], at: 8).count
    return [0x4D, 0x4D, 0, 42, 0, 0, 0, 8] + directory(main + [long(0x8769, 8 + pointerSize)], at: 8)
      + directory(exif, at: 8 + pointerSize)
  }

  @Test("a focal length in 35 mm terms is taken as told")
  func toldFocalLength() {
    let data = CaptureMetadata(exif: Self.block(main: [], exif: [Self.short(0xA405, 28)]))
    #expect(data.focalLength35mm == 28)
  }

  @Test("otherwise it follows from the focal length and the sensor")
  func computedFocalLength() throws {
    // A 24 × 16 mm sensor of 6000 × 4000 pixels, 250 a millimetre.
    let exif = [
      Self.ratio(0x920A, 50, 1), Self.long(0xA002, 6000), Self.short(0xA003, 4000),
      Self.ratio(0xA20E, 2500, 1), Self.ratio(0xA20F, 2500, 1), Self.short(0xA210, 3), Self.short(0xA405, 0),
    ]
    let length = try #require(CaptureMetadata(exif: Self.block(main: [], exif: exif)).focalLength35mm)
    #expect(abs(length - 75) < 0.1)
  }

  @Test("a sensor that can't be gives none", arguments: [(1, 1), (2500, 0), (0, 1), (2_500_000, 1)])
  func impossibleSensor(above: Int, below: Int) {
    let exif = [
      Self.ratio(0x920A, 50, 1), Self.long(0xA002, 6000), Self.long(0xA003, 4000),
      Self.ratio(0xA20E, above, below), Self.ratio(0xA20F, above, below), Self.short(0xA210, 3),
    ]
    #expect(CaptureMetadata(exif: Self.block(main: [], exif: exif)).focalLength35mm == nil)
  }

  @Test(
    "dates that are none are left out",
    arguments: [
      "0000:00:00 00:00:00", "    :  :     :  :  ", "2026:13:01 10:00:00", "2026:11:30", "",
      "2026:11:30 25:00:00",
    ])
  func badDates(text: String) {
    #expect(CaptureMetadata(exif: Self.block(main: [], exif: [Self.text(0x9003, text)])).captureDate == nil)
  }

  @Test("a resolution in centimetres becomes one in inches; fillers count as none")
  func resolutions() throws {
    func read(_ value: Int, unit: Int) -> Resolution? {
      CaptureMetadata(
        exif: Self.block(
          main: [Self.ratio(0x011A, value, 1), Self.ratio(0x011B, value, 1), Self.short(0x0128, unit)],
          exif: [])
      ).resolution
    }
    #expect(read(100, unit: 3) == Resolution(dotsPerInch: 254))
    #expect(read(300, unit: 2) == Resolution(dotsPerInch: 300))
    #expect(read(300, unit: 1) == nil)
    #expect(read(1, unit: 2) == nil)
  }

  @Test("both byte orders, and with or without the identifier")
  func byteOrders() {
    let little: [UInt8] = [
      0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 0x01, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0,
    ]
    #expect(CaptureMetadata(exif: little).orientation == .turnedLeft)
    #expect(CaptureMetadata(exif: Array("Exif\0\0".utf8) + little).orientation == .turnedLeft)
    #expect(
      CaptureMetadata(exif: Self.block(main: [Self.short(0x0112, 8)], exif: [])).orientation == .turnedRight)
  }

  @Test("no bytes are too strange", arguments: 0..<8)
  func strangeBytes(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let sound = Self.block(
      main: [Self.short(0x0112, 6), Self.ratio(0x011A, 300, 1), Self.ratio(0x011B, 300, 1)],
      exif: [Self.text(0x9003, "2026:11:30 09:32:53"), Self.short(0xA405, 28)])
    for _ in 0..<4000 {
      var bytes = sound
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] =
          [0, 1, 0x7F, 0x80, 0xFF, UInt8.random(in: 0...255, using: &random)]
          .randomElement(using: &random) ?? 0
      }
      if Bool.random(using: &random) { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random)) }
      let data = CaptureMetadata(exif: bytes)
      #expect(data.focalLength35mm.map { (5...2000).contains($0) } ?? true)
      #expect(data.captureDate.map { $0.utf8.count == 19 } ?? true)
    }
  }

  @Test("a directory that points at itself is no trouble")
  func circles() {
    var bytes = Self.block(main: [Self.short(0x0112, 3)], exif: [])
    bytes.replaceSubrange(bytes.count - 6 - 4..<bytes.count - 6, with: Self.four(8))
    #expect(CaptureMetadata(exif: bytes).orientation == .upsideDown)
  }
}
