import ImageCodecs
import Raster
import Testing

@Suite struct PNGTests {
  enum Kind: String, CaseIterable, Sendable {
    case gray1, gray2, gray4, gray8, gray16, rgb8, rgb16, grayalpha8, grayalpha16, rgba8, rgba16
    case palette1, palette2, palette4, palette8

    var depth: Int {
      rawValue.hasSuffix("16") ? 16 : Int(rawValue.suffix(1)) ?? 0
    }
  }

  static let size = PixelSize(width: 29, height: 21)

  /// What the generator's ramps give at a pixel: three samples and alpha, as 0…1 in steps of the depth, over white.
  static func expected(_ kind: Kind) -> Raster {
    let most = Double((1 << kind.depth) - 1)
    func quantised(_ value: Double) -> Double { (value * most + 0.5).rounded(.down) / most }
    var samples: [UInt8] = []
    for row in 0..<size.height {
      for column in 0..<size.width {
        let x = Double(column) / Double(size.width - 1)
        let y = Double(row) / Double(size.height - 1)
        let alpha = kind.rawValue.contains("a1") || kind.rawValue.contains("a8") ? quantised(1 - x * y) : 1
        let colors: [Double]
        switch kind.rawValue.prefix(4) {
        case "gray": colors = [quantised((x + y) / 2)]
        case "pale":
          let entry = (quantised(x) * 255).rounded() / 255
          colors = [entry, 1 - entry, 128.0 / 255]
        default: colors = [quantised(x), quantised(y), quantised((x + y) / 2)]
        }
        samples += colors.map { UInt8((($0 * alpha + 1 - alpha) * 255).rounded()) }
      }
    }
    return Raster(size: size, format: kind.rawValue.hasPrefix("gray") ? .gray : .rgb, samples: samples)
  }

  @Test(
    "every color type and depth, interlaced or not, is within a level", arguments: Kind.allCases,
    ["", "_interlaced"])
  func kinds(kind: Kind, suffix: String) throws {
    let image = try Fixture.decode("png_\(kind.rawValue)\(suffix).png")
    #expect(largestDifference(image.raster, Self.expected(kind)) <= 1)
    #expect(image.warnings == [])
  }

  /// A pixel of `png_tall_rgba16.png`.
  static func tallPixel(x: Int, y: Int) -> [UInt8] {
    [218 * y, x / 20 * 6000, 65535 - 218 * y].map { UInt8((Double($0) / 257).rounded()) }
  }

  @Test("a deep picture that is read in several bands is whole")
  func bands() throws {
    let raster = try Fixture.decode("png_tall_rgba16.png").raster
    #expect(raster.size == PixelSize(width: 200, height: 300))
    for y in 0..<300 {
      for x in [0, 77, 199] { #expect(Array(raster[x: x, y: y]) == Self.tallPixel(x: x, y: y)) }
    }
  }

  @Test("of a deep picture that breaks off the rows that are there can be kept")
  func brokenBands() throws {
    let bytes = try Fixture.bytes("png_tall_rgba16.png")
    for length in [bytes.count / 4, bytes.count / 2, bytes.count * 9 / 10] {
      let cut = Array(bytes[..<length])
      let image = try ImageSource(bytes: cut, options: DecodeOptions(damage: .keep)).decode()
      let white = try #require((0..<300).first { Array(image.raster[x: 5, y: $0]) == [255, 255, 255] })
      #expect(white > 20)
      #expect((0..<white).allSatisfy { Array(image.raster[x: 5, y: $0]) == Self.tallPixel(x: 5, y: $0) })
      #expect((white..<300).allSatisfy { Array(image.raster[x: 199, y: $0]) == [255, 255, 255] })
      #expect(throws: CodecError.truncated(.png, row: white, height: 300)) {
        try ImageSource(bytes: cut).decode()
      }
    }
  }

  @Test("what tRNS makes clear is white")
  func transparency() throws {
    let palette = try Fixture.decode("png_palette_trns.png").raster
    let colors: [[UInt8]] = [[255, 255, 255], [0, 0, 0], [227, 127, 127], [0, 0, 0]]
    let gray = try Fixture.decode("png_gray_trns.png").raster
    #expect(gray.format == .gray)
    #expect(gray[x: 0, y: 0] == [255])
    #expect(gray[x: 28, y: 0] == [255])
    #expect(gray[x: 14, y: 0] == [136])
    let rgb = try Fixture.decode("png_rgb_trns.png").raster
    let deep = try Fixture.decode("png_rgb16_trns.png").raster
    for pixel in 0..<29 * 21 {
      let (x, y, index) = (pixel % 29, pixel / 29, pixel / 7 % 4)
      #expect(Array(palette[x: x, y: y]) == colors[index])
      let level = index == 0 ? 255 : UInt8(80 * index)
      #expect(Array(rgb[x: x, y: y]) == [level, level, level])
      let deepLevel = index == 0 ? 255 : UInt8((Double(20000 * index) / 257).rounded())
      #expect(Array(deep[x: x, y: y]) == [deepLevel, deepLevel, deepLevel])
    }
  }

  @Test("EXIF turns a PNG, also when it stands behind the picture", arguments: ["1", "6", "8", "behind"])
  func orientation(name: String) throws {
    let source = try ImageSource(bytes: Fixture.bytes("png_exif_\(name).png"))
    #expect(source.frameSizes == [PixelSize(width: 96, height: 64)])
    #expect(try source.decode().raster == Fixture.page())
  }

  @Test("pHYs is the resolution")
  func resolution() throws {
    let resolution = try #require(try Fixture.decode("png_phys.png").resolution)
    #expect(abs(resolution.horizontal - 300) < 0.01)
    #expect(abs(resolution.vertical - 150) < 0.02)
  }

  @Test("an animation gives its still picture and says so")
  func animation() throws {
    let source = try ImageSource(bytes: Fixture.bytes("png_animated.png"))
    #expect(source.frameCount == 1)
    #expect(source.warnings.map(\.text) == ["it is an animation, of which only the still picture is read"])
    #expect(try source.decode().raster == Fixture.page())
  }

  @Test("a chunk that unpacks to a lot is left out")
  func chunkBomb() throws {
    #expect(try Fixture.decode("png_text_bomb.png").raster == Fixture.page())
  }
}
