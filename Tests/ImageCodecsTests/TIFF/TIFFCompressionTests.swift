import ImageCodecs
import Raster
import TestSupport
import Testing

/// Files that other programs wrote, in every compression.
@Suite struct TIFFCompressionTests {
  private func decode(_ name: String) throws -> DecodedImage {
    try ImageSource(bytes: try Fixture.bytes("tiff_\(name).tif")).decode()
  }

  @Test(
    "lossless compressions give the very samples",
    arguments: [
      "lzw", "lzw_predictor2", "deflate_predictor2_16bit", "deflate_predictor2_16bit_big_endian", "packbits",
      "zstd", "lzma", "planar_lzw", "tiled_deflate",
    ])
  func lossless(name: String) throws {
    let image = try decode(name)
    #expect(image.raster == Chart.color())
    #expect(image.warnings.isEmpty)
  }

  @Test(
    "the floating-point predictor is undone", arguments: ["deflate_predictor3_float", "lzw_predictor3_float"])
  func floatPredictor(name: String) throws {
    #expect(try decode(name).raster == Chart.grey())
  }

  @Test(
    "JPEG within TIFF has the right colors",
    arguments: [("jpeg_rgb", 4), ("jpeg_ycbcr", 6), ("jpeg_odd_tile", 10), ("webp", 8)])
  func jpeg(name: String, tolerance: Int) throws {
    #expect(largestDifference(try decode(name).raster, Chart.color()) <= tolerance)
  }

  @Test("JPEG tiles lie where they belong")
  func tiledJPEG() throws {
    // The writer filled the tiles up with black, which bleeds into the picture's last 8 × 8 blocks.
    let (raster, chart) = (try decode("jpeg_tiled").raster, Chart.color())
    var worst = 0
    for y in 0..<32 {
      for x in 0..<48 {
        for (sample, expected) in zip(raster[x: x, y: y], chart[x: x, y: y]) {
          worst = max(worst, abs(Int(sample) - Int(expected)))
        }
      }
    }
    #expect(worst <= 6)
    #expect(raster.size == chart.size)
  }

  @Test("grey JPEG within TIFF stays grey")
  func greyJPEG() throws {
    #expect(largestDifference(try decode("jpeg_grey").raster, Chart.grey()) <= 3)
  }

  @Test("CMYK JPEG within TIFF gives the colors of the same inks without JPEG")
  func cmykJPEG() throws {
    var inks: [UInt8] = []
    for (index, value) in Chart.color().samples.enumerated() {
      inks.append(255 - value)
      if index % 3 == 2 { inks.append(0) }
    }
    let plain = TIFFBuilder.file(
      .init(width: 53, height: 37, samples: 4, photometric: 5, data: inks))
    let expected = try ImageSource(bytes: plain).decode().raster
    #expect(largestDifference(try decode("jpeg_cmyk").raster, expected) <= 10)
  }

  @Test("old-style JPEG is read in both of its forms", arguments: ["old_jpeg_file", "old_jpeg_tables"])
  func oldJPEG(name: String) throws {
    #expect(largestDifference(try decode(name).raster, Chart.color(width: 48, height: 32)) <= 10)
  }

  @Test("YCbCr that shares color between pixels")
  func subsampledYCbCr() throws {
    // Two pixels share a color of which each is 2 to 3 levels away.
    #expect(largestDifference(try decode("ycbcr_subsampled").raster, Chart.color(width: 48, height: 32)) <= 8)
  }

  @Test(
    "fax compressions, in both orders of bits",
    arguments: ["g3_1d", "g3_1d_lsb", "g3_2d", "g3_2d_lsb", "g4", "g4_lsb"])
  func fax(name: String) throws {
    let image = try decode(name)
    #expect(image.raster == Chart.bilevel())
    #expect(image.warnings.isEmpty)
  }

  @Test("a profile of inks is honoured")
  func inkProfile() throws {
    let samples = try decode("cmyk_icc").raster.samples
    // L 100; L 30 a 0 b -40; L 60 a -37 b -50 (out of sRGB's gamut in red).
    let expected = [255, 255, 255, 5, 73, 133, 0, 165, 232]
    #expect(zip(samples, expected).allSatisfy { abs(Int($0) - $1) <= 12 })
  }

  @Test("a Display P3 profile is honoured")
  func displayP3() throws {
    let samples = try decode("p3_icc").raster.samples
    // (200, 30, 30) of Display P3 is (218, 0, 6) in sRGB, clipped in green.
    #expect(zip(samples, [218, 0, 6, 255, 255, 255]).allSatisfy { abs(Int($0) - $1) <= 3 })
  }

  @Test(
    "compressed data that is cut: refused, or kept down to the row where it breaks",
    arguments: ["lzw", "deflate_predictor2_16bit", "jpeg_ycbcr", "g4", "g3_1d", "old_jpeg_file"])
  func cut(name: String) throws {
    // The directory lies at the end, so bytes are taken out of the middle of the last strip's data.
    var file = try Fixture.bytes("tiff_\(name).tif")
    let directory = file[4..<8].reversed().reduce(0) { $0 << 8 | Int($1) }
    // Any code of a fax may be made of ones; none is made of zeros.
    let filler: UInt8 = name.hasPrefix("g") ? 0 : 0xFF
    for place in (8 + (directory - 8) / 2)..<directory { file[place] = filler }
    let source = try ImageSource(bytes: file)
    let error = #expect(throws: CodecError.self) { try source.decode() }
    #expect(error?.isDamage == true)
    let kept = try ImageSource(bytes: file, options: DecodeOptions(damage: .keep))
    do {
      let image = try kept.decode()
      #expect(!image.warnings.isEmpty)
      // The first row is sound, and so is what is white at the end.
      let whole = try decode(name).raster
      #expect(
        image.raster.samples.prefix(whole.rowStride).elementsEqual(whole.samples.prefix(whole.rowStride)))
      #expect(image.raster.samples.last == 255)
    } catch {
      // Old-style JPEG is converted as a whole.
      #expect(name == "old_jpeg_file")
    }
  }
}
