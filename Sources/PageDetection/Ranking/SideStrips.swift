import Raster

/// What lies farther inside and outside of one side than its edge reaches: tells the end of the paper from a printed line.
///
/// A printed line has the same paper on both sides, so its colours far in and far out are alike while those on the line
/// differ; where the paper ends, all colours beyond differ from those within.
struct SideStrips {
  /// Places along a side, the corners' surroundings left out.
  static let places = 24
  /// Distances from the side in pixels of the small copy: beyond the blur of a printed line, and twice that.
  static let near = 6.0
  static let far = 12.0
  /// Colours nearer than this in levels are the same paper under slightly different light.
  static let sameColour = 12.0

  /// Length of the mean colour difference between the far strips, in levels.
  private(set) var farStep = 0.0
  /// Share of places at which the colours of both strips outside differ from the near one inside.
  private(set) var endsShare = 0.0
  /// How far the line's own colour is from the mean of both sides', in levels.
  private(set) var ridge = 0.0
  /// Mean colour of the far strip outside.
  private(set) var outside = (0.0, 0.0, 0.0)
  /// Whether enough of the side was inside of the frame to say anything.
  private(set) var isSeen = false

  init(of candidate: Candidate, side: Int, colours: ColourMap) {
    let (start, end) = (candidate.corners[side], candidate.corners[(side + 1) % 4])
    let along = end - start
    guard along.length > 1 else { return }
    // Corners run clockwise with y down, so the inside is to the right of the way.
    let inward = Point(x: -along.y, y: along.x) * (1 / along.length)
    let (width, height) = (Double(colours.width), Double(colours.height))
    func isInside(_ place: Point) -> Bool {
      place.x >= 0 && place.x < width && place.y >= 0 && place.y < height
    }
    var count = 0.0
    var (step, ridgeSum) = ((0.0, 0.0, 0.0), 0.0)
    for index in 0..<Self.places {
      let share = 0.06 + 0.88 * (Double(index) + 0.5) / Double(Self.places)
      let place = start + along * share
      guard isInside(place - inward * Self.far), isInside(place + inward * Self.far), isInside(place) else {
        continue
      }
      let insideNear = colours.colour(at: place + inward * Self.near)
      let insideFar = colours.colour(at: place + inward * Self.far)
      let outsideNear = colours.colour(at: place - inward * Self.near)
      let outsideFar = colours.colour(at: place - inward * Self.far)
      let middle = colours.colour(at: place)
      count += 1
      step.0 += 0.5 * (insideNear.0 + insideFar.0 - outsideNear.0 - outsideFar.0)
      step.1 += 0.5 * (insideNear.1 + insideFar.1 - outsideNear.1 - outsideFar.1)
      step.2 += 0.5 * (insideNear.2 + insideFar.2 - outsideNear.2 - outsideFar.2)
      outside.0 += outsideFar.0
      outside.1 += outsideFar.1
      outside.2 += outsideFar.2
      if Self.distance(insideNear, outsideNear) > Self.sameColour
        && Self.distance(insideNear, outsideFar) > Self.sameColour
      {
        endsShare += 1
      }
      // Beyond both sides' colours, not between them as on a step.
      let (light, dark) = (max(insideNear.0, outsideNear.0), min(insideNear.0, outsideNear.0))
      ridgeSum += max(0, dark - middle.0, middle.0 - light)
    }
    guard count >= 3 else {
      (farStep, endsShare, outside) = (0, 0, (0, 0, 0))
      return
    }
    isSeen = true
    endsShare /= count
    ridge = ridgeSum / count
    farStep = Self.distance((step.0 / count, step.1 / count, step.2 / count), (0, 0, 0))
    outside = (outside.0 / count, outside.1 / count, outside.2 / count)
  }

  static func distance(_ one: (Double, Double, Double), _ two: (Double, Double, Double)) -> Double {
    let (l, a, b) = (one.0 - two.0, one.1 - two.1, one.2 - two.2)
    return (l * l + a * a + b * b).squareRoot()
  }
}
