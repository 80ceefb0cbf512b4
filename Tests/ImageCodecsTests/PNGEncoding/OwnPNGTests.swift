import CSystemDeflate
import ImageCodecs
import Raster
import TestSupport
import Testing

/// Files as we write them are read by code of our own; libpng, which reads all others, has to agree.
@Suite("A PNG of our own kind")
struct OwnPNGTests {
  /// A file made chunk by chunk.
  struct File {
    var width = 20
    var height = 11
    var colorType: UInt8 = 2
    var depth: UInt8 = 8
    var interlace: UInt8 = 0
    var palette: [UInt8] = []
    /// Rows with the bytes that tell their filters.
    var rows: [UInt8]
    /// Chunks in front of the rows.
    var extra: [(name: String, content: [UInt8])] = [("sRGB", [0])]
    /// What is done to the packed rows before they become chunks.
    var change: ([UInt8]) -> [UInt8] = { $0 }
    var pieces = 1
    var tail: [UInt8] = []

    /// The same for libpng: a comment makes it unusual.
    var commented: File {
      var copy = self
      copy.extra.append(("tEXt", Array("Comment\0x".utf8)))
      return copy
    }

    func bytes() throws -> [UInt8] {
      let number = { (value: Int) in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }
      var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
      func add(_ name: String, _ content: [UInt8]) {
        let named = Array(name.utf8) + content
        bytes += number(content.count) + named + number(Int(unsafe libdeflate_crc32(0, named, named.count)))
      }
      add("IHDR", number(width) + number(height) + [depth, colorType, 0, 0, interlace])
      for chunk in extra { add(chunk.name, chunk.content) }
      if !palette.isEmpty { add("PLTE", palette) }
      let packed = change(try OwnPNGTests.packed(rows))
      let length = max(1, (packed.count + pieces - 1) / pieces)
      for start in stride(from: 0, to: packed.count, by: length) {
        add("IDAT", Array(packed[start..<min(start + length, packed.count)]))
      }
      add("IEND", [])
      return bytes + tail
    }
  }

  private static func packed(_ rows: [UInt8]) throws -> [UInt8] {
    let compressor = try unsafe #require(libdeflate_alloc_compressor(6))
    defer { unsafe libdeflate_free_compressor(compressor) }
    let bound = unsafe libdeflate_zlib_compress_bound(compressor, rows.count)
    return unsafe [UInt8](unsafeUninitializedCapacity: bound) { output, count in
      count = unsafe libdeflate_zlib_compress(compressor, rows, rows.count, output.baseAddress, bound)
    }
  }

  /// Exactly so many bytes, or nothing.
  private static func unpacked(_ stream: ArraySlice<UInt8>, count: Int) -> [UInt8]? {
    guard let decompressor = unsafe libdeflate_alloc_decompressor() else { return nil }
    defer { unsafe libdeflate_free_decompressor(decompressor) }
    var output = [UInt8](repeating: 0, count: count)
    let stream = Array(stream)
    let result = unsafe output.withUnsafeMutableBytes { output in
      unsafe libdeflate_deflate_decompress(decompressor, stream, stream.count, output.baseAddress, count, nil)
    }
    return result == LIBDEFLATE_SUCCESS ? output : nil
  }

  /// Any bytes behind any filters are a picture.
  private func rows(
    _ width: Int, _ height: Int, channels: Int, filters: [UInt8], levels: ClosedRange<UInt8> = 0...255,
    seed: UInt64
  ) -> [UInt8] {
    var random = SeededGenerator(seed: seed)
    return (0..<height).flatMap { _ in
      [filters.randomElement(using: &random) ?? 0]
        + (0..<width * channels).map { _ in UInt8.random(in: levels, using: &random) }
    }
  }

  /// What our reader makes of a file, if it takes it.
  private func own(_ bytes: [UInt8]) throws -> [UInt8]? { try OwnPNG(bytes)?.samples(from: bytes) }

  @Test(
    "is taken, and read as libpng reads it, at every width and height, in every filter",
    arguments: [0, 2] as [UInt8])
  func sizes(colorType: UInt8) throws {
    let channels = colorType == 2 ? 3 : 1
    for width in 1...9 {
      for height in 1...9 {
        for filters: [UInt8] in [[4], [0, 1, 2, 3, 4], [4, 4, 4, 4, 4, 4, 1]] {
          var file = File(
            rows: rows(width, height, channels: channels, filters: filters, seed: UInt64(width * 10 + height))
          )
          (file.width, file.height, file.colorType, file.pieces) = (width, height, colorType, 3)
          let expected = try ImageSource(bytes: file.commented.bytes()).decode()
          #expect(expected.warnings == [])
          #expect(try own(file.bytes()) == expected.raster.samples, "\(width) × \(height), \(filters)")
        }
      }
    }
  }

