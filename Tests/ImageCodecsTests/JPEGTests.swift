import ImageCodecs
import Raster
import Testing

@Suite struct JPEGTests {
  @Test(
    "every kind of JPEG shows the page",
    arguments: [
      ("jpeg_444.jpg", 2.0), ("jpeg_422.jpg", 4), ("jpeg_420.jpg", 5), ("jpeg_440.jpg", 4),
      ("jpeg_411.jpg", 5),
      ("jpeg_progressive.jpg", 2), ("jpeg_arithmetic.jpg", 2), ("jpeg_arithmetic_progressive.jpg", 2),
      ("jpeg_restart.jpg", 2), ("jpeg_rgb_adobe.jpg", 2), ("jpeg_rgb_letters.jpg", 2),
      ("jpeg_three_scans.jpg", 2),
      ("jpeg_dqt16.jpg", 2), ("jpeg_dnl.jpg", 2),
    ])
  func kinds(name: String, tolerance: Double) throws {
    let image = try Fixture.decode(name)
    #expect(meanDifference(image.raster, try Fixture.page()) < tolerance)
    #expect(image.warnings == [])
    #expect(image.fullSize == PixelSize(width: 96, height: 64))
  }

  @Test("a grey JPEG stays grey", arguments: ["jpeg_gray.jpg", "jpeg_gray_22.jpg", "jpeg_gray_icc_rgb.jpg"])
  func gray(name: String) throws {
    let image = try Fixture.decode(name)
    #expect(image.raster.format == .gray)
    #expect(meanDifference(image.raster, try Fixture.page().grayscale()) < 2)
    #expect(image.warnings == [])
  }

  @Test("all eight orientations come out upright", arguments: 1...8)
  func orientations(value: Int) throws {
    let source = try ImageSource(bytes: Fixture.bytes("jpeg_exif_\(value).jpg"))
    let image = try source.decode()
    #expect(source.frameSizes == [PixelSize(width: 96, height: 64)])
    #expect(image.fullSize == PixelSize(width: 96, height: 64))
    #expect(meanDifference(image.raster, try Fixture.page()) < 2)
  }

  @Test("an orientation that is none counts as upright", arguments: [0, 9, 255])
  func badOrientation(value: UInt8) throws {
    var bytes = try Fixture.bytes("jpeg_exif_8.jpg")
    let field: [UInt8] = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 8]
    let place = try #require(bytes.indices.first { bytes[$0...].starts(with: field) })
    bytes[place + 9] = value
    #expect(try ImageSource(bytes: bytes).frameSizes == [PixelSize(width: 64, height: 96)])
    // As a wrong type: a text.
    bytes[place + 9] = 8
    bytes[place + 3] = 2
    #expect(try ImageSource(bytes: bytes).frameSizes == [PixelSize(width: 64, height: 96)])
  }

  @Test("EXIF's date, focal length and resolution are passed on")
  func captureData() throws {
    let image = try Fixture.decode("jpeg_photo_exif.jpg")
    #expect(image.captureDate == "2026-11-30T09:32:53")
    #expect(image.focalLength35mm == 26)
    #expect(image.resolution == Resolution(dotsPerInch: 300))
  }

  @Test("a reduced decode has the reduced size and the same picture", arguments: DecodeReduction.allCases)
  func reduction(reduction: DecodeReduction) throws {
    for name in ["jpeg_exif_6.jpg", "jpeg_progressive.jpg", "jpeg_cmyk_adobe.jpg"] {
      let image = try ImageSource(bytes: Fixture.bytes(name)).decode(reduction: reduction)
      let factor = reduction.rawValue
      #expect(image.raster.size == PixelSize(width: 96 / factor, height: 64 / factor))
      #expect(image.fullSize == PixelSize(width: 96, height: 64))
      #expect(meanDifference(image.raster, try Fixture.page().shrunk(by: factor)) < 6)
    }
  }

  @Test(
    "other pictures and films behind the first picture are left alone",
    arguments: ["jpeg_444.jpg", "jpeg_progressive.jpg"])
  func bytesBehind(name: String) throws {
    let picture = try Fixture.bytes(name)
    let second = try Fixture.bytes("jpeg_noise.jpg")
    let film: [UInt8] =
      [0, 0, 0, 24] + Array("ftypmp42\0\0\0\0mp42isom".utf8) + [UInt8](repeating: 7, count: 5000)
    for tail in [second, film, [0, 0, 0], [UInt8](repeating: 0xFF, count: 100)] {
      let source = try ImageSource(bytes: picture + tail)
      #expect(source.frameCount == 1)
      let image = try source.decode()
      #expect(image.raster == (try Fixture.decode(name)).raster)
      #expect(image.warnings == [])
    }
  }

  @Test(
    "kinds that aren't read are named",
    arguments: [
      ("jpeg_12bit.jpg", "a 12-bit JPEG"), ("jpeg_lossless.jpg", "a lossless JPEG"),
      ("jpeg_two_channels.jpg", "a JPEG with 2 color channels"),
    ])
  func unsupported(name: String, variant: String) throws {
    #expect(throws: CodecError.unsupported(.jpeg, variant: variant)) {
      try ImageSource(bytes: Fixture.bytes(name))
    }
  }
}

extension Raster {
  /// The picture with squares of `factor` pixels averaged.
  func shrunk(by factor: Int) -> Raster {
    let size = PixelSize(width: width / factor, height: height / factor)
    var result: [UInt8] = []
    for y in 0..<size.height {
      for x in 0..<size.width {
        for channel in 0..<format.channels {
          var sum = 0
          for dy in 0..<factor {
            for dx in 0..<factor {
              sum += Int(
                samples[(y * factor + dy) * rowStride + (x * factor + dx) * format.channels + channel])
            }
          }
          result.append(UInt8((sum + factor * factor / 2) / (factor * factor)))
        }
      }
    }
    return Raster(size: size, format: format, samples: result)
  }
}
