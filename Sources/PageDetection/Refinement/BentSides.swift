import Glibc
import Raster

/// Finds sides that curve: a line can only touch such a side, and lines that touch meet outside of the sheet's corners.
///
/// Beside each side's line, curves are tried that touch it somewhere and leave it to both ends. One along which a clear edge runs in many more
/// places than along the line gives its ends as the corners.
struct BentSides {
  /// Places along a side at which an edge is looked for.
  static let places = 48
  /// The least and the greatest distance of a curve's farther end from the line, in shares of the side.
  ///
  /// What leaves it by less is left to the fit at full size.
  static let falls = (least: 0.015, greatest: 0.16, steps: 14)
  /// Where the line is touched, as shares of the way: this many steps from one end to the other.
  static let touches = 11
  /// How far beside the line a curve may touch instead, in pixels of the small copy.
  static let shifts = [-2.0, 0, 2]
  /// How a curve falls away from where it touches: as a parabola, or as a sheet that lies flat up to its curled end.
  static let powers = [2.0, 3.0]
  /// The least share of places with an edge along a curve.
  static let leastCoverage = 0.75
  /// How much greater than the line's this share must be.
  static let leastGain = 0.15
  /// How much more gain a curve needs for each unit of the overlap with the net's area that it loses.
  ///
  /// The net was taught outlines from corner to corner, and takes half of a bulge along. Chosen, as what must be gained, on drawn pages of which
  /// most curl and such of which few do.
  static let gainPerOverlap = 8.0
  /// An edge of this strength is a clear one.
  static let clearEdge: Float = 0.2

  let edges: EdgeMap
  /// What the net saw, if there is one.
  let support: NetSupport?

  /// The outline with the ends of bent sides for its corners, and which sides those are; pixels of the small copy, clockwise.
  /// - Parameter frames: sides at the photo's border, which stay.
  func corners(of outline: [Point], frames: [Bool]) -> (corners: [Point], isBent: [Bool]) {
    var corners = outline
    var isBent = [false, false, false, false]
    for side in 0..<4 where !frames[side] {
      guard let line = StraightSide(side, of: corners) else { continue }
      let straight = coverage(along: Curve(), beside: line)
      guard straight < 1 - Self.leastGain, let curve = clearest(beside: line) else { continue }
      let (start, end) = line.ends(of: curve.curve)
      var moved = corners
      moved[side] = start
      moved[(side + 1) % 4] = end
      guard isConvex(moved) else { continue }
      let loss = support.map { $0.overlap(corners) - $0.overlap(moved) } ?? 0
      guard curve.coverage - straight >= Self.leastGain + Self.gainPerOverlap * max(0, loss) else { continue }
      corners = moved
      isBent[side] = true
    }
    return (corners, isBent)
  }

  private func isConvex(_ corners: [Point]) -> Bool {
    Quad(topLeft: corners[0], topRight: corners[1], bottomRight: corners[2], bottomLeft: corners[3]).isConvex
  }

  /// A curve beside a side's line: how far outward it lies at a share of the way, in pixels.
  private struct Curve {
    var touch = 0.0
    var shift = 0.0
    var fall = 0.0
    var power = 2.0

    func offset(at share: Double) -> Double { shift - fall * pow(abs(share - touch), power) }
  }

  /// A side and the two that meet it, along which the ends of its curves lie.
  private struct StraightSide {
    let start: Point
    let end: Point
    let length: Double
    let outward: Point
    /// From a curve's offset at an end to the way of that end.
    private let perStart: Point
    private let perEnd: Point

    /// - Returns: `nil` for a side that is too short for a curve to be told, or that meets another too slantingly.
    init?(_ side: Int, of corners: [Point]) {
      (start, end) = (corners[side], corners[(side + 1) % 4])
      let way = end - start
      length = way.length
      outward = Point(x: way.y / max(1, length), y: -way.x / max(1, length))
      let (left, right) = (start - corners[(side + 3) % 4], end - corners[(side + 2) % 4])
      let (leftRise, rightRise) = (left.dot(outward), right.dot(outward))
      guard length > 24, leftRise > 0.5 * left.length, rightRise > 0.5 * right.length else { return nil }
      (perStart, perEnd) = (left * (1 / leftRise), right * (1 / rightRise))
    }

    func ends(of curve: Curve) -> (Point, Point) {
      (start + perStart * curve.offset(at: 0), end + perEnd * curve.offset(at: 1))
    }
  }

  private func clearest(beside line: StraightSide) -> (curve: Curve, coverage: Double)? {
    var best: (curve: Curve, coverage: Double)?
    for power in Self.powers {
      for touch in (0..<Self.touches).map({ Double($0) / Double(Self.touches - 1) }) {
        let farther = pow(max(touch, 1 - touch), power)
        for step in 0..<Self.falls.steps {
          let share = Double(step) / Double(Self.falls.steps - 1)
          let fall = Self.falls.least + share * (Self.falls.greatest - Self.falls.least)
          // Inward, or outward: a sheet's end may curl up towards the camera.
          for fall in [fall, -fall] {
            for shift in Self.shifts {
              let curve = Curve(touch: touch, shift: shift, fall: fall * line.length / farther, power: power)
              let coverage = coverage(along: curve, beside: line)
              if coverage >= Self.leastCoverage && coverage > best?.coverage ?? 0 { best = (curve, coverage) }
            }
          }
        }
      }
    }
    return best
  }

  /// The share of places with a clear edge along a curve, 0 to 1; 0 where most of it is out of view.
  private func coverage(along curve: Curve, beside line: StraightSide) -> Double {
    let (start, end) = line.ends(of: curve)
    let (first, last) = (curve.offset(at: 0), curve.offset(at: 1))
    func point(_ share: Double) -> Point {
      start + (end - start) * share
        + line.outward * (curve.offset(at: share) - first - (last - first) * share)
    }
    var (seen, visible) = (0.0, 0)
    var before = point(-0.5 / Double(Self.places))
    for place in 0..<Self.places {
      let here = point((Double(place) + 0.5) / Double(Self.places))
      let way = here - before
      before = here
      // The border's own pixels have no edges.
      guard here.x >= 2, here.y >= 2, here.x < Double(edges.width - 2), here.y < Double(edges.height - 2)
      else { continue }
      visible += 1
      let across = Point(x: -way.y, y: way.x) * (1 / max(1e-9, way.length))
      seen += Double(min(1, edges.strength(at: here, across: across) / Self.clearEdge))
    }
    return visible * 10 >= Self.places * 6 ? seen / Double(visible) : 0
  }
}
