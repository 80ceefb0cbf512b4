import Raster
import TestSupport
import Testing

/// A white page with a mark of its own in each corner, so that where it came to lie on a sheet can be measured.
struct MarkedPage {
  let raster: Raster
  /// Width by height as it is to look on paper.
  let aspect: Double

  /// Colours of the marks, clockwise from the top-left; their greys differ too.
  static let colors: [[UInt8]] = [[220, 30, 30], [30, 160, 30], [40, 40, 220], [190, 170, 0]]

  /// - Parameter pixelAspect: a pixel's width by its height.
  init(width: Int, height: Int, pixelAspect: Double = 1) throws {
    // Marks are a tenth of the shorter side, as long as they are wide on paper.
    let markHeight = min(Double(width) * pixelAspect, Double(height)) / 10
    let (markRows, markColumns) = (Int(markHeight), Int(markHeight / pixelAspect))
    var samples = [UInt8](repeating: 255, count: width * height * 3)
    for y in 0..<height {
      for x in 0..<width {
        guard y < markRows || y >= height - markRows, x < markColumns || x >= width - markColumns else {
          continue
        }
        let corner = y < markRows ? (x < markColumns ? 0 : 1) : (x < markColumns ? 3 : 2)
        for channel in 0..<3 { samples[(y * width + x) * 3 + channel] = Self.colors[corner][channel] }
      }
    }
    raster = Raster(size: PixelSize(width: width, height: height), format: .rgb, samples: samples)
    aspect = Double(width) * pixelAspect / Double(height)
  }

  /// Checks that a sheet shows this page whole, as large as it can be, and turned as it should be.
  ///
  /// - Parameters:
  ///   - millimetres: the sheet's size.
  ///   - turned: whether the page's top is to lie at the sheet's left.
  ///   - color: whether the marks are to have their colours, or their greys.
  func check(
    _ page: ReceivedPage, on millimetres: (width: Double, height: Double), turned: Bool, color: Bool,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let sheet = page.millimetres
    #expect(abs(sheet.width - millimetres.width) < 1, sourceLocation: sourceLocation)
    #expect(abs(sheet.height - millimetres.height) < 1, sourceLocation: sourceLocation)
    let raster = page.raster
    let box = try #require(Self.inkBox(raster), sourceLocation: sourceLocation)
    let (width, height) = (Double(box.right - box.left), Double(box.bottom - box.top))
    // A page that was cut has other proportions.
    let expected = turned ? 1 / aspect : aspect
    #expect(abs(width / height / expected - 1) < 0.01, sourceLocation: sourceLocation)
    // Printers' margins take up to 18 mm of a side.
    let fill = max(width / Double(raster.width), height / Double(raster.height))
    #expect(fill > 0.9, sourceLocation: sourceLocation)
    // The middle of each mark, clockwise from the sheet's top-left.
    let half = Int(min(width, height) / 20)
    let corners = [
      (box.left + half, box.top + half), (box.right - half, box.top + half),
      (box.right - half, box.bottom - half), (box.left + half, box.bottom - half),
    ]
    for (index, corner) in corners.enumerated() {
      // Turned counter-clockwise, the page's top-right comes to the sheet's top-left.
      let want = Self.colors[turned ? (index + 1) % 4 : index]
      let got = Array(raster[x: corner.0, y: corner.1])
      let wanted = color ? want : [UInt8](repeating: Self.gray(want), count: got.count)
      let isClose = zip(got, wanted).allSatisfy { abs(Int($0) - Int($1)) <= 6 }
      #expect(isClose, "mark \(index): \(got) instead of \(wanted)", sourceLocation: sourceLocation)
    }
  }

  static func gray(_ color: [UInt8]) -> UInt8 {
    Raster(size: PixelSize(width: 1, height: 1), format: .rgb, samples: color).grayscale().samples[0]
  }

  /// Whether every pixel has three equal samples, or one.
  static func isGray(_ raster: Raster) -> Bool {
    guard raster.format == .rgb else { return true }
    let samples = raster.samples
    for start in stride(from: 0, to: samples.count, by: 3) {
      let (red, green, blue) = (samples[start], samples[start + 1], samples[start + 2])
      guard red == green, green == blue else { return false }
    }
    return true
  }

  /// The smallest box around everything that isn't paper; right and bottom are just outside.
  static func inkBox(_ raster: Raster, darkerThan limit: UInt8 = 200) -> (
    left: Int, top: Int, right: Int, bottom: Int
  )? {
    var box = (left: Int.max, top: Int.max, right: 0, bottom: 0)
    let (channels, samples) = (raster.format.channels, raster.samples)
    for y in 0..<raster.height {
      for x in 0..<raster.width {
        let start = y * raster.rowStride + x * channels
        guard samples[start..<start + channels].contains(where: { $0 < limit }) else { continue }
        box = (min(box.left, x), min(box.top, y), max(box.right, x + 1), max(box.bottom, y + 1))
      }
    }
    return box.right > 0 ? box : nil
  }
}
