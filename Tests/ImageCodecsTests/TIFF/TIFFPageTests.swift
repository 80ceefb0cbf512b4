import ImageCodecs
import Raster
import Testing

/// Which pages a file has, how they lie, and what their file tells of them.
@Suite struct TIFFPageTests {
  private func page(_ value: UInt8, tags: [Int: TIFFBuilder.Value] = [:]) -> TIFFBuilder.Page {
    TIFFBuilder.Page(width: 2, height: 1, data: [value, value], tags: tags)
  }

  @Test("every page is a frame, in the order of the file", arguments: [false, true], [false, true])
  func pages(big: Bool, bigEndian: Bool) throws {
    let builder = TIFFBuilder(
      isBigEndian: bigEndian, isBig: big, pages: (0..<12).map { page(UInt8(20 * $0)) })
    let source = try ImageSource(bytes: builder.bytes)
    #expect(source.format == .tiff)
    #expect(source.frameCount == 12)
    for frame in 0..<12 {
      #expect(try source.decode(frame: frame).raster.samples == Array(repeating: UInt8(20 * frame), count: 2))
    }
    #expect(throws: CodecError.noSuchFrame(12, count: 12)) { try source.decode(frame: 12) }
  }

  @Test("thumbnails and masks are no pages")
  func thumbnailsAndMasks() throws {
    let builder = TIFFBuilder(pages: [
      page(1, tags: [254: .long([1])]), page(2), page(3, tags: [254: .long([4])]),
      page(4, tags: [254: .long([2])]), page(5, tags: [255: .short([2])]), page(6, tags: [255: .short([3])]),
      page(7, tags: [262: .short([4])]),
    ])
    let source = try ImageSource(bytes: builder.bytes)
    let values = try (0..<source.frameCount).map { try source.decode(frame: $0).raster.samples[0] }
    #expect(values == [2, 4, 6])
  }

  @Test("a lone picture is a page even when it is marked as reduced")
  func loneReducedPicture() throws {
    let source = try ImageSource(bytes: TIFFBuilder.file(page(9, tags: [254: .long([1])])))
    #expect(try source.decode().raster.samples == [9, 9])
  }

