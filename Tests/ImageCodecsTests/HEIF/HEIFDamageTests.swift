import ImageCodecs
import Raster
import TestSupport
import Testing

/// Truncated, damaged and absurd HEIF files.
@Suite struct HEIFDamageTests {
  private let keep = DecodeOptions(damage: .keep)
  /// 48 tiles of 64 × 64 in rows of 8, for a picture of 500 × 370.
  private let whole = Chart.wide(width: 500, height: 370)

  /// The place behind a box's name.
  private func place(of box: String, in file: [UInt8]) throws -> Int {
    let name = Array(box.utf8)
    return try #require(file.indices.dropLast(4).first { file[$0..<$0 + 4].elementsEqual(name) }) + 4
  }

  private static func truncationRow(_ error: CodecError?) -> Int? {
    guard let error, case .truncated(.heif, let row, _, _) = error else { return nil }
    return row
  }

  /// Whether two pixels are as near as a lossy picture's are.
  private func isNear(_ one: ArraySlice<UInt8>, _ other: ArraySlice<UInt8>) -> Bool {
    zip(one, other).allSatisfy { abs(Int($0) - Int($1)) <= 6 }
  }

  @Test("a grid that is cut says at which row of tiles, and keeps the tiles that are there")
  func cutGrid() throws {
    let file = Array(try Fixture.bytes("heif_grid_48.heic").prefix(20_000))
    let error = #expect(throws: CodecError.self) { try ImageSource(bytes: file).decode() }
    let row = try #require(Self.truncationRow(error))
    #expect(row % 64 == 0 && row > 64 && row < 370)
    let image = try ImageSource(bytes: file, options: keep).decode()
    #expect(image.warnings.count == 1)
    #expect(image.raster.size == whole.size)
    var worst = 0
    for index in 0..<row * whole.rowStride {
      worst = max(worst, abs(Int(image.raster.samples[index]) - Int(whole.samples[index])))
    }
    #expect(worst <= 6)
    #expect(image.raster.samples.suffix(whole.rowStride).allSatisfy { $0 == 255 })
  }

  @Test("tiles that are kept lie as the container says")
  func cutTurnedGrid() throws {
    let file = Array(try Fixture.bytes("heif_grid_turned.heic").dropLast(900))
    let image = try ImageSource(bytes: file, options: keep).decode()
    let expected = Chart.wide(width: 180, height: 120).turned(.counterclockwise)
    #expect(image.raster.size == expected.size)
    // The first tile is the corner at the bottom left.
    for y in 140..<180 {
      for x in 0..<60 {
        #expect(isNear(image.raster[x: x, y: y], expected[x: x, y: y]))
      }
    }
  }

