import Foundation
import ImageCodecs
import Raster
import TestSupport
import Testing

/// Files with bytes flipped, cut out, or repeated: always a picture or an error.
@Suite struct MutationTests {
  /// Large enough for every fixture, and small enough that a mutated size can't cost much.
  private let limit = 1_000_000

  private func mutate(_ file: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
    var mutated = file
    switch Int.random(in: 0..<10, using: &generator) {
    case 0: mutated.removeLast(Int.random(in: 0..<file.count, using: &generator))
    case 1:
      let place = Int.random(in: 0..<file.count, using: &generator)
      mutated.removeSubrange(place..<min(file.count, place + Int.random(in: 1...8, using: &generator)))
    case 2:
      let place = Int.random(in: 0..<file.count, using: &generator)
      mutated.insert(contentsOf: file[place..<min(file.count, place + 16)], at: place)
    default:
      // Headers decide the most, so half of the flips go there.
      let end = Bool.random(using: &generator) ? min(file.count, 512) : file.count
      for _ in 0..<Int.random(in: 1...6, using: &generator) {
        let place = Int.random(in: 0..<end, using: &generator)
        let odd: [UInt8] = [0, 1, 2, 0x7F, 0x80, 0xFF, UInt8.random(in: 0...255, using: &generator)]
        mutated[place] = odd[Int.random(in: 0..<odd.count, using: &generator)]
      }
    }
    return mutated
  }

  /// TIFF's directory lies at the end of most fixtures.
  private func mutateEnd(_ file: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
    var mutated = file
    for _ in 0..<Int.random(in: 1...4, using: &generator) {
      let place = file.count - 1 - Int.random(in: 0..<min(300, file.count - 8), using: &generator)
      mutated[place] = UInt8.random(in: 0...255, using: &generator)
    }
    return mutated
  }

  @Test("mutated TIFF files never do harm", arguments: tiffFixtures)
  func tiff(name: String) throws {
    try run(name, rounds: 60)
  }

  @Test("mutated HEIF files never do harm", arguments: heifFixtures)
  func heif(name: String) throws {
    try run(name, rounds: 40)
  }

  /// Decodes mutations of a file; `FLATBED_MUTATIONS` multiplies their number, for longer runs by hand.
  private func run(_ name: String, rounds: Int) throws {
    let file = try Fixture.bytes(name)
    let factor = ProcessInfo.processInfo.environment["FLATBED_MUTATIONS"].flatMap(Int.init) ?? 1
    var pictures = 0
    var errors = 0
    for round in 0..<rounds * factor {
      var generator = SeededGenerator(seed: UInt64(round))
      let mutated = round % 2 == 0 ? mutate(file, &generator) : mutateEnd(file, &generator)
      let options = DecodeOptions(maximumPixels: limit, damage: round % 3 == 0 ? .keep : .refuse)
      do {
        let source = try ImageSource(bytes: mutated, options: options)
        for frame in 0..<min(source.frameCount, 3) {
          let raster = try source.decode(frame: frame).raster
          #expect(raster.width * raster.height <= limit)
          pictures += 1
        }
      } catch {
        #expect(!error.description.isEmpty)
        errors += 1
      }
    }
    // A test that only ever sees one of the two mutates too little or too much.
    #expect(errors > 0)
    #expect(pictures > 0)
  }
}

private let tiffFixtures = [
  "tiff_lzw.tif", "tiff_deflate_predictor2_16bit_big_endian.tif", "tiff_deflate_predictor3_float.tif",
  "tiff_packbits.tif", "tiff_zstd.tif", "tiff_lzma.tif", "tiff_webp.tif", "tiff_planar_lzw.tif",
  "tiff_tiled_deflate.tif", "tiff_jpeg_rgb.tif", "tiff_jpeg_ycbcr.tif", "tiff_jpeg_tiled.tif",
  "tiff_jpeg_odd_tile.tif", "tiff_jpeg_cmyk.tif", "tiff_jpeg_grey.tif", "tiff_g3_1d.tif",
  "tiff_g3_2d_lsb.tif",
  "tiff_g4.tif", "tiff_g4_lsb.tif", "tiff_old_jpeg_file.tif", "tiff_old_jpeg_tables.tif",
  "tiff_ycbcr_subsampled.tif", "tiff_cmyk_icc.tif",
]

private let heifFixtures = [
  "heif_turned.heic", "heif_exif_only.heic", "heif_p3_icc.heic", "heif_p3_nclx.heic", "heif_three.heic",
  "heif_10bit.heic", "heif_12bit.heic", "heif_alpha.heic", "heif_odd_size.heic", "heif_grey.heic",
  "heif_grid_turned.heic", "heif_grid_48.heic",
]
