import Raster
import Testing

import Enhancement

@Suite struct EnhanceTests {
  /// A small page: paper with a few dark strokes, lit from the left.
  private let page: Raster = {
    let size = PixelSize(width: 160, height: 120)
    var samples: [UInt8] = []
    for y in 0..<size.height {
      for x in 0..<size.width {
        let light = 230 - x * 100 / size.width
        let ink = y % 20 < 3 && x % 40 < 30
        let value = ink ? light / 4 : light
        samples += [UInt8(value), UInt8(value * 24 / 25), UInt8(value * 4 / 5)]
      }
    }
    return Raster(size: size, format: .rgb, samples: samples)
  }()

  @Test("original is the page itself, to the last sample", arguments: [0, 1, 10.0])
  func original(amount: Double) {
    #expect(enhance(page, mode: .original, amount: amount) == page)
  }

  @Test("amount 0 changes nothing; in black and white it is plain grey")
  func nothing() {
    #expect(enhance(page, mode: .enhanced, amount: 0) == page)
    #expect(enhance(page, mode: .bw, amount: 0) == page.grayscale())
  }

  @Test("black and white is one grey sample a pixel, for colour and grey pages")
  func formats() {
    #expect(enhance(page, mode: .bw).format == .gray)
    #expect(enhance(page.grayscale(), mode: .bw).format == .gray)
    #expect(enhance(page, mode: .enhanced).format == .rgb)
    #expect(enhance(page.grayscale(), mode: .enhanced).format == .gray)
    #expect(enhance(page, mode: .bw).size == page.size)
  }

  @Test(
    "paper lit two to one is white all over, and ink stays dark", arguments: [EnhancementMode.enhanced, .bw])
  func evenLight(mode: EnhancementMode) {
    let result = enhance(page, mode: mode)
    for x in stride(from: 6, to: 160, by: 8) {
      #expect(result[x: x, y: 70].allSatisfy { $0 == 255 })
    }
    for x in [5, 50, 90, 130] { #expect(result[x: x, y: 61].allSatisfy { $0 < 100 }) }
  }

  @Test("pages of every small size pass", arguments: [1, 2, 3, 5, 17])
  func smallPages(side: Int) {
    for mode in EnhancementMode.allCases {
      for format in [PixelFormat.gray, .rgb] {
        let tiny = Raster(size: PixelSize(width: side, height: 1 + side / 2), format: format, filledWith: 60)
        #expect(enhance(tiny, mode: mode).size == tiny.size)
      }
    }
  }

  @Test("black, white and odd amounts are no trouble", arguments: [-1, 0.3, 11, Double.nan, .infinity])
  func extremes(amount: Double) {
    for sample in [0, 1, 255] as [UInt8] {
      let flat = Raster(size: PixelSize(width: 50, height: 40), format: .rgb, filledWith: sample)
      for mode in EnhancementMode.allCases {
        #expect(enhance(flat, mode: mode, amount: amount).size == flat.size)
      }
    }
  }
}
