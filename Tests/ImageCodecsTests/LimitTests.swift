import Foundation
import Glibc
import ImageCodecs
import Raster
import Testing

@Suite struct LimitTests {
  @Test(
    "a header that claims too much is refused",
    arguments: [("jpeg_huge.jpg", 65500), ("png_huge.png", 65536)])
  func huge(name: String, side: Int) throws {
    let size = PixelSize(width: side, height: side)
    let error = CodecError.tooLarge(size, maximumPixels: 256_000_000)
    #expect(throws: error) { try ImageSource(bytes: Fixture.bytes(name)) }
    #expect(
      error.description == "it is \(side) × \(side) pixels large, more than the limit of 256 megapixels")
  }

  @Test("the limit is exact, and can be moved")
  func exactLimit() throws {
    let bytes = try Fixture.bytes("jpeg_444.jpg")
    let source = try ImageSource(bytes: bytes, options: DecodeOptions(maximumPixels: 96 * 64))
    #expect(source.frameCount == 1)
    #expect(throws: CodecError.tooLarge(PixelSize(width: 96, height: 64), maximumPixels: 96 * 64 - 1)) {
      try ImageSource(bytes: bytes, options: DecodeOptions(maximumPixels: 96 * 64 - 1))
    }
  }

  /// Refuses a file in a process of its own, and ends with 0 when that took little memory and time.
  static func refuseFrugally(_ bytes: [UInt8]) -> Int32 {
    let start = clock()
    do {
      _ = try ImageSource(bytes: bytes).decode()
      return 1
    } catch {}
    let milliseconds = (clock() - start) * 1000 / CLOCKS_PER_SEC
    guard let kilobytes = peakMemory() else { return 4 }
    return kilobytes < 100_000 && milliseconds < 100 ? 0 : 2
  }

  /// The most memory this process has had, in kilobytes.
  ///
  /// Not `getrusage`, whose figure includes what the process that started this one had before `exec`.
  private static func peakMemory() -> Int? {
    guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return nil }
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
  }

  @Test("a small file that claims 64k × 64k costs less than 100 MB and 100 ms")
  func hugeIsFrugal() async {
    await #expect(processExitsWith: .success) {
      exit(LimitTests.refuseFrugally(try Fixture.bytes("jpeg_huge.jpg")))
    }
    await #expect(processExitsWith: .success) {
      exit(LimitTests.refuseFrugally(try Fixture.bytes("png_huge.png")))
    }
  }

  @Test(
    "a small file that claims a size within the limit costs as little",
    arguments: ["jpeg_444.jpg", "jpeg_progressive.jpg"])
  func largeIsFrugal(name: String) async throws {
    await #expect(processExitsWith: .success) { [name] in
      var bytes = try Fixture.bytes(name)
      guard
        let frame = bytes.indices.dropLast().first(where: {
          bytes[$0] == 0xFF && [0xC0, 0xC2].contains(bytes[$0 + 1])
        })
      else { exit(3) }
      bytes.replaceSubrange(frame + 5..<frame + 9, with: [0x3E, 0x80, 0x3E, 0x80])
      exit(LimitTests.refuseFrugally(bytes))
    }
  }

  @Test("a small PNG that claims a size within the limit costs as little")
  func largePNGIsFrugal() async {
    await #expect(processExitsWith: .success) {
      var bytes = try Fixture.bytes("png_huge.png")
      // 8192 × 16384, with the checksum that goes with it.
      bytes.replaceSubrange(16..<24, with: [0, 0, 0x20, 0, 0, 0, 0x40, 0])
      bytes.replaceSubrange(29..<33, with: LimitTests.checksum(bytes[12..<29]))
      exit(LimitTests.refuseFrugally(bytes))
    }
  }

  @Test(
    "a JPEG of hundreds of passes is refused, also when damage may be kept",
    arguments: ["jpeg_many_scans.jpg", "jpeg_many_passes.jpg"])
  func manyPasses(name: String) throws {
    let bytes = try Fixture.bytes(name)
    #expect(throws: CodecError.tooComplex(.jpeg, detail: "more than 500 passes over the picture")) {
      try ImageSource(bytes: bytes, options: DecodeOptions(damage: .keep)).decode()
    }
    #expect(throws: CodecError.self) { try ImageSource(bytes: bytes).decode() }
  }

  @Test("one source can be decoded by many tasks at once")
  func concurrent() async throws {
    let source = try ImageSource(bytes: Fixture.bytes("jpeg_icc_p3.jpg"))
    let expected = try source.decode().raster
    try await withThrowingTaskGroup(of: Raster.self) { group in
      for _ in 0..<8 { group.addTask { try source.decode().raster } }
      for try await raster in group { #expect(raster == expected) }
    }
  }

  @Test("a frame that isn't there is an error")
  func noSuchFrame() throws {
    let source = try ImageSource(bytes: Fixture.bytes("page.png"))
    #expect(throws: CodecError.noSuchFrame(1, count: 1)) { try source.decode(frame: 1) }
    #expect(throws: CodecError.noSuchFrame(-1, count: 1)) { try source.decode(frame: -1) }
  }

  static func checksum(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var crc: UInt32 = 0xFFFF_FFFF
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
    }
    crc = ~crc
    return [24, 16, 8, 0].map { UInt8(crc >> $0 & 255) }
  }
}
