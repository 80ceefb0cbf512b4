import ImageCodecs
import Raster
import TestSupport

/// Small pictures for tests that are about files and scans, each with pixels of its own.
enum Pictures {
  static let size = PixelSize(width: 64, height: 48)

  /// A picture that can be told from all others by its pixels, and whose corners differ, so that every turn shows.
  static func raster(_ number: Int) -> Raster {
    var generator = SeededGenerator(seed: UInt64(number))
    var samples = [UInt8](repeating: 0, count: size.width * size.height * 3)
    for index in samples.indices { samples[index] = UInt8.random(in: 0...255, using: &generator) }
    return Raster(size: size, format: .rgb, samples: samples)
  }

  static func png(_ number: Int) throws -> [UInt8] {
    try encodePNG(raster(number), resolution: nil)
  }

  /// A drawn photo of a page on a dark table, in which the detector finds it.
  static func photo(_ number: Int = 1) throws -> [UInt8] {
    try encodePNG(scene(number).photo(), resolution: nil)
  }

  /// The page in `photo`.
  static let page = Quad(corners: [
    Point(x: 92, y: 38), Point(x: 352, y: 52), Point(x: 338, y: 420), Point(x: 78, y: 404),
  ])

  private static func scene(_ number: Int) -> SyntheticScene {
    var scene = SyntheticScene(
      size: PixelSize(width: 440, height: 480), page: page, features: [.text, .noise(2)])
    scene.seed = UInt64(number)
    return scene
  }

  /// A photo without anything on it.
  static func emptyTable() throws -> [UInt8] {
    let scene = SyntheticScene(
      size: PixelSize(width: 320, height: 240), page: nil, features: [.noise(2)])
    return try encodePNG(scene.photo(), resolution: nil)
  }

  /// An uncompressed TIFF with these pictures as its pages.
  static func tiff(_ rasters: [Raster]) -> [UInt8] {
    var file: [UInt8] = [0x49, 0x49, 42, 0, 0, 0, 0, 0]
    var link = 4
    func append(_ value: Int, bytes: Int) {
      for shift in 0..<bytes { file.append(UInt8(truncatingIfNeeded: value >> (8 * shift))) }
    }
    for raster in rasters {
      let pixels = file.count
      file += raster.samples
      if file.count % 2 == 1 { file.append(0) }
      let bits = file.count
      for _ in 0..<3 { append(8, bytes: 2) }
      for shift in 0..<4 { file[link + shift] = UInt8(truncatingIfNeeded: file.count >> (8 * shift)) }
      // Tag, type (3 is 16 bits, 4 is 32 bits), count, value.
      let entries = [
        (256, 3, 1, raster.width), (257, 3, 1, raster.height), (258, 3, 3, bits), (259, 3, 1, 1),
        (262, 3, 1, 2),
        (273, 4, 1, pixels), (277, 3, 1, 3), (278, 3, 1, raster.height), (279, 4, 1, raster.samples.count),
      ]
      append(entries.count, bytes: 2)
      for (tag, type, count, value) in entries {
        append(tag, bytes: 2)
        append(type, bytes: 2)
        append(count, bytes: 4)
        append(value, bytes: 4)
      }
      link = file.count
      append(0, bytes: 4)
    }
    return file
  }
}

/// The pixels of a picture's file.
func decoded(_ bytes: [UInt8]) throws -> Raster { try ImageSource(bytes: bytes).decode().raster }
