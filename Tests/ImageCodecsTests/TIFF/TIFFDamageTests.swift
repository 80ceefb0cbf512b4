import ImageCodecs
import Raster
import TestSupport
import Testing

/// Truncated, damaged and absurd TIFF files.
@Suite struct TIFFDamageTests {
  private let keep = DecodeOptions(damage: .keep)

  @Test("a tiny file that claims a huge picture is refused on its header")
  func hugeClaim() throws {
    let page = TIFFBuilder.Page(width: 65_535, height: 65_535, data: [0])
    let expected = CodecError.tooLarge(
      PixelSize(width: 65_535, height: 65_535), maximumPixels: DecodeOptions.defaultMaximumPixels)
    #expect(throws: expected) { try ImageSource(bytes: TIFFBuilder.file(page)) }
  }

  @Test("the limit counts for every page, and can be raised")
  func limit() throws {
    let small = TIFFBuilder.Page(width: 2, height: 2, data: [1, 2, 3, 4])
    let large = TIFFBuilder.Page(width: 3, height: 3, data: Array(repeating: 5, count: 9))
    let file = TIFFBuilder(pages: [small, large]).bytes
    #expect(throws: CodecError.tooLarge(PixelSize(width: 3, height: 3), maximumPixels: 8)) {
      try ImageSource(bytes: file, options: DecodeOptions(maximumPixels: 8))
    }
    #expect(try ImageSource(bytes: file, options: DecodeOptions(maximumPixels: 9)).frameCount == 2)
  }

  @Test("a tile far larger than its picture is refused")
  func hugeTile() throws {
    var page = TIFFBuilder.Page(
      width: 10, height: 10, data: [0], tags: [322: .long([1 << 20]), 323: .long([1 << 20])])
    page.isTiled = true
    let source = try ImageSource(bytes: TIFFBuilder.file(page))
    let error = #expect(throws: CodecError.self) { try source.decode() }
    guard case .tooComplex(.tiff, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test("a picture without a size is refused", arguments: [(0, 5), (5, 0)])
  func noSize(width: Int, height: Int) throws {
    let page = TIFFBuilder.Page(width: width, height: height, data: [0])
    #expect(throws: CodecError.self) { try ImageSource(bytes: TIFFBuilder.file(page)) }
  }

  @Test("a strip that ends early: refused with its row, or kept down to there")
  func shortStrip() throws {
    // PackBits: a row is the byte 9 and then ten bytes as they are.
    let data = (0..<100).map { UInt8($0) }
    let packed = (0..<10).flatMap { [9] + data[(10 * $0)..<(10 * $0 + 10)] }
    let page = TIFFBuilder.Page(
      width: 10, height: 10, data: Array(packed.prefix(62)), tags: [259: .short([32773])])
    let file = TIFFBuilder.file(page)
    let error = #expect(throws: CodecError.self) { try ImageSource(bytes: file).decode() }
    guard case .damagedAt(.tiff, row: 5, height: 10, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    let kept = try ImageSource(bytes: file, options: keep).decode()
    #expect(kept.raster.samples == Array(data.prefix(50)) + Array(repeating: 255, count: 50))
    #expect(kept.warnings.count == 1)
  }

  @Test("a file that is cut off says so with the row")
  func cutFile() throws {
    // The directory comes first when the data is said to lie behind it.
    var page = TIFFBuilder.Page(width: 10, height: 10, data: [])
    let head = TIFFBuilder.file(page).count
    page.falseOffset = head
    page.tags[279] = .long([100])
    let file = TIFFBuilder.file(page) + (0..<73).map { UInt8($0) }
    #expect(throws: CodecError.truncated(.tiff, row: 7, height: 10)) { try ImageSource(bytes: file).decode() }
    let kept = try ImageSource(bytes: file, options: keep).decode()
    #expect(kept.raster.samples == (0..<70).map { UInt8($0) } + Array(repeating: 255, count: 30))
    // Nothing at all is not a white page.
    let empty = Array(file.prefix(head))
    #expect(throws: CodecError.truncated(.tiff, row: 0, height: 10)) {
      try ImageSource(bytes: empty, options: keep).decode()
    }
  }

  @Test("one bad strip among good ones leaves the others", arguments: [0, 1, 2])
  func oneBadStrip(bad: Int) throws {
    var page = TIFFBuilder.Page(width: 2, height: 6, data: [], tags: [278: .long([2])])
    page.blocks = (0..<3).map { strip in strip == bad ? [] : Array(repeating: UInt8(10 * strip), count: 4) }
    let file = TIFFBuilder.file(page)
    let error = #expect(throws: CodecError.self) { try ImageSource(bytes: file).decode() }
    guard case .damagedAt(.tiff, row: 2 * bad, height: 6, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    let kept = try ImageSource(bytes: file, options: keep).decode()
    let expected = (0..<3).flatMap { strip in
      Array(repeating: strip == bad ? 255 : UInt8(10 * strip), count: 4)
    }
    #expect(kept.raster.samples == expected)
  }

  @Test("missing inks are white, not black")
  func missingInks() throws {
    let page = TIFFBuilder.Page(
      width: 1, height: 2, samples: 4, photometric: 5, data: [3, 0, 0, 0, 255], tags: [259: .short([32773])])
    let kept = try ImageSource(bytes: TIFFBuilder.file(page), options: keep).decode()
    #expect(kept.raster[x: 0, y: 1].min() ?? 0 >= 253)
    #expect(kept.raster[x: 0, y: 0].max() ?? 255 < 100)
  }

  @Test("a header alone is refused", arguments: [4, 8, 9, 12])
  func headerOnly(length: Int) throws {
    let file = TIFFBuilder.file(.init(width: 2, height: 1, data: [1, 2])).prefix(length)
    #expect(throws: CodecError.truncatedHeader(.tiff)) { try ImageSource(bytes: Array(file)) }
  }
}