  @Test("a picture in one piece that is cut isn't kept as a white page")
  func cutSingle() throws {
    let file = Array(try Fixture.bytes("heif_p3_nclx.heic").dropLast(10))
    for options in [DecodeOptions(), keep] {
      #expect(throws: CodecError.truncated(.heif, row: 0, height: 64)) {
        try ImageSource(bytes: file, options: options).decode()
      }
    }
  }

  @Test("a file that ends within its header is refused", arguments: [16, 40, 200, 600])
  func cutHeader(length: Int) throws {
    let file = Array(try Fixture.bytes("heif_grid_48.heic").prefix(length))
    for options in [DecodeOptions(), keep] {
      #expect(throws: CodecError.truncatedHeader(.heif)) { try ImageSource(bytes: file, options: options) }
    }
  }

  @Test("a film without a still picture is named as one")
  func sequence() throws {
    let file = try Fixture.bytes("heif_sequence.heic")
    #expect(throws: CodecError.noPicture(.heif, detail: "it is a film or an animation")) {
      try ImageSource(bytes: file)
    }
  }

  @Test("a header that claims a huge picture is refused")
  func hugeClaim() throws {
    var file = try Fixture.bytes("heif_p3_nclx.heic")
    let extent = try place(of: "ispe", in: file) + 4
    file.replaceSubrange(extent..<extent + 8, with: [0, 0, 0xFF, 0xFF, 0, 0, 0xFF, 0xFF])
    let size = PixelSize(width: 65_535, height: 65_535)
    #expect(throws: CodecError.tooLarge(size, maximumPixels: DecodeOptions.defaultMaximumPixels)) {
      try ImageSource(bytes: file)
    }
  }

  @Test("a picture that is coded far larger than its header says is refused")
  func codedLarger() throws {
    // 64 × 64 in the coded data, and 1 × 1 in the header, would be within the rounding; 2048 is not.
    var file = try Fixture.bytes("heif_p3_nclx.heic")
    let configuration = try place(of: "hvcC", in: file)
    // A parameter set of nothing but the start: Main profile, then 8192 × 8192 in Exp-Golomb numbers.
    let set = try #require(
      file.indices.dropFirst(configuration).first { file[$0] == 0x42 && file[$0 + 1] == 0x01 })
    // u(4) u(3) u(1), 96 bits of profile, then ue(0) "1", ue(1) "010", ue(8192) twice.
    let profile = String(repeating: "01000000", count: 12)
    let side = "0000000000000" + "10000000000001"
    let bits = "00000001" + profile + "1" + "010" + side + side + "100000"
    for (index, start) in stride(from: 0, to: bits.count - 7, by: 8).enumerated() {
      let from = bits.index(bits.startIndex, offsetBy: start)
      file[set + 2 + index] = UInt8(bits[from..<bits.index(from, offsetBy: 8)], radix: 2) ?? 0
    }
    let error = #expect(throws: CodecError.self) { try ImageSource(bytes: file) }
    guard case .tooComplex(.heif, let detail) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(detail == "a picture of 64 × 64 pixels is coded as 8192 × 8192")
  }

  @Test("a grid that repeats one tile over and over is refused")
  func endlessGrid() throws {
    // 1 × 1 pixel of 48 tiles: what the tiles decode to is far more than what is shown.
    var file = try Fixture.bytes("heif_grid_48.heic")
    let name = Array("ispe".utf8)
    let extents = file.indices.dropLast(4).filter { file[$0..<$0 + 4].elementsEqual(name) }
    for extent in extents {
      let size = file[extent + 8..<extent + 16]
      guard size.elementsEqual([0, 0, 1, 0xF4, 0, 0, 1, 0x72]) else { continue }
      file.replaceSubrange(extent + 8..<extent + 16, with: [0, 0, 0, 64, 0, 0, 0, 64])
    }
    let header = try #require(
      file.indices.dropLast(8).first { file[$0..<$0 + 8].elementsEqual([0, 0, 5, 7, 1, 0xF4, 1, 0x72]) })
    file.replaceSubrange(header + 4..<header + 8, with: [0, 64, 0, 64])
    let error = #expect(throws: CodecError.self) { try ImageSource(bytes: file) }
    guard case .tooComplex(.heif, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test("a grid made of itself is refused")
  func selfReference() throws {
    var file = try Fixture.bytes("heif_grid_turned.heic")
    // The reference from item 7 to its six tiles.
    let links = try place(of: "dimg", in: file)
    #expect(Array(file[links..<links + 6]) == [0, 7, 0, 6, 0, 1])
    file[links + 5] = 7
    #expect(throws: CodecError.self) { try ImageSource(bytes: file) }
  }

  @Test("a primary picture that isn't there is refused")
  func noPrimary() throws {
    var file = try Fixture.bytes("heif_three.heic")
    file[try place(of: "pitm", in: file) + 5] = 99
    #expect(throws: CodecError.damaged(.heif, detail: "its primary picture is missing")) {
      try ImageSource(bytes: file)
    }
  }

  @Test("a tile that can't be decoded is refused with its row, or left white")
  func badTile() throws {
    var file = try Fixture.bytes("heif_grid_48.heic")
    // The place of tile 20 is put into the header's boxes, where there is no picture.
    let places = try place(of: "iloc", in: file) + 4 + 4
    let entry = places + 19 * 16
    #expect(Array(file[entry..<entry + 2]) == [0, 20])
    file.replaceSubrange(entry + 8..<entry + 16, with: [0, 0, 0, 0, 0, 0, 0, 8])
    let error = #expect(throws: CodecError.self) { try ImageSource(bytes: file).decode() }
    guard case .damagedAt(.heif, row: 128, height: 370, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    let image = try ImageSource(bytes: file, options: keep).decode()
    #expect(image.warnings.count == 1)
    #expect(Array(image.raster[x: 3 * 64 + 5, y: 2 * 64 + 5]) == [255, 255, 255])
    #expect(isNear(image.raster[x: 400, y: 300], whole[x: 400, y: 300]))
  }
}
