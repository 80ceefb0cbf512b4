import Foundation
import ImageCodecs
import TestSupport
import Testing

/// Mutates the fixtures, reproducibly: whatever the bytes, there is a picture or an error.
@Suite struct FuzzTests {
  /// Mutations of each fixture; `FLATBED_FUZZ_ROUNDS` asks for more.
  static let rounds = ProcessInfo.processInfo.environment["FLATBED_FUZZ_ROUNDS"].flatMap(Int.init) ?? 40

  /// Fixtures that take long to decode by themselves.
  static let slow: Set<String> = ["jpeg_many_scans.jpg", "jpeg_many_passes.jpg", "png_text_bomb.png"]

  static let names: [String] = {
    guard let folder = Bundle.module.url(forResource: "Fixtures", withExtension: nil) else { return [] }
    let all = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    let pictures: Set<String> = ["jpg", "png", "tif", "tiff", "heic", "heif"]
    return all.filter { pictures.contains(($0 as NSString).pathExtension) && !slow.contains($0) }.sorted()
  }()

  static func mutate(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
    var bytes = bytes
    // Most of what can go wrong is in the first bytes.
    let reach = Bool.random(using: &random) ? min(bytes.count, 256) : bytes.count
    for _ in 0..<Int.random(in: 1...8, using: &random) {
      let place = Int.random(in: 0..<reach, using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 1: bytes[place] = UInt8.random(in: 0...255, using: &random)
      case 2: bytes[place] = 0xFF
      case 3: bytes[place] = 0
      default:
        let from = Int.random(in: 0..<bytes.count, using: &random)
        let length = min(Int.random(in: 1...16, using: &random), bytes.count - max(place, from))
        bytes.replaceSubrange(place..<place + length, with: Array(bytes[from..<from + length]))
      }
    }
    if Int.random(in: 0..<4, using: &random) == 0 {
      bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random))
    }
    return bytes
  }

  @Test("mutated files give a picture or an error", arguments: names)
  func mutations(name: String) throws {
    let bytes = try Fixture.bytes(name)
    // The name's own seed, the same on every run.
    var random = SeededGenerator(seed: name.utf8.reduce(5381) { $0 &* 33 &+ UInt64($1) })
    for _ in 0..<Self.rounds {
      let mutated = Self.mutate(bytes, &random)
      for damage in DamageTolerance.allCases {
        do throws(CodecError) {
          let options = DecodeOptions(maximumPixels: 1_000_000, damage: damage)
          let source = try ImageSource(bytes: mutated, options: options)
          for frame in 0..<min(source.frameCount, 4) {
            let reduction = DecodeReduction.allCases.randomElement(using: &random) ?? .full
            let image = try source.decode(frame: frame, reduction: reduction)
            #expect(image.fullSize == source.frameSizes[frame])
          }
        } catch {
          #expect(!error.description.isEmpty)
        }
      }
    }
  }

  @Test("there are fixtures to mutate")
  func hasFixtures() { #expect(Self.names.count > 80) }
}
