import CSystemDeflate
import ImageCodecs
import Raster
import TestSupport
import Testing

/// What is written is read by three decoders: libpng and zlib, libdeflate, and one in the tests that follows the specifications bit by bit.
@Suite struct PNGStreamTests {
  /// Pictures that between them meet every way of packing.
  enum Picture: String, CaseIterable {
    case noise, grayNoise, white, onePixel, oneColumn, photo, page, grayInColor, fewColors, colors256,
      colors257, runs
    case skewed

    var raster: Raster {
      var random = SeededGenerator(seed: 7)
      switch self {
      case .noise: return make(200, 300, .rgb) { _, _, _ in UInt8.random(in: 0...255, using: &random) }
      case .grayNoise: return make(301, 97, .gray) { _, _, _ in UInt8.random(in: 0...255, using: &random) }
      case .white: return Raster(size: PixelSize(width: 700, height: 900), format: .rgb, filledWith: 255)
      case .onePixel: return Raster(size: PixelSize(width: 1, height: 1), format: .rgb, samples: [1, 2, 3])
      case .oneColumn: return make(1, 5000, .gray) { _, y, _ in UInt8(truncatingIfNeeded: y / 3) }
      case .photo:
        return make(500, 400, .rgb) { x, y, channel in
          UInt8(100 + x / 8 + y / 10 + 10 * channel + Int.random(in: -4...4, using: &random))
        }
      case .page:
        return make(700, 500, .rgb) { x, y, channel in
          y % 40 < 12 && x % 9 < 4 ? UInt8(20 + 9 * channel + x % 50 + y % 12 * 5) : 255
        }
      case .grayInColor: return make(300, 500, .rgb) { x, y, _ in UInt8(truncatingIfNeeded: x * y) }
      case .fewColors:
        return make(640, 480, .rgb) { x, y, channel in (x / 50 + y / 70) % 3 == channel ? 200 : 10 }
      case .colors256: return make(256, 300, .rgb) { x, _, channel in channel == 0 ? UInt8(x) : 3 }
      case .colors257:
        return make(257, 300, .rgb) { x, _, channel in channel == 0 ? UInt8(x % 256) : UInt8(x / 256) }
      case .runs:
        // Differences to the left in runs of every length up to 600, with other bytes between them.
        var (sample, left, length, step): (UInt8, Int, Int, UInt8) = (0, 1, 1, 1)
        return make(181_000, 1, .gray) { _, _, _ in
          if left == 0 { (left, length, step) = (length + 1, length + 1, step &+ 77) }
          left -= 1
          sample &+= step
          return sample
        }
      case .skewed:
        // Differences as frequent as Fibonacci's numbers: Huffman's own code would have more bits than deflate allows.
        var differences: [UInt8] = []
        var (count, next) = (1, 1)
        for value in 0..<24 {
          differences += [UInt8](repeating: UInt8(value * 5), count: count)
          (count, next) = (next, count + next)
        }
        differences.shuffle(using: &random)
        var sample: UInt8 = 0
        return make(differences.count, 1, .gray) { x, _, _ in
          sample &+= differences[x]
          return sample
        }
      }
    }

    private func make(
      _ width: Int, _ height: Int, _ format: PixelFormat, _ sample: (Int, Int, Int) -> UInt8
    ) -> Raster {
      var samples: [UInt8] = []
      for y in 0..<height {
        for x in 0..<width {
          for channel in 0..<format.channels { samples.append(sample(x, y, channel)) }
        }
      }
      return Raster(size: PixelSize(width: width, height: height), format: format, samples: samples)
    }
  }

  /// Samples in three channels, whatever they are stored as.
  private func colors(_ samples: [UInt8], of raster: Raster) -> [UInt8] {
    samples.count == raster.width * raster.height ? samples.flatMap { [$0, $0, $0] } : samples
  }

  @Test("each of three decoders gives the picture back", arguments: Picture.allCases)
  func decoders(picture: Picture) throws {
    let raster = picture.raster
    let bytes = try encodePNG(raster, resolution: nil)
    let expected = colors(raster.samples, of: raster)

    let read = try ImageSource(bytes: bytes).decode()
    #expect(read.warnings == [])
    #expect(colors(read.raster.samples, of: raster) == expected)

    let file = try PlainPNG(bytes)
    let unpacked = try SmallInflate.zlib(file.stream)
    #expect(colors(try file.samples(unpacked: unpacked), of: raster) == expected)
    #expect(try inflatedByLibdeflate(file.stream, count: unpacked.count) == unpacked)
  }

  private func inflatedByLibdeflate(_ stream: [UInt8], count: Int) throws -> [UInt8] {
    let decompressor = try unsafe #require(libdeflate_alloc_decompressor())
    defer { unsafe libdeflate_free_decompressor(decompressor) }
    var output = [UInt8](repeating: 0, count: count)
    let result = unsafe output.withUnsafeMutableBytes { output in
      unsafe libdeflate_zlib_decompress(decompressor, stream, stream.count, output.baseAddress, count, nil)
    }
    #expect(result == LIBDEFLATE_SUCCESS)
    return output
  }

  @Test(
    "greys are stored as grey, few colours as a palette, and all else as it is",
    arguments: [
      (Picture.noise, 2), (.grayNoise, 0), (.white, 0), (.grayInColor, 0), (.fewColors, 3), (.colors256, 3),
      (.colors257, 2), (.photo, 2),
    ])
  func colorType(picture: Picture, type: Int) throws {
    let file = try PlainPNG(encodePNG(picture.raster, resolution: nil))
    #expect(file.header[8] == 8)
    #expect(Int(file.header[9]) == type)
    #expect(file.names.contains("PLTE") == (type == 3))
  }

  @Test("what repeats takes hardly any room, and what can't be packed hardly more than it has")
  func sizes() throws {
    func share(_ picture: Picture) throws -> Double {
      let raster = picture.raster
      return Double(try encodePNG(raster, resolution: nil).count) / Double(raster.samples.count)
    }
    #expect(try share(.white) < 0.003)
    #expect(try share(.page) < 0.05)
    #expect(try share(.fewColors) < 0.003)
    #expect(try share(.photo) < 0.52)
    #expect(try share(.noise) < 1.01)
  }

  @Test("the bytes are the same while other processors are busy or idle")
  func sameBytes() async throws {
    let raster = Picture.photo.raster
    let alone = try encodePNG(raster, resolution: nil)
    try await withThrowingTaskGroup(of: [UInt8].self) { group in
      for _ in 0..<6 { group.addTask { try encodePNG(raster, resolution: nil) } }
      for try await bytes in group { #expect(bytes == alone) }
    }
  }
}
