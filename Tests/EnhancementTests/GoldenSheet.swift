import Glibc
import Raster

/// One page with everything on it that enhancement must not spoil, photographed under bad light: falling two to one across the page, noise of
/// three levels, JPEG of quality 85.
struct GoldenSheet: Sendable {
  static let width = 1000
  static let height = 1400

  /// A faint stroke: 200 pixels long, so many levels under the paper as the photo shows it.
  struct Stroke: Sendable, CustomStringConvertible {
    let depth: Double
    let width: Int
    let isUpright: Bool
    let x: Int
    let y: Int
    static let length = 200
    var columns: Range<Int> { x..<x + (isUpright ? width : Self.length) }
    var rows: Range<Int> { y..<y + (isUpright ? Self.length : width) }
    var description: String { "\(depth) levels, \(width) px, at \(x), \(y)" }
  }

  /// Lying strokes in the brighter and the darker part of the page, and upright ones between.
  static let ladder: [Stroke] = {
    let rungs: [(Double, Int)] = [
      (12, 1), (12, 2), (12, 3), (20, 1), (20, 2), (20, 3), (40, 1), (40, 2), (40, 3), (8, 2), (8, 3),
    ]
    return rungs.enumerated().flatMap { index, rung in
      [
        Stroke(depth: rung.0, width: rung.1, isUpright: false, x: 60, y: 260 + 22 * index),
        Stroke(depth: rung.0, width: rung.1, isUpright: false, x: 740, y: 260 + 22 * index),
        Stroke(depth: rung.0, width: rung.1, isUpright: true, x: 330 + 32 * index, y: 270),
      ]
    }
  }()

  /// Pens by colour, each a bar of six pixels over columns 80…460.
  static let pens: [(name: String, colour: [Double], y: Int)] = [
    ("red", [210, 40, 40], 540), ("yellow", [250, 225, 60], 560), ("light blue", [140, 190, 240], 580),
    ("green", [60, 150, 70], 600), ("blue", [40, 60, 170], 620),
  ]

  /// Evenly coloured blocks on the page.
  static let blocks: [(colour: [Double], x: Range<Int>, y: Range<Int>)] = [
    ([60, 60, 60], 60..<260, 680..<860), ([30, 70, 140], 300..<480, 680..<860),
    ([180, 120, 90], 520..<700, 680..<860),
  ]

  /// A photograph: sky, trees and a field with grain.
  static let picture = (x: 540..<940, y: 540..<660)
  /// A panel tinted a little darker than the paper, with thin black strokes on it.
  static let panel = (x: 740..<940, y: 680..<860, level: 222.0, strokes: [700, 740, 780, 820])
  /// Nothing but paper.
  static let blank = (x: 40..<960, y: 1180..<1380)
  /// A black bar that leans, so that every coverage of a pixel occurs at its edges.
  static let slant = (x: 100..<900, y: 900..<1000)

  /// Light that falls from 230 at the left to 115 at the right.
  static func fallingLight(_ x: Double, _ y: Double) -> Double { 230 - 115 * x }

  /// The same, with a shadow that halves it over the lower right, within seven pixels.
  static func shadowedLight(_ x: Double, _ y: Double) -> Double {
    let way = (x * Double(width) + 0.35 * y * Double(height) - 900) / 1.06
    let light = 230 - 60 * x
    return light * (1 - 0.5 / (1 + exp(-way / 1.6)))
  }

  static let photo = photographed(fallingLight)
  static let shadowedPhoto = photographed(shadowedLight)

  private static func photographed(_ light: (Double, Double) -> Double) -> Raster {
    JPEGLoss(quality: 85)(drawn(under: light).photographed(noise: 3, light: light))
  }

  private static func drawn(under light: (Double, Double) -> Double) -> DrawnPage {
    var page = DrawnPage(width: width, height: height)
    page.fillWithText(40..<240, x: 60..<940, [40, 40, 40])
    for stroke in ladder {
      for y in stroke.rows {
        for x in stroke.columns {
          let level = (light(Double(x) / Double(width), Double(y) / Double(height)) + 14) / 269
          let sample = 255 - stroke.depth / level
          page.fill(x..<x + 1, y..<y + 1, [sample, sample, sample])
        }
      }
    }
    for pen in pens { page.fill(80..<460, pen.y..<pen.y + 6, pen.colour) }
    for block in blocks { page.fill(block.x, block.y, block.colour) }
    for y in picture.y {
      for x in picture.x {
        page.fill(x..<x + 1, y..<y + 1, scene(x - picture.x.lowerBound, y - picture.y.lowerBound))
      }
    }
    page.fill(panel.x, panel.y, [panel.level, panel.level, panel.level])
    for y in panel.strokes { page.fill(760..<920, y..<y + 3, [30, 30, 30]) }
    for y in slant.y {
      for x in slant.x {
        let inside = Double(y) - 910 - 0.09 * Double(x - 100)
        let share = max(0, min(1, inside)) - max(0, min(1, inside - 12))
        let sample = 255 - 235 * share
        page.fill(x..<x + 1, y..<y + 1, [sample, sample, sample])
      }
    }
    page.fillWithText(1020..<1170, x: 60..<940, [60, 60, 60])
    return page
  }

  /// Colours of the photograph: three parts whose means are kept by the grain.
  private static func scene(_ x: Int, _ y: Int) -> [Double] {
    let grain = Double((x * 7 + y * 13) % 11 - 5)
    switch y {
    case ..<40: return [120 + grain, 160 + grain, 215 + grain]
    case ..<80: return [50 + 3 * grain, 70 + 3 * grain, 45 + 3 * grain]
    default: return [140 + 4 * grain, 150 + 4 * grain, 80 + 4 * grain]
    }
  }

  /// Parts of the photograph and their drawn colours.
  static let scenery: [(name: String, colour: [Double], y: Range<Int>)] = [
    ("sky", [120, 160, 215], 544..<576), ("trees", [50, 70, 45], 584..<616),
    ("field", [140, 150, 80], 624..<656),
  ]
}
