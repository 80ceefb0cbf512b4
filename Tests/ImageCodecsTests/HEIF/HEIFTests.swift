import ImageCodecs
import Raster
import TestSupport
import Testing

/// HEIF files as phones write them, and some that they shouldn't.
@Suite struct HEIFTests {
  private func source(_ name: String) throws -> ImageSource {
    try ImageSource(bytes: try Fixture.bytes("heif_\(name)"))
  }

  private func decode(_ name: String) throws -> DecodedImage { try source(name).decode() }

  @Test("a phone's grid of 48 tiles is one picture, cut to its size")
  func grid() throws {
    let source = try source("grid_48.heic")
    #expect(source.format == .heif)
    #expect(source.frameSizes == [PixelSize(width: 500, height: 370)])
    #expect(source.warnings.isEmpty)
    let image = try source.decode()
    #expect(largestDifference(image.raster, Chart.wide(width: 500, height: 370)) <= 6)
  }

  @Test("a grid is turned as the container says, and EXIF's orientation isn't applied on top")
  func turnedGrid() throws {
    // irot counts counter-clockwise; the file's EXIF says 6 besides.
    let image = try decode("grid_turned.heic")
    let expected = Chart.wide(width: 180, height: 120).turned(.counterclockwise)
    #expect(image.raster.size == PixelSize(width: 120, height: 180))
    #expect(largestDifference(image.raster, expected) <= 6)
    #expect(try source("grid_turned.heic").frameSizes == [PixelSize(width: 120, height: 180)])
  }

  @Test("cropping, rotation and mirroring are applied once, in the order of the file")
  func transforms() throws {
    let whole = Chart.wide(width: 64, height: 64)
    // The middle 40 × 24, three quarter turns counter-clockwise, then top and bottom exchanged.
    let middle = Raster(
      size: PixelSize(width: 40, height: 24), format: .rgb,
      samples: (20..<44).flatMap { y in Array(whole.samples[(y * 64 + 12) * 3..<(y * 64 + 52) * 3]) })
    let image = try decode("turned.heic")
    #expect(
      largestDifference(image.raster, middle.turned(.clockwise).upright(from: .mirroredUpsideDown)) <= 6)
  }

  @Test("every rotation and mirroring", arguments: 0..<4, 0..<2)
  func allTransforms(turns: Int, axis: Int) throws {
    var file = try Fixture.bytes("heif_turned.heic")
    func patch(_ box: String, _ value: Int) throws {
      let name = Array(box.utf8)
      let place = try #require(file.indices.dropLast(4).first { file[$0..<$0 + 4].elementsEqual(name) })
      file[place + 4] = UInt8(value)
    }
    try patch("irot", turns)
    try patch("imir", axis)
    let whole = Chart.wide(width: 64, height: 64)
    let middle = Raster(
      size: PixelSize(width: 40, height: 24), format: .rgb,
      samples: (20..<44).flatMap { y in Array(whole.samples[(y * 64 + 12) * 3..<(y * 64 + 52) * 3]) })
    let turned = middle.turned(QuarterTurn(rawValue: (4 - turns) % 4) ?? .none)
    // ISO/IEC 23008-12:2022: 0 exchanges top and bottom, 1 left and right.
    let expected = turned.upright(from: axis == 0 ? .mirroredUpsideDown : .mirrored)
    #expect(largestDifference(try ImageSource(bytes: file).decode().raster, expected) <= 6)
  }

  @Test("an orientation that only EXIF tells is passed over; the container is the authority")
  func exifOnly() throws {
    let image = try decode("exif_only.heic")
    #expect(largestDifference(image.raster, Chart.wide(width: 64, height: 64)) <= 6)
    #expect(image.captureDate == "2026-11-30T09:32:53")
    #expect(image.focalLength35mm == 26)
    #expect(image.resolution == Resolution(dotsPerInch: 240))
  }

  @Test("10 and 12 bits come out as 8", arguments: ["10bit.heic", "12bit.heic"])
  func deep(name: String) throws {
    #expect(largestDifference(try decode(name).raster, Chart.wide(width: 64, height: 64)) <= 6)
  }

  @Test("an odd-sized picture with shared color")
  func oddSize() throws {
    let image = try decode("odd_size.heic")
    #expect(image.raster.size == PixelSize(width: 50, height: 38))
    #expect(largestDifference(image.raster, Chart.wide(width: 50, height: 38)) <= 10)
  }

  @Test("a grey picture looks grey")
  func grey() throws {
    let image = try decode("grey.heic")
    #expect(largestDifference(image.raster.rgb(), Chart.grey().rgb()) <= 6)
  }

  @Test("opacity lies over white")
  func alpha() throws {
    let raster = try decode("alpha.heic").raster
    func isNear(_ x: Int, _ y: Int, _ expected: [Int]) -> Bool {
      zip(raster[x: x, y: y], expected).allSatisfy { abs(Int($0) - $1) <= 8 }
    }
    #expect(isNear(60, 4, [255, 255, 255]))
    #expect(isNear(32, 32, [200, 30, 30]))
    #expect(isNear(7, 7, [227, 142, 142]))
  }

  @Test(
    "Display P3 is honoured, told by a profile or by numbers", arguments: ["p3_icc.heic", "p3_nclx.heic"])
  func displayP3(name: String) throws {
    let raster = try decode(name).raster
    // (200, 30, 30) of Display P3 is (218, 0, 6) in sRGB, clipped in green.
    #expect(zip(raster[x: 32, y: 32], [218, 0, 6]).allSatisfy { abs(Int($0) - $1) <= 6 })
  }

  @Test("only the primary picture is taken, and the others are told of")
  func severalPictures() throws {
    let source = try source("three.heic")
    #expect(source.frameCount == 1)
    #expect(
      source.warnings.map(\.text) == ["the file holds 2 pictures beside its main one, which are left out"])
    let raster = try source.decode().raster
    #expect(zip(raster[x: 5, y: 5], [30, 30, 200]).allSatisfy { abs(Int($0) - $1) <= 6 })
  }

  @Test("the size limit is checked on the header")
  func limit() throws {
    let expected = CodecError.tooLarge(PixelSize(width: 500, height: 370), maximumPixels: 184_999)
    #expect(throws: expected) {
      try ImageSource(
        bytes: try Fixture.bytes("heif_grid_48.heic"), options: DecodeOptions(maximumPixels: 184_999))
    }
  }

  @Test(
    "a file that is cut anywhere is refused with a sentence",
    arguments: [20, 100, 400, 700, 3000, 20_000, 34_000])
  func cut(length: Int) throws {
    let file = Array(try Fixture.bytes("heif_grid_48.heic").prefix(length))
    #expect(throws: CodecError.self) { try ImageSource(bytes: file).decode() }
  }
}
