import ImageCodecs
import Raster
import Testing

/// What the samples of a page mean: depth, polarity, palette, inks, opacity, planes.
@Suite struct TIFFSampleTests {
  private func decode(_ file: [UInt8]) throws -> DecodedImage { try ImageSource(bytes: file).decode() }

  private func words(_ values: [Int], bigEndian: Bool) -> [UInt8] {
    values.flatMap { value -> [UInt8] in
      let bytes = [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
      return bigEndian ? bytes.reversed() : bytes
    }
  }

  @Test("grey of 1 to 12 bits is stretched to 0…255, in both polarities", arguments: [1, 2, 4, 6, 8, 12])
  func shallowGrey(bits: Int) throws {
    let largest = (1 << bits) - 1
    // An odd width, so that rows end within a byte.
    let rows = (0..<3).map { y in (0..<5).map { x in (x + 2 * y) * 97 % (largest + 1) } }
    let data = packed(rows, bits: bits)
    let expected = rows.flatMap { $0.map { value in (value * 255 * 2 + largest) / (2 * largest) } }
    let dark = try decode(
      TIFFBuilder.file(.init(width: 5, height: 3, bits: bits, photometric: 1, data: data)))
    let light = try decode(
      TIFFBuilder.file(.init(width: 5, height: 3, bits: bits, photometric: 0, data: data)))
    #expect(dark.raster.format == .gray)
    for (index, value) in expected.enumerated() {
      #expect(abs(Int(dark.raster.samples[index]) - value) <= (bits > 8 ? 1 : 0))
      #expect(abs(Int(light.raster.samples[index]) - (255 - value)) <= (bits > 8 ? 1 : 0))
    }
  }

  @Test("16 bits keep their high part, in both byte orders", arguments: [false, true])
  func sixteenBits(bigEndian: Bool) throws {
    let values = [0, 0x0101, 0x1234, 0x8000, 0xABCD, 0xFFFF]
    let page = TIFFBuilder.Page(
      width: 2, height: 1, bits: 16, samples: 3, photometric: 2, data: words(values, bigEndian: bigEndian))
    let image = try decode(TIFFBuilder.file(page, bigEndian: bigEndian))
    for (sample, value) in zip(image.raster.samples, values) {
      #expect(abs(Int(sample) * 257 - value) <= 129)
    }
  }

  @Test("32-bit whole numbers use their whole range")
  func thirtyTwoBits() throws {
    let values = [0, 0x4000_0000, 0x8000_0000, 0xFFFF_FFFF]
    let data = values.flatMap { value in (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
    let image = try decode(TIFFBuilder.file(.init(width: 4, height: 1, bits: 32, data: data)))
    #expect(image.raster.samples == [0, 64, 128, 255])
    #expect(image.warnings.isEmpty)
  }

  @Test("small numbers in 32 bits don't come out black")
  func smallNumbersInThirtyTwoBits() throws {
    let data: [UInt8] = [0, 0, 0, 0, 100, 0, 0, 0, 255, 0, 0, 0]
    let image = try decode(TIFFBuilder.file(.init(width: 3, height: 1, bits: 32, data: data)))
    #expect(image.raster.samples == [0, 100, 255])
    #expect(image.warnings.count == 1)
  }

  @Test("floating point maps 0…1 to 0…255 in every width", arguments: [16, 24, 32, 64], [false, true])
  func floatingPoint(bits: Int, bigEndian: Bool) throws {
    let values: [Double] = [0, 0.25, 0.5, 1, -3, .nan]
    let data = values.flatMap { value -> [UInt8] in
      let pattern: UInt64
      switch bits {
      case 16: pattern = UInt64(Float16(value).bitPattern)
      case 24:
        let wide = Float(value).bitPattern
        let exponent = (wide >> 23) & 0xFF
        let narrow = value == 0 ? 0 : value.isNaN ? 0x7F : exponent - 64
        pattern = UInt64((wide >> 31) << 23 | narrow << 16 | (wide >> 7) & 0xFFFF)
      case 32: pattern = UInt64(Float(value).bitPattern)
      default: pattern = value.bitPattern
      }
      let bytes = (0..<bits / 8).map { UInt8(truncatingIfNeeded: pattern >> UInt64(8 * $0)) }
      return bigEndian ? bytes.reversed() : bytes
    }
    let page = TIFFBuilder.Page(width: 6, height: 1, bits: bits, data: data, tags: [339: .short([3])])
    let image = try decode(TIFFBuilder.file(page, bigEndian: bigEndian))
    #expect(image.raster.samples == [0, 64, 128, 255, 0, 0])
    #expect(image.warnings.isEmpty)
  }

  @Test("floating point of another range is stretched from it, with a warning", arguments: [255.0, 65535.0])
  func floatingPointOfOtherRange(largest: Double) throws {
    let data = [0, 0.5, 1].flatMap { part -> [UInt8] in
      let pattern = Float(part * largest).bitPattern
      return (0..<4).map { UInt8(truncatingIfNeeded: pattern >> UInt32(8 * $0)) }
    }
    let page = TIFFBuilder.Page(width: 3, height: 1, bits: 32, data: data, tags: [339: .short([3])])
    let image = try decode(TIFFBuilder.file(page))
    #expect(image.raster.samples == [0, 128, 255])
    #expect(image.warnings.count == 1)
  }

  @Test("signed and complex samples are refused by name", arguments: [(2, "signed"), (6, "complex")])
  func otherSampleFormats(format: Int, name: String) throws {
    let page = TIFFBuilder.Page(
      width: 2, height: 1, bits: 32, data: Array(repeating: 0, count: 8), tags: [339: .short([format])])
    let source = try ImageSource(bytes: TIFFBuilder.file(page))
    let error = #expect(throws: CodecError.self) { try source.decode() }
    #expect(error?.description.contains(name) == true)
  }

  @Test("a palette gives its colors", arguments: [1, 2, 4, 8])
  func palette(bits: Int) throws {
    let entries = 1 << bits
    let map = (0..<3).flatMap { channel in
      (0..<entries).map { entry in (entry * (40 + channel * 50) + channel * 9) % 256 * 257 }
    }
    let rows = [[1, 0, 1], [0, entries - 1, 1]]
    let page = TIFFBuilder.Page(
      width: 3, height: 2, bits: bits, photometric: 3, data: packed(rows, bits: bits),
      tags: [320: .short(map)])
    let image = try decode(TIFFBuilder.file(page))
    let expected = rows.flatMap { $0 }.flatMap { entry in
      (0..<3).map { channel in UInt8(map[channel * entries + entry] / 257) }
    }
    #expect(image.raster.format == .rgb)
    #expect(image.raster.samples == expected)
  }

  @Test("a palette of 8-bit values is understood")
  func oldPalette() throws {
    let map = [0, 200] + [0, 100] + [0, 50]
    let page = TIFFBuilder.Page(
      width: 2, height: 1, bits: 1, photometric: 3, data: [0b0100_0000], tags: [320: .short(map)])
    #expect(try decode(TIFFBuilder.file(page)).raster.samples == [0, 0, 0, 200, 100, 50])
  }

  @Test("a palette picture without its palette is refused")
  func missingPalette() throws {
    let page = TIFFBuilder.Page(width: 2, height: 1, bits: 4, photometric: 3, data: [0x01])
    #expect(throws: CodecError.self) { try decode(TIFFBuilder.file(page)) }
  }

  @Test("inks of CMYK: none is white, black is black, and the order is right", arguments: [8, 16])
  func cmyk(bits: Int) throws {
    let pixels = [[0, 0, 0, 0], [0, 0, 0, 255], [255, 0, 0, 0], [0, 255, 255, 0]]
    let data = pixels.flatMap { $0 }.flatMap { Array(repeating: UInt8($0), count: bits / 8) }
    let page = TIFFBuilder.Page(width: 4, height: 1, bits: bits, samples: 4, photometric: 5, data: data)
    let raster = try decode(TIFFBuilder.file(page)).raster
    #expect(raster[x: 0, y: 0].min() ?? 0 >= 253)
    #expect(raster[x: 1, y: 0].max() ?? 255 <= 60)
    let cyan = Array(raster[x: 2, y: 0])
    #expect(cyan[0] < 100 && cyan[2] > 150)
    let red = Array(raster[x: 3, y: 0])
    #expect(red[0] > 150 && red[1] < 100 && red[2] < 100)
  }

  @Test("plain and premultiplied opacity lie over white; other extra samples are passed over")
  func extraSamples() throws {
    func image(_ kinds: [Int], _ pixel: [UInt8]) throws -> [UInt8] {
      var page = TIFFBuilder.Page(
        width: 2, height: 1, samples: pixel.count, photometric: 2, data: pixel + pixel,
        tags: kinds.isEmpty ? [:] : [338: .short(kinds)])
      page.tags[284] = .short([1])
      return try decode(TIFFBuilder.file(page)).raster.samples
    }
    // Half opaque: 200 over white is 228, 0 is 127.
    let plain = try image([2], [200, 100, 0, 128])
    #expect(zip(plain, [227, 177, 127, 227, 177, 127]).allSatisfy { abs(Int($0) - $1) <= 1 })
    let premultiplied = try image([1], [100, 50, 0, 128])
    #expect(zip(premultiplied, [227, 177, 127, 227, 177, 127]).allSatisfy { abs(Int($0) - $1) <= 1 })
    #expect(try image([0], [200, 100, 0, 128]) == [200, 100, 0, 200, 100, 0])
    #expect(try image([], [200, 100, 0, 128]) == [200, 100, 0, 200, 100, 0])
    let second = try image([0, 2], [200, 100, 0, 77, 128])
    #expect(zip(second, plain).allSatisfy { $0 == $1 })
  }

  @Test("grey with opacity lies over white, white-is-zero too")
  func greyWithAlpha() throws {
    func image(_ photometric: Int, _ data: [UInt8]) throws -> [UInt8] {
      let page = TIFFBuilder.Page(
        width: 3, height: 1, samples: 2, photometric: photometric, data: data, tags: [338: .short([2])])
      return try decode(TIFFBuilder.file(page)).raster.samples
    }
    #expect(try image(1, [0, 255, 0, 0, 90, 255]) == [0, 255, 90])
    #expect(try image(0, [255, 255, 255, 0, 165, 255]) == [0, 255, 90])
  }

  @Test("planes stored apart come together", arguments: [8, 16])
  func planar(bits: Int) throws {
    let planes: [[UInt8]] = [[10, 20, 30, 40], [50, 60, 70, 80], [90, 100, 110, 120]]
    var page = TIFFBuilder.Page(
      width: 2, height: 2, bits: bits, samples: 3, photometric: 2, data: [], tags: [284: .short([2])])
    page.blocks = planes.map { $0.flatMap { Array(repeating: $0, count: bits / 8) } }
    let image = try decode(TIFFBuilder.file(page))
    #expect(image.raster.samples == [10, 50, 90, 20, 60, 100, 30, 70, 110, 40, 80, 120])
  }

  @Test("planes in several strips, with an opacity plane")
  func planarStripsWithAlpha() throws {
    var page = TIFFBuilder.Page(
      width: 1, height: 3, samples: 4, photometric: 2, data: [],
      tags: [284: .short([2]), 278: .long([2]), 338: .short([2])])
    page.blocks = [[10, 20], [30], [40, 50], [60], [70, 80], [90], [255, 255], [0]]
    let image = try decode(TIFFBuilder.file(page))
    #expect(image.raster.samples == [10, 40, 70, 20, 50, 80, 255, 255, 255])
  }

  @Test("L*a*b* comes out as the sRGB color it names", arguments: [8, 9])
  func lab(photometric: Int) throws {
    let offset: UInt8 = photometric == 9 ? 128 : 0
    // White, and sRGB's red: L 54.29, a 80.80, b 69.89 with a D50 white.
    let data: [UInt8] = [255, offset, offset, 138, 81 &+ offset, 70 &+ offset]
    let page = TIFFBuilder.Page(width: 2, height: 1, samples: 3, photometric: photometric, data: data)
    let samples = try decode(TIFFBuilder.file(page)).raster.samples
    #expect(zip(samples, [255, 255, 255, 255, 0, 0]).allSatisfy { abs(Int($0) - $1) <= 4 })
  }

  @Test("tiles, also larger than the picture and cut at its edges", arguments: [1, 2, 8])
  func tiles(bits: Int) throws {
    let (width, height, side) = (37, 21, 16)
    func value(_ x: Int, _ y: Int) -> Int { (x * 3 + y * 5) % (1 << bits) }
    var page = TIFFBuilder.Page(
      width: width, height: height, bits: bits, data: [], tags: [322: .long([side]), 323: .long([side])])
    page.isTiled = true
    page.blocks = []
    for top in stride(from: 0, to: height, by: side) {
      for left in stride(from: 0, to: width, by: side) {
        page.blocks.append(
          packed((0..<side).map { y in (0..<side).map { x in value(left + x, top + y) } }, bits: bits))
      }
    }
    let samples = try decode(TIFFBuilder.file(page)).raster.samples
    for y in 0..<height {
      for x in 0..<width {
        #expect(Int(samples[y * width + x]) == value(x, y) * 255 / ((1 << bits) - 1))
      }
    }
  }

  @Test("color types that aren't pixels of a page are refused by name", arguments: [32803, 34892, 999])
  func otherPhotometric(photometric: Int) throws {
    let page = TIFFBuilder.Page(width: 2, height: 1, photometric: photometric, data: [0, 0])
    let error = #expect(throws: CodecError.self) { try decode(TIFFBuilder.file(page)) }
    guard case .unsupported(.tiff, _) = error else {
      Issue.record("not refused as unsupported: \(String(describing: error))")
      return
    }
  }

  @Test("compressions that aren't decoded are named", arguments: [(34712, "JPEG 2000"), (4711, "4711")])
  func otherCompression(compression: Int, name: String) throws {
    let page = TIFFBuilder.Page(width: 2, height: 1, data: [0, 0], tags: [259: .short([compression])])
    let error = #expect(throws: CodecError.self) { try decode(TIFFBuilder.file(page)) }
    #expect(error?.description.contains(name) == true)
  }
}
