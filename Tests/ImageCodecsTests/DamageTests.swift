import ImageCodecs
import Raster
import Testing

@Suite struct DamageTests {
  static let keep = DecodeOptions(damage: .keep)

  /// What became of a file.
  enum Outcome {
    case picture(DecodedImage)
    case refused(CodecError)
  }

  static func outcome(_ bytes: [UInt8], _ options: DecodeOptions = DecodeOptions()) -> Outcome {
    do throws(CodecError) {
      return .picture(try ImageSource(bytes: bytes, options: options).decode())
    } catch {
      return .refused(error)
    }
  }

  @Test(
    "a JPEG cut anywhere is refused, unless the picture is whole",
    arguments: [
      "jpeg_444.jpg", "jpeg_420.jpg", "jpeg_progressive.jpg", "jpeg_three_scans.jpg", "jpeg_restart.jpg",
      "jpeg_gray.jpg", "jpeg_cmyk_ycck.jpg",
    ])
  func cutAnywhere(name: String) throws {
    let bytes = try Fixture.bytes(name)
    let whole = try Fixture.decode(name).raster
    for length in 1..<bytes.count {
      switch Self.outcome(Array(bytes[..<length])) {
      case .refused: continue
      case .picture(let image):
        #expect(length > bytes.count - 6)
        #expect(image.raster == whole)
        #expect(
          image.warnings.map(\.text) == [
            "the JPEG file ends without its end marker, but the picture is whole"
          ])
      }
    }
    // Only the end marker is missing.
    guard case .picture = Self.outcome(bytes.dropLast(2)) else {
      Issue.record("a picture without an end marker is whole")
      return
    }
  }

  @Test("a cut JPEG is refused with the row", arguments: ["jpeg_noise.jpg", "jpeg_noise_restart.jpg"])
  func rowOfJPEG(name: String) throws {
    let bytes = try Fixture.bytes(name)
    var last = 0
    for length in stride(from: 1000, to: bytes.count - 100, by: 500) {
      guard case .refused(.truncated(.jpeg, let row, 64, nil)) = Self.outcome(Array(bytes[..<length])) else {
        Issue.record("cut at \(length) of \(bytes.count)")
        continue
      }
      #expect(row >= last)
      // The file is noise, so rows take equal shares of it; a block has eight.
      #expect(abs(row - 64 * (length - 600) / (bytes.count - 600)) <= 9)
      last = row
    }
    #expect(last >= 48)
  }

  @Test("a cut arithmetic JPEG is refused with the row")
  func rowOfArithmeticJPEG() throws {
    let bytes = try Fixture.bytes("jpeg_noise_arithmetic.jpg")
    for length in stride(from: 1000, to: bytes.count - 2000, by: 1000) {
      guard case .refused(.truncated(.jpeg, let row, 64, nil)) = Self.outcome(Array(bytes[..<length])) else {
        Issue.record("cut at \(length) of \(bytes.count)")
        continue
      }
      #expect(abs(row - 64 * length / bytes.count) <= 9)
    }
  }

  @Test("of a cut JPEG the rows that are there can be kept; the others are white")
  func keptRows() throws {
    let bytes = try Fixture.bytes("jpeg_noise.jpg")
    let whole = try Fixture.decode("jpeg_noise.jpg").raster
    let image = try ImageSource(bytes: Array(bytes[..<(bytes.count / 2)]), options: Self.keep).decode()
    let white = try #require(
      (0..<64).first { row in Self.row(row, of: image.raster).allSatisfy { $0 == 255 } })
    #expect(white >= 16 && white <= 40)
    #expect((0..<white).allSatisfy { Self.row($0, of: image.raster) == Self.row($0, of: whole) })
    #expect((white..<64).allSatisfy { Self.row($0, of: image.raster).allSatisfy { $0 == 255 } })
    #expect(image.warnings.map(\.text) == ["the JPEG data ends at row \(white) of 64"])
  }

  @Test("a reduced decode finds the same end")
  func reducedRows() throws {
    let bytes = Array(try Fixture.bytes("jpeg_noise.jpg")[..<6000])
    let full = Self.outcome(bytes)
    #expect(throws: CodecError.self) { try ImageSource(bytes: bytes).decode(reduction: .eighth) }
    let image = try ImageSource(bytes: bytes, options: Self.keep).decode(reduction: .quarter)
    guard case .refused(.truncated(_, let row, _, _)) = full else {
      Issue.record("not refused")
      return
    }
    #expect(image.warnings.map(\.text) == ["the JPEG data ends at row \(row) of 64"])
    #expect(Self.row(row / 4, of: image.raster).allSatisfy { $0 == 255 })
    #expect(!Self.row(row / 4 - 1, of: image.raster).allSatisfy { $0 == 255 })
  }

  @Test("a progressive JPEG cut in half is refused with its pass, and kept as a coarse picture")
  func cutProgressive() throws {
    let bytes = try Fixture.bytes("jpeg_progressive.jpg")
    let half = Array(bytes[..<(bytes.count / 2)])
    guard case .refused(.truncated(.jpeg, _, 64, let pass?)) = Self.outcome(half) else {
      Issue.record("not refused")
      return
    }
    #expect(pass > 1)
    let image = try ImageSource(bytes: half, options: Self.keep).decode()
    #expect(image.warnings.count == 1)
    #expect(meanDifference(image.raster, try Fixture.page()) < 25)
  }

  @Test("damaged JPEG data are refused with the row, and kept with a warning")
  func damagedData() throws {
    var bytes = try Fixture.bytes("jpeg_noise_restart.jpg")
    let middle = bytes.count / 2
    for place in middle..<middle + 300 { bytes[place] = 0x11 }
    guard case .refused(.damagedAt(.jpeg, let row, 64, let detail)) = Self.outcome(bytes) else {
      Issue.record("not refused")
      return
    }
    #expect((24...40).contains(row))
    #expect(detail.contains("Corrupt JPEG data"))
    let image = try ImageSource(bytes: bytes, options: Self.keep).decode()
    #expect(image.warnings.count >= 1)
    // Restart markers let the rows behind the damage come out as they were.
    #expect(Self.row(60, of: image.raster) == Self.row(60, of: try Fixture.decode("jpeg_noise.jpg").raster))
  }

  @Test("a JPEG that breaks off at a broken segment between its passes can be kept")
  func brokenBetweenPasses() throws {
    var bytes = try Fixture.bytes("jpeg_progressive.jpg")
    let scans = bytes.indices.dropLast().filter { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xDA }
    // The length of the fourth scan's header.
    bytes[scans[3] + 3] = 1
    guard case .refused(.damaged) = Self.outcome(bytes) else {
      Issue.record("not refused")
      return
    }
    let image = try ImageSource(bytes: bytes, options: Self.keep).decode()
    #expect(meanDifference(image.raster, try Fixture.page()) < 25)
    #expect(image.warnings.count == 1)
  }

  @Test(
    "a JPEG that ends in zeros instead of its data is cut short",
    arguments: ["jpeg_noise.jpg", "jpeg_444.jpg"])
  func zerosForData(name: String) throws {
    let bytes = try Fixture.bytes(name)
    let half = bytes.count * 2 / 3
    let cut = Array(bytes[..<half])
    guard case .refused(let error) = Self.outcome(cut) else {
      Issue.record("not refused")
      return
    }
    #expect(throws: error) {
      try ImageSource(bytes: cut + [UInt8](repeating: 0, count: bytes.count - half)).decode()
    }
    // Behind a whole picture they mean nothing.
    let padded = try ImageSource(bytes: bytes + [UInt8](repeating: 0, count: 500)).decode()
    #expect(padded.raster == (try Fixture.decode(name)).raster)
    #expect(padded.warnings == [])
  }

  @Test("bytes that belong to nothing in a JPEG give a warning")
  func strayBytes() throws {
    let bytes = try Fixture.bytes("jpeg_444.jpg")
    let page = try Fixture.decode("jpeg_444.jpg").raster
    let beforeEnd = Array(bytes.dropLast(2)) + [0, 0, 0, 0xFF, 0xD9]
    let inHeader = Array(bytes[..<20]) + [1, 2, 3] + Array(bytes[20...])
    for odd in [beforeEnd, inHeader] {
      let image = try ImageSource(bytes: odd).decode()
      #expect(image.raster == page)
      #expect(image.warnings.count == 1)
    }
  }

  @Test("a cut PNG is refused with the row")
  func rowOfPNG() throws {
    let bytes = try Fixture.bytes("png_noise.png")
    for length in stride(from: 60, to: bytes.count - 400, by: 300) {
      guard case .refused(.truncated(.png, let row, 64, nil)) = Self.outcome(Array(bytes[..<length])) else {
        Issue.record("cut at \(length) of \(bytes.count)")
        continue
      }
      // Data are read, and unpacked, in chunks of 2000 bytes.
      #expect(abs(row - 64 * length / bytes.count) <= 9)
    }
  }

  @Test("a cut interlaced PNG is refused with its pass, and kept as a coarse picture")
  func cutInterlaced() throws {
    let bytes = Array(try Fixture.bytes("png_noise_interlaced.png")[..<12000])
    guard case .refused(.truncated(.png, let row, 64, let pass?)) = Self.outcome(bytes) else {
      Issue.record("not refused")
      return
    }
    #expect((5...7).contains(pass))
    #expect((0..<64).contains(row))
    let image = try ImageSource(bytes: bytes, options: Self.keep).decode()
    let whole = try Fixture.decode("png_noise_interlaced.png").raster
    #expect(image.warnings.count == 1)
    #expect(image.raster[x: 40, y: 40] == whole[x: 40, y: 40])
    #expect(!Self.row(63, of: image.raster).allSatisfy { $0 == 255 })
  }

  @Test("of a cut PNG the rows that are there can be kept; the others are white")
  func keptPNGRows() throws {
    let bytes = Array(try Fixture.bytes("png_noise.png")[..<9000])
    let whole = try Fixture.decode("png_noise.png").raster
    let image = try ImageSource(bytes: bytes, options: Self.keep).decode()
    let white = try #require(
      (0..<64).first { row in Self.row(row, of: image.raster).allSatisfy { $0 == 255 } })
    #expect((20...40).contains(white))
    #expect((0..<white).allSatisfy { Self.row($0, of: image.raster) == Self.row($0, of: whole) })
    #expect(image.warnings.map(\.text) == ["the PNG data ends at row \(white) of 64"])
  }

  @Test("a PNG cut anywhere is refused, unless the picture is whole")
  func cutPNGAnywhere() throws {
    let bytes = try Fixture.bytes("png_rgba8.png")
    let whole = try Fixture.decode("png_rgba8.png").raster
    for length in 1..<bytes.count {
      guard case .picture(let image) = Self.outcome(Array(bytes[..<length])) else { continue }
      // IEND, and the checksums of the data.
      #expect(length >= bytes.count - 20)
      #expect(image.raster == whole)
      #expect(image.warnings.map(\.text) == ["the PNG file is damaged behind its picture, which is whole"])
    }
  }

  @Test("a wrong checksum of PNG data is an error, and kept with a warning")
  func wrongChecksum() throws {
    var bytes = try Fixture.bytes("png_noise.png")
    bytes[9000] ^= 1
    guard case .refused(.damagedAt(.png, _, 64, let detail)) = Self.outcome(bytes) else {
      Issue.record("not refused")
      return
    }
    #expect(detail.contains("CRC"))
    var harmless = try Fixture.bytes("png_phys.png")
    let place = try #require(harmless.indices.first { harmless[$0...].starts(with: "pHYs".utf8) })
    harmless[place + 13] ^= 1
    let image = try ImageSource(bytes: harmless).decode()
    #expect(image.warnings.count == 1)
    #expect(image.resolution == nil)
  }

  @Test("files that end in their header say so", arguments: ["jpeg_444.jpg", "page.png"])
  func cutHeader(name: String) throws {
    let bytes = try Fixture.bytes(name)
    let format = try #require(ImageFormat.sniff(bytes))
    guard case .refused(.truncatedHeader(format)) = Self.outcome(Array(bytes[..<12])) else {
      Issue.record("not refused")
      return
    }
  }

  static func row(_ row: Int, of raster: Raster) -> ArraySlice<UInt8> {
    // Slices compare by their elements.
    raster.samples[row * raster.rowStride..<(row + 1) * raster.rowStride]
  }
}
