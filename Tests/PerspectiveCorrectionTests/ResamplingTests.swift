import PerspectiveCorrection
import Raster
import Testing

@Suite struct ResamplingTests {
  /// Outlines in a photo of 400 × 300 pixels, which between them meet every way in which pixels are made.
  enum Outline: String, CaseIterable {
    /// A page nearly from the front.
    case mild
    /// One side is nearer, so that part of the page is reduced.
    case tilt
    /// The page lies on its side.
    case turned
    /// Corners lie outside of the photo.
    case outside

    var quad: Quad {
      let corners =
        switch self {
        case .mild: [(30, 25), (370, 40), (360, 280), (35, 270)]
        case .tilt: [(90, 25), (311, 27), (390, 280), (10, 283)]
        case .turned: [(370, 40), (360, 280), (35, 270), (30, 25)]
        case .outside: [(-20, -10), (370, 40), (420, 310), (35, 270)]
        }
      let points = corners.map { Point(x: Double($0.0), y: Double($0.1)) }
      return Quad(topLeft: points[0], topRight: points[1], bottomRight: points[2], bottomLeft: points[3])
    }
  }

  /// The upper bytes of a linear congruential generator (Knuth's MMIX).
  private func noise(_ size: PixelSize, _ format: PixelFormat) -> Raster {
    var state: UInt64 = 1
    let samples = (0..<size.width * size.height * format.channels).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: state >> 56)
    }
    return Raster(size: size, format: format, samples: samples)
  }

  /// FNV-1a, 64 bits.
  private func checksum(_ raster: Raster) -> UInt64 {
    raster.samples.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }

  // Made once by the first implementation, in plain loops without any shortcut.
  static let expected: [(PixelFormat, Outline, UInt64)] = [
    (.rgb, .mild, 0x27e8_9841_5f13_fc7c), (.rgb, .tilt, 0x11c9_a146_59ae_8045),
    (.rgb, .turned, 0x71e9_0277_cd39_cb1f), (.rgb, .outside, 0x1fa3_fd6a_c89f_c30d),
    (.gray, .mild, 0x5686_a298_7259_94c0), (.gray, .tilt, 0x279b_b5ec_c5ec_c102),
    (.gray, .turned, 0x1ded_6a26_11bb_1a0e), (.gray, .outside, 0xd0f4_2be9_0845_e9bf),
  ]

  @Test("pixels stay what they were, to the last bit", arguments: expected)
  func golden(format: PixelFormat, outline: Outline, sum: UInt64) throws {
    let photo = noise(PixelSize(width: 400, height: 300), format)
    let page = try flattenPage(
      in: photo, quad: outline.quad, focalLength35mm: 26, options: CorrectionOptions(paper: .none))
    #expect(checksum(page.raster) == sum)
  }

  @Test(
    "every kernel gives the same pixels, at any size", arguments: [PixelFormat.rgb, .gray],
    Outline.allCases)
  func kernels(format: PixelFormat, outline: Outline) throws {
    let photo = noise(PixelSize(width: 400, height: 300), format)
    for (width, height) in [(1, 1), (15, 9), (16, 40), (131, 77), (400, 300), (517, 391)] {
      let size = PixelSize(width: width, height: height)
      let map = try #require(Homography(from: Quad(wholeOf: size), to: outline.quad))
      let plain = resample(photo, size: size, map: map, kernel: .portable)
      #expect(resample(photo, size: size, map: map, kernel: .fastest) == plain, "\(size)")
    }
  }

  @Test("photos smaller than what a kernel reads at once are read", arguments: 1..<12)
  func smallPhotos(side: Int) throws {
    let photo = noise(PixelSize(width: side, height: side), .rgb)
    let size = PixelSize(width: 64, height: 64)
    let map = try #require(Homography(from: Quad(wholeOf: size), to: Quad(wholeOf: photo.size)))
    #expect(
      resample(photo, size: size, map: map, kernel: .fastest)
        == resample(photo, size: size, map: map, kernel: .portable))
  }
}
