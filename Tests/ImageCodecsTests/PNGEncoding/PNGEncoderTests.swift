import ImageCodecs
import Raster
import TestSupport
import Testing

@Suite struct PNGEncoderTests {
  static func noise(_ width: Int, _ height: Int, _ format: PixelFormat) -> Raster {
    var random = SeededGenerator(seed: UInt64(width * 1000 + height))
    let count = width * height * format.channels
    return Raster(
      size: PixelSize(width: width, height: height), format: format,
      samples: (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
  }

  static func chunkNames(_ bytes: [UInt8]) -> [String] {
    var names: [String] = []
    var position = 8
    while position + 8 <= bytes.count {
      let length = bytes[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
      names.append(String(decoding: bytes[position + 4..<position + 8], as: UTF8.self))
      position += length + 12
    }
    return names
  }

  @Test(
    "what is written is read again, sample by sample", arguments: [PixelFormat.gray, .rgb],
    [PixelSize(width: 1, height: 1), PixelSize(width: 3, height: 7), PixelSize(width: 640, height: 481)])
  func roundTrip(format: PixelFormat, size: PixelSize) throws {
    let raster = Self.noise(size.width, size.height, format)
    let image = try ImageSource(bytes: encodePNG(raster, resolution: nil)).decode()
    #expect(image.raster == raster)
    #expect(image.resolution == nil)
    #expect(image.warnings == [])
  }

  @Test("a picture carries its resolution and no other data")
  func chunks() throws {
    let raster = Self.noise(5, 5, .rgb)
    let bytes = try encodePNG(raster, resolution: Resolution(horizontal: 300, vertical: 200))
    #expect(Self.chunkNames(bytes) == ["IHDR", "sRGB", "pHYs", "IDAT", "IEND"])
    let resolution = try #require(try ImageSource(bytes: bytes).decode().resolution)
    #expect(abs(resolution.horizontal - 300) < 0.02)
    #expect(abs(resolution.vertical - 200) < 0.02)
    #expect(Self.chunkNames(try encodePNG(raster, resolution: nil)) == ["IHDR", "sRGB", "IDAT", "IEND"])
  }

  @Test(
    "one bit a sample is black for 0 and white for all else, and many times smaller",
    arguments: [
      PixelSize(width: 1, height: 1), PixelSize(width: 13, height: 7),
      PixelSize(width: 640, height: 481),
    ])
  func oneBit(size: PixelSize) throws {
    let noise = Self.noise(size.width, size.height, .gray)
    let samples = noise.samples.map { $0 < 128 ? 0 : $0 }
    let picture = Raster(size: size, format: .gray, samples: samples)
    let bytes = try encodePNG(picture, resolution: Resolution(dotsPerInch: 300), depth: .one)
    // The depth and the kind of the IHDR chunk: one bit of grey.
    #expect(bytes[24] == 1 && bytes[25] == 0)
    #expect(Self.chunkNames(bytes) == ["IHDR", "sRGB", "pHYs", "IDAT", "IEND"])
    let image = try ImageSource(bytes: bytes).decode()
    #expect(image.raster.samples == samples.map { $0 == 0 ? 0 : 255 })
    if size.width > 100 {
      #expect(bytes.count * 3 < (try encodePNG(picture, resolution: nil)).count)
    }
    let colours = Raster(size: size, format: .rgb, filledWith: 9)
    #expect(
      try ImageSource(bytes: encodePNG(colours, resolution: nil, depth: .one)).decode().raster
        .format == .gray)
  }

  @Test("a resolution that is none is left out", arguments: [0, -300, .nan, .infinity, 1e300] as [Double])
  func badResolution(value: Double) throws {
    let bytes = try encodePNG(Self.noise(2, 2, .gray), resolution: Resolution(dotsPerInch: value))
    #expect(!Self.chunkNames(bytes).contains("pHYs"))
  }
}
