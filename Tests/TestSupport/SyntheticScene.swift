private import Glibc
package import Raster

/// A drawn photo of a page with known corners: ground truth for free, of any size.
///
/// Coordinates are those of `Quad`: pixels of the photo, pixel centres at .5. Drawn with 3 × 3 samples a pixel, so that edges are where
/// the corners say to about a hundredth of a pixel.
package struct SyntheticScene: Sendable {
  /// What the page lies on.
  package enum Background: Sendable, Hashable, CaseIterable {
    /// One dark grey.
    case plain
    /// Brown stripes with a grain along them.
    case wood
    /// A weave of two blues, a few pixels wide.
    case cloth
    /// Light stone with grey veins.
    case marble
    /// Light grey, `contrast` levels under the paper.
    case nearWhite
  }

  /// Things in the page or over it.
  package enum Feature: Sendable, Hashable {
    /// Lines of small dark dashes.
    case text
    /// A ruled table with a strong frame, well inside of the page.
    case table
    /// A dark picture in the upper half.
    case picture
    /// A soft shadow over a third of the photo.
    case shadow
    /// A dark fold down the middle, and lines of text that stop before it on both sides: an open book.
    case gutter
    /// The upper side's middle stands out by this share of the page's height: a sheet that curls, or an open book's page.
    case upperBulge(Double)
    /// A skin-coloured disc over the page's bottom-right corner.
    case coveredCorner
    /// Gaussian noise with this standard deviation in levels.
    case noise(Double)
  }

  package var size: PixelSize
  /// The page's outline, or `nil` for a scene without one.
  package var page: Quad?
  package var background: Background
  package var features: [Feature]
  package var paper: (red: Double, green: Double, blue: Double) = (236, 233, 226)
  /// How many levels the near-white background is darker than the paper.
  package var contrast = 12.0
  /// Blank sheets that lie beside the page, or under it.
  package var otherSheets: [Quad] = []
  package var seed: UInt64 = 1

  package init(
    size: PixelSize, page: Quad?, background: Background = .plain, features: [Feature] = [.text]
  ) {
    self.size = size
    self.page = page
    self.background = background
    self.features = features
  }

  /// A rectangle turned around its centre: an outline for a page seen from straight above.
  package static func turnedRectangle(
    centre: Point, width: Double, height: Double, degrees: Double
  ) -> Quad? {
    let angle = degrees * Double.pi / 180
    let right = Point(x: cos(angle) * width / 2, y: sin(angle) * width / 2)
    let down = Point(x: -sin(angle) * height / 2, y: cos(angle) * height / 2)
    return Quad(corners: [
      centre - right - down, centre + right - down, centre + right + down, centre - right + down,
    ])
  }

  private typealias Colour = (red: Double, green: Double, blue: Double)

  /// The photo, always the same for the same scene.
  package func photo() -> Raster {
    var generator = SeededGenerator(seed: seed)
    let toPage = page.flatMap { Homography(unitSquareTo: $0)?.inverse }
    let toOthers = otherSheets.compactMap { Homography(unitSquareTo: $0)?.inverse }
    let aspect =
      page.map { $0.topLeft.distance(to: $0.bottomLeft) / max(1, $0.topLeft.distance(to: $0.topRight)) } ?? 1
    let covered = features.contains(.coveredCorner) ? page?.bottomRight : nil
    let discRadius = 0.09 * Double(min(size.width, size.height))
    let hasShadow = features.contains(.shadow)
    var noise = 0.0
    for case .noise(let deviation) in features { noise = deviation }
    var bulge = 0.0
    for case .upperBulge(let share) in features { bulge = share }
    var samples = [UInt8](repeating: 0, count: size.width * size.height * 3)
    for y in 0..<size.height {
      for x in 0..<size.width {
        var sum: Colour = (0, 0, 0)
        for subY in 0..<3 {
          for subX in 0..<3 {
            let point = Point(
              x: Double(x) + (Double(subX) + 0.5) / 3, y: Double(y) + (Double(subY) + 0.5) / 3)
            var colour = backgroundColour(at: point)
            for toOther in toOthers where Self.isInside(toOther.apply(point)) {
              colour = (paper.red - 6, paper.green - 5, paper.blue - 4)
            }
            if let toPage {
              var place = toPage.apply(point)
              let rise = bulge * sin(Double.pi * min(1, max(0, place.x)))
              place.y = (place.y + rise) / (1 + rise)
              if Self.isInside(place) {
                colour = pageColour(across: place.x, down: place.y * aspect, aspect: aspect)
              }
            }
            if let covered, point.distance(to: covered) < discRadius { colour = (188, 132, 104) }
            sum = (sum.red + colour.red, sum.green + colour.green, sum.blue + colour.blue)
          }
        }
        var light = 1.0 / 9
        if hasShadow {
          // From full light to 55 % over a tenth of the width, along a slanting line.
          let across = (Double(x) + 0.4 * Double(y)) / Double(size.width) - 0.7
          light *= 1 - 0.45 * min(1, max(0, across * 10 + 0.5))
        }
        let grain = noise > 0 ? noise * gaussian(using: &generator) : 0
        let start = 3 * (y * size.width + x)
        for (channel, value) in [sum.red, sum.green, sum.blue].enumerated() {
          samples[start + channel] = UInt8(min(255, max(0, value * light + grain)).rounded())
        }
      }
    }
    return Raster(size: size, format: .rgb, samples: samples)
  }

  private static func isInside(_ place: Point) -> Bool {
    place.x >= 0 && place.x < 1 && place.y >= 0 && place.y < 1
  }

  private func gaussian(using generator: inout SeededGenerator) -> Double {
    let one = Double.random(in: 1e-9..<1, using: &generator)
    let two = Double.random(in: 0..<1, using: &generator)
    return (-2 * log(one)).squareRoot() * cos(2 * Double.pi * two)
  }

  private func backgroundColour(at point: Point) -> Colour {
    switch background {
    case .plain: return (62, 64, 70)
    case .wood:
      let across = point.y + 6 * sin(point.x / 90)
      let grain = 14 * sin(across / 3.1) + 10 * sin(across / 7.7 + 1) + 7 * sin(across / 1.3 + point.x / 40)
      let plank = (point.y / 150).rounded(.down).truncatingRemainder(dividingBy: 2) == 0 ? 0.0 : 12.0
      return (146 + grain + plank, 100 + 0.8 * grain + plank, 62 + 0.6 * grain)
    case .cloth:
      let weave = (sin(point.x / 2.2) > 0) != (sin(point.y / 2.2) > 0)
      return weave ? (58, 74, 110) : (88, 102, 138)
    case .marble:
      let bend = 40 * sin(point.x / 170) + 25 * sin(point.y / 90 + point.x / 60)
      let vein = 1 / (1 + 14 * abs(sin((point.x + 0.6 * point.y + bend) / 70)))
      let cloud = 6 * sin(point.x / 45 + 2 * sin(point.y / 70))
      return (214 - 70 * vein + cloud, 212 - 66 * vein + cloud, 206 - 60 * vein + cloud)
    case .nearWhite:
      return (paper.red - contrast, paper.green - contrast, paper.blue - contrast)
    }
  }

  /// - Parameters:
  ///   - across: 0 to 1 from left to right.
  ///   - down: in the same unit, from the top, up to `aspect`.
  private func pageColour(across: Double, down: Double, aspect: Double) -> Colour {
    let ink: Colour = (52, 50, 56)
    let bottom = down / aspect
    if features.contains(.gutter) {
      let away = abs(across - 0.5)
      if away < 0.06 {
        let light = 0.45 + 0.55 * away / 0.06
        return (paper.red * light, paper.green * light, paper.blue * light)
      }
    }
    if features.contains(.table) {
      let inX = across > 0.14 && across < 0.86
      let inY = bottom > 0.2 && bottom < 0.8
      if inX && inY {
        let edge = min(across - 0.14, 0.86 - across, (bottom - 0.2) * aspect, (0.8 - bottom) * aspect)
        if edge < 0.012 { return ink }
        if (bottom * 12).truncatingRemainder(dividingBy: 1) < 0.06 { return ink }
      }
    }
    if features.contains(.picture), across > 0.12, across < 0.88, bottom > 0.1, bottom < 0.5 {
      return (90 + 60 * across, 110 - 40 * bottom, 140)
    }
    if features.contains(.text), across > 0.1, across < 0.9, bottom > 0.08, bottom < 0.9 {
      let line = (down * 26).truncatingRemainder(dividingBy: 1)
      let word = (across * 11 + (down * 26).rounded(.down) * 0.37).truncatingRemainder(dividingBy: 1)
      let letter = (across * 90).truncatingRemainder(dividingBy: 1)
      if line > 0.35 && line < 0.7 && word < 0.8 && letter < 0.55 { return ink }
    }
    return paper
  }
}
