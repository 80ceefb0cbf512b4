import Raster
import TestSupport
import Testing

import Enhancement

@Suite struct ProcessorTests {
  /// Text, pens, a picture and blank paper, under a light that falls off and a shadow whose border is neither sharp nor soft.
  private static let photo: Raster = {
    var page = DrawnPage(width: 610, height: 811)
    page.fillWithText(40..<400, [40, 40, 45])
    page.fillWithText(420..<500, x: 60..<300, [200, 30, 30])
    page.fillWithText(420..<500, x: 320..<540, [40, 70, 210])
    page.fill(60..<260, 560..<720, [90, 140, 70])
    page.fill(320..<520, 600..<602, [235, 235, 235])
    return page.photographed { x, y in
      DrawnPage.twoToOne(x, y) * (1 - 0.45 * min(1, max(0, (y - 0.45) * 811 / 7)))
    }
  }()

  @Test(
    "every processor's instructions give the same pixels", arguments: [EnhancementMode.enhanced, .bw],
    [PixelFormat.gray, .rgb])
  func samePixels(mode: EnhancementMode, format: PixelFormat) {
    let page = format == .gray ? Self.photo.grayscale() : Self.photo
    for amount in [1, 3.5] {
      let plain = enhance(page, mode: mode, amount: amount, on: .any)
      #expect(enhance(page, mode: mode, amount: amount, on: .current) == plain)
    }
    #expect(enhance(page, mode: mode, on: .any) != page)
  }

  @Test("and so they do for rows that are no whole blocks, and for pages of a few pixels", arguments: 1...40)
  func anyWidth(width: Int) {
    var generator = SeededGenerator(seed: UInt64(width))
    for format in [PixelFormat.gray, .rgb] {
      for height in [1, 2, 7, 16, 33] {
        let size = PixelSize(width: width * 3 - 2, height: height)
        let samples = (0..<size.width * height * format.channels).map { _ in
          // Mostly paper, else there would be nothing to do.
          UInt8.random(in: 0..<8, using: &generator) > 0
            ? UInt8.random(in: 180...210, using: &generator) : UInt8.random(in: 0...255, using: &generator)
        }
        let page = Raster(size: size, format: format, samples: samples)
        for mode in [EnhancementMode.enhanced, .bw] {
          #expect(enhance(page, mode: mode, on: .any) == enhance(page, mode: mode, on: .current))
        }
      }
    }
  }

  @Test("large pages are looked at more thinly, and come out the same, too", arguments: [1200, 2005, 3300])
  func largePages(width: Int) {
    let size = PixelSize(width: width, height: 300)
    let photo = Self.photo
    let page = unsafe Raster(size: size, format: .rgb) { output in
      for y in 0..<size.height {
        for x in 0..<size.width {
          for channel in 0..<3 {
            let place = (y % photo.height) * photo.rowStride + 3 * (x % photo.width) + channel
            unsafe output[y * 3 * size.width + 3 * x + channel] = photo.samples[place]
          }
        }
      }
    }
    #expect(enhance(page, mode: .enhanced, on: .any) == enhance(page, mode: .enhanced, on: .current))
  }
}