  @Test("is what we write", arguments: PNGStreamTests.Picture.allCases)
  func written(picture: PNGStreamTests.Picture) throws {
    let resolution = Resolution(dotsPerInch: 300)
    let bytes = try encodePNG(picture.raster, resolution: resolution)
    let file = try #require(OwnPNG(bytes))
    #expect(file.size == picture.raster.size)
    #expect(try #require(file.resolution).horizontal.rounded() == 300)
    #expect(try file.samples(from: bytes) != nil)
  }

  @Test("has colours by number")
  func palette() throws {
    var file = File(rows: rows(20, 11, channels: 1, filters: [0, 2], levels: 0...0, seed: 1))
    (file.colorType, file.palette) = (3, [9, 8, 7, 1, 2, 3])
    for place in 1..<20 where place % 3 == 0 { file.rows[place] = 1 }
    let expected = try ImageSource(bytes: file.commented.bytes()).decode().raster.samples
    #expect(try own(file.bytes()) == expected)
    // The third of two colours.
    file.rows[1] = 2
    #expect(try own(file.bytes()) == nil)
  }

  /// A file that is left to libpng, and what is odd about it.
  private struct Odd: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let change: @Sendable (inout File) -> Void
  }

  private static let odd: [Odd] = [
    Odd(testDescription: "16 bits") { $0.depth = 16 },
    Odd(testDescription: "interlaced") { $0.interlace = 1 },
    Odd(testDescription: "with alpha") { $0.colorType = 6 },
    Odd(testDescription: "no sRGB") { $0.extra = [] },
    Odd(testDescription: "a gamma of its own") { $0.extra = [("gAMA", [0, 0, 0x80, 0])] },
    Odd(testDescription: "sRGB twice") { $0.extra += [("sRGB", [0])] },
    Odd(testDescription: "pixels that aren't square") {
      $0.extra += [("pHYs", [0, 0, 0, 1, 0, 0, 0, 1, 0])]
    },
    Odd(testDescription: "a row too few") { $0.rows.removeLast(61) },
    Odd(testDescription: "a row too many") { $0.rows += $0.rows.prefix(61) },
    Odd(testDescription: "a filter that there isn't") { $0.rows[61] = 5 },
    Odd(testDescription: "a wrong Adler-32") { $0.change = { $0.dropLast() + [$0[$0.count - 1] ^ 1] } },
    Odd(testDescription: "rows that break off") { $0.change = { Array($0.prefix($0.count / 2)) } },
    Odd(testDescription: "bytes behind the rows") { $0.change = { $0 + [0] } },
    Odd(testDescription: "no rows") { $0.change = { _ in [] } },
    Odd(testDescription: "bytes behind the end") { $0.tail = [0] },
    Odd(testDescription: "a palette's number without a palette") { $0.colorType = 3 },
  ]

  @Test("is nothing that is unusual or damaged", arguments: odd)
  private func unusual(_ odd: Odd) throws {
    var file = File(rows: rows(20, 11, channels: 3, filters: [4, 1], seed: 3))
    #expect(try own(file.bytes()) != nil)
    odd.change(&file)
    #expect(try own(file.bytes()) == nil)
  }

  @Test("is left to libpng when a byte of it is another one, wherever it is")
  func flippedBytes() throws {
    let bytes = try File(rows: rows(20, 11, channels: 3, filters: [4], seed: 4)).bytes()
    for place in bytes.indices where place >= 8 {
      var changed = bytes
      changed[place] ^= 0x10
      #expect(try own(changed) == nil, "byte \(place)")
    }
    for count in 8..<bytes.count { #expect(try own(Array(bytes.prefix(count))) == nil, "\(count) bytes") }
  }

  @Test(
    "is read as libpng reads it, or left to it, when its packed rows are changed and its checksums aren't wrong"
  )
  func changedRows() throws {
    var taken = 0
    for seed in 0..<400 as Range<UInt64> {
      var file = File(rows: rows(20, 11, channels: 3, filters: [0, 1, 2, 3, 4], levels: 0...7, seed: seed))
      file.change = { packed in
        var random = SeededGenerator(seed: seed)
        var changed = packed
        let place = Int.random(in: 2..<packed.count - 4, using: &random)
        changed[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
        // The sum behind the rows is made right again, where there are any rows.
        guard let rows = Self.unpacked(changed.dropFirst(2).dropLast(4), count: 11 * 61) else {
          return changed
        }
        let sum = unsafe libdeflate_adler32(1, rows, rows.count)
        return changed.dropLast(4) + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: sum >> $0) }
      }
      guard let samples = try own(file.bytes()) else { continue }
      taken += 1
      let expected = try ImageSource(bytes: file.commented.bytes()).decode()
      #expect(samples == expected.raster.samples, "\(seed)")
      #expect(expected.warnings == [], "\(seed)")
    }
    #expect(taken > 0)
  }
}
