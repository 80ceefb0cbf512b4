import Enhancement
import Glibc
import Raster
import Testing

/// A page that was photographed out of focus, and a reader of its one font.
@Suite struct BlurredPageTests {
  @Test(
    "a blurred page reads no worse than the photo, and isn't wiped white",
    arguments: [EnhancementMode.enhanced, .bw])
  func blurred(mode: EnhancementMode) {
    let page = enhance(Self.photo, mode: mode).grayscale()
    let before = Self.errors(in: Self.photo.grayscale())
    let after = Self.errors(in: page)
    #expect(
      after <= before + 0.02, "\(before) of the characters are misread on the photo, \(after) when enhanced")
    #expect(page.pureShare(0..<page.width, 0..<page.height) <= 0.995)
    // The reader is worth something only if it can fail, and can read.
    #expect(before < 0.3)
  }

  @Test("the reader misreads a page whose strokes are gone")
  func reader() {
    let white = Raster(size: Self.photo.size, format: .gray, filledWith: 255)
    #expect(Self.errors(in: white) > 0.8)
  }

  /// Letters of five by seven dots, a row of dots an octal digit pair.
  private static let font: [[UInt8]] = [
    [0x0E, 0x11, 0x11, 0x1F, 0x11, 0x11, 0x11], [0x1E, 0x11, 0x11, 0x1E, 0x11, 0x11, 0x1E],
    [0x0E, 0x11, 0x10, 0x10, 0x10, 0x11, 0x0E], [0x1E, 0x11, 0x11, 0x11, 0x11, 0x11, 0x1E],
    [0x1F, 0x10, 0x10, 0x1E, 0x10, 0x10, 0x1F], [0x1F, 0x10, 0x10, 0x1E, 0x10, 0x10, 0x10],
    [0x0E, 0x11, 0x10, 0x17, 0x11, 0x11, 0x0E], [0x11, 0x11, 0x11, 0x1F, 0x11, 0x11, 0x11],
    [0x0E, 0x04, 0x04, 0x04, 0x04, 0x04, 0x0E], [0x11, 0x12, 0x14, 0x18, 0x14, 0x12, 0x11],
    [0x11, 0x1B, 0x15, 0x15, 0x11, 0x11, 0x11], [0x0E, 0x11, 0x11, 0x11, 0x11, 0x11, 0x0E],
    [0x1E, 0x11, 0x11, 0x1E, 0x14, 0x12, 0x11], [0x0F, 0x10, 0x10, 0x0E, 0x01, 0x01, 0x1E],
    [0x1F, 0x04, 0x04, 0x04, 0x04, 0x04, 0x04], [0x11, 0x0A, 0x04, 0x04, 0x04, 0x0A, 0x11],
  ]
  /// Pixels of a dot, and of a character's place.
  private static let dot = 3
  private static let place = (width: 20, height: 30)
  private static let (columns, rows) = (28, 24)

  private static func letter(_ column: Int, _ row: Int) -> Int {
    (column * 7 + row * 11 + column * row) % font.count
  }

  private static let photo: Raster = {
    var page = DrawnPage()
    for row in 0..<rows {
      for column in 0..<columns { draw(letter(column, row), column, row, to: &page) }
    }
    page.blur(deviation: 3)
    return JPEGLoss(quality: 85)(page.photographed(noise: 3, light: DrawnPage.twoToOne))
  }()

  private static func draw(_ letter: Int, _ column: Int, _ row: Int, to page: inout DrawnPage) {
    for line in 0..<7 {
      for bit in 0..<5 where font[letter][line] & (0x10 >> bit) != 0 {
        let (x, y) = (20 + column * place.width + bit * dot, 40 + row * place.height + line * dot)
        page.fill(x..<x + dot, y..<y + dot, [50, 50, 50])
      }
    }
  }

  /// What each letter looks like out of focus, without its mean.
  private static let templates: [[Double]] = font.indices.map { letter in
    var page = DrawnPage(width: place.width + 40, height: place.height + 80)
    draw(letter, 0, 0, to: &page)
    page.blur(deviation: 3)
    return centred(
      (0..<place.height).flatMap { y in
        (0..<place.width).map { x in page.ink[(35 + y) * page.width + 17 + x][0] }
      })
  }

  private static func centred(_ values: [Double]) -> [Double] {
    let mean = values.reduce(0, +) / Double(values.count)
    let rest = values.map { $0 - mean }
    let length = sqrt(rest.reduce(0) { $0 + $1 * $1 })
    return rest.map { $0 / max(1, length) }
  }

  /// The share of characters that look more like another one.
  private static func errors(in page: Raster) -> Double {
    var wrong = 0
    for row in 0..<rows {
      for column in 0..<columns {
        let (left, top) = (17 + column * place.width, 35 + row * place.height)
        let seen = centred(
          (0..<place.height).flatMap { y in
            (0..<place.width).map { x in Double(page.samples[(top + y) * page.width + left + x]) }
          })
        let likeness = templates.map { template in zip(template, seen).reduce(0) { $0 + $1.0 * $1.1 } }
        let best = likeness.max() ?? 0
        if best < 0.2 || likeness.firstIndex(of: best) != letter(column, row) { wrong += 1 }
      }
    }
    return Double(wrong) / Double(rows * columns)
  }
}