  @Test("the thumbnail of a camera raw file isn't taken for the photo")
  func rawThumbnail() throws {
    let file = TIFFBuilder.file(page(9, tags: [254: .long([1]), 330: .long([8])]))
    let error = #expect(throws: CodecError.self) { try ImageSource(bytes: file) }
    guard case .noPicture(.tiff, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test("a chain that runs in a circle ends", arguments: [0, 1, 2])
  func loop(to target: Int) throws {
    var builder = TIFFBuilder(pages: [page(1), page(2), page(3)])
    builder.loopsToPage = target
    #expect(try ImageSource(bytes: builder.bytes).frameCount == 3)
  }

  @Test("tens of thousands of directories are refused")
  func endlessChain() throws {
    // Each directory has no entries and leads to the next: 6 bytes a piece.
    var file: [UInt8] = [0x49, 0x49, 42, 0, 8, 0, 0, 0]
    for _ in 0..<50_000 {
      let next = file.count + 6
      file += [0, 0] + (0..<4).map { UInt8(truncatingIfNeeded: next >> (8 * $0)) }
    }
    let error = #expect(throws: CodecError.self) { try ImageSource(bytes: file) }
    guard case .tooComplex(.tiff, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test("a chain that leads out of the file is damage: refused, or what comes before is kept")
  func cutChain() throws {
    var builder = TIFFBuilder(pages: [page(1), page(2)])
    builder.chainEnd = 1_000_000
    #expect(throws: CodecError.damaged(.tiff, detail: "the file ends before the directory of picture 3")) {
      try ImageSource(bytes: builder.bytes)
    }
    let kept = try ImageSource(bytes: builder.bytes, options: DecodeOptions(damage: .keep))
    #expect(kept.frameCount == 2)
    #expect(kept.warnings.count == 1)
  }

  @Test("a chain that runs on into other bytes: refused, or its real pages are kept")
  func strayDirectory() throws {
    // The last directory leads to bytes that count no entries.
    var builder = TIFFBuilder(pages: [page(1), page(2)])
    builder.pages[1].blocks = [[2, 2, 0, 0, 0, 0, 0, 0, 0, 0]]
    builder.pages[1].tags[279] = .long([2])
    let first = builder.bytes
    let data = try #require(
      first.indices.dropLast(4).first { first[$0..<$0 + 4].elementsEqual([2, 2, 0, 0]) })
    builder.chainEnd = data + 2
    #expect(throws: CodecError.self) { try ImageSource(bytes: builder.bytes) }
    let kept = try ImageSource(bytes: builder.bytes, options: DecodeOptions(damage: .keep))
    #expect(kept.frameCount == 2)
    #expect(kept.warnings.count == 1)
  }

  @Test("orientation is applied once", arguments: Orientation.allCases)
  func orientation(_ orientation: Orientation) throws {
    let stored = Raster(
      size: PixelSize(width: 3, height: 2), format: .gray, samples: [10, 20, 30, 40, 50, 60])
    let file = TIFFBuilder.file(
      .init(
        width: 3, height: 2, data: stored.samples,
        tags: [
          274: .short([orientation.rawValue]), 282: .rational([(300, 1)]), 283: .rational([(150, 1)]),
          296: .short([2]),
        ]))
    let source = try ImageSource(bytes: file)
    let image = try source.decode()
    #expect(image.raster == stored.upright(from: orientation))
    #expect(source.frameSizes == [image.raster.size])
    // Resolution belongs to the stored rows and turns with them.
    let along = Resolution(horizontal: 300, vertical: 150)
    #expect(image.resolution == (orientation.swapsAxes ? along.transposed : along))
  }

  @Test("an orientation that doesn't exist counts as upright", arguments: [0, 9, 65535])
  func oddOrientation(tag: Int) throws {
    let file = TIFFBuilder.file(
      .init(width: 2, height: 1, data: [10, 20], tags: [274: .short([tag])]))
    let image = try ImageSource(bytes: file).decode()
    #expect(image.raster.samples == [10, 20])
  }

  @Test(
    "resolution is told in inches; without a unit it is none",
    arguments: [
      (2, 300, Resolution?.some(Resolution(dotsPerInch: 300))),
      (3, 100, Resolution(dotsPerInch: 254)),
      (1, 300, nil),
      (2, 0, nil),
    ])
  func resolution(unit: Int, value: Int, expected: Resolution?) throws {
    let file = TIFFBuilder.file(
      .init(
        width: 1, height: 1, data: [0],
        tags: [282: .rational([(value, 1)]), 283: .rational([(value, 1)]), 296: .short([unit])]))
    #expect(try ImageSource(bytes: file).decode().resolution == expected)
  }

  @Test("the EXIF directory gives date and focal length")
  func exif() throws {
    // The EXIF directory is put where the picture's data would be, with its text behind it.
    let date = Array("2026:11:30 09:32:53\0".utf8)
    func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: Int) -> [UInt8] {
      [UInt8(tag & 255), UInt8(tag >> 8), UInt8(type), 0, UInt8(count), 0, 0, 0, UInt8(value), 0, 0, 0]
    }
    let textPlace = 8 + 2 + 2 * 12 + 4
    let directory =
      [2, 0] + entry(0x9003, 2, date.count, textPlace) + entry(0xA405, 3, 1, 28) + [0, 0, 0, 0] + date
    var page = TIFFBuilder.Page(width: 2, height: 1, data: [7, 9], tags: [34665: .long([8])])
    page.blocks = [directory.map { UInt8($0) } + [7, 9]]
    page.tags[273] = .long([8 + directory.count])
    page.tags[279] = .long([2])
    let image = try ImageSource(bytes: TIFFBuilder.file(page)).decode()
    #expect(image.raster.samples == [7, 9])
    #expect(image.captureDate == "2026-11-30T09:32:53")
    #expect(image.focalLength35mm == 28)
  }
}
