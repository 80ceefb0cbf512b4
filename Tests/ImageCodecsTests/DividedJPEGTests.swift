import Foundation
import ImageCodecs
import Raster
import TestSupport
import Testing

/// A photo that is decoded alone is decoded by two processors, and must come out, or be refused, as by one.
@Suite("A JPEG decoded in two parts")
struct DividedJPEGTests {
  private func sample(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: Samples.path(name))))
  }

  /// What comes of the bytes, as far as anybody can tell.
  private func outcome(_ bytes: [UInt8], _ damage: DamageTolerance, isAlone: Bool) -> Result<
    Outcome, CodecError
  > {
    Result { () throws(CodecError) in
      let image = try ImageSource(bytes: bytes, options: DecodeOptions(damage: damage, isAlone: isAlone))
        .decode()
      return Outcome(raster: image.raster, intact: image.intact, warnings: image.warnings)
    }
  }

  private struct Outcome: Equatable {
    let raster: Raster
    let intact: PixelRect
    let warnings: [DecodeWarning]
  }

  @Test(
    "is the same picture",
    arguments: ["invoice-on-cloth.jpg", "certificate-display-p3.jpg", "whiteboard-glare.jpg"])
  func samples(name: String) throws {
    let bytes = try sample(name)
    let expected = try ImageSource(bytes: bytes, options: DecodeOptions()).decode()
    let divided = try ImageSource(bytes: bytes, options: DecodeOptions(isAlone: true)).decode()
    #expect(divided.raster == expected.raster)
    #expect(divided.warnings == [])
  }

  @Test("has the same faults, wherever it is damaged", arguments: DamageTolerance.allCases)
  func damage(_ damage: DamageTolerance) throws {
    let bytes = try sample("invoice-on-cloth.jpg")
    var random = SeededGenerator(seed: 5)
    var variants = [
      Array(bytes.prefix(bytes.count / 3)), Array(bytes.prefix(bytes.count * 9 / 10)),
      Array(bytes.dropLast(2)),
    ]
    for _ in 0..<12 {
      var changed = bytes
      for _ in 0..<3 {
        let place = Int.random(in: 700..<bytes.count, using: &random)
        changed[place] =
          [0, 0xFF, UInt8.random(in: 0...255, using: &random)].randomElement(using: &random) ?? 0
      }
      variants.append(changed)
    }
    for (index, variant) in variants.enumerated() {
      let isSame = outcome(variant, damage, isAlone: true) == outcome(variant, damage, isAlone: false)
      #expect(isSame, "variant \(index)")
    }
  }
}
