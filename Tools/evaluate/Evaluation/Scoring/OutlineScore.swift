package import Raster

/// How near an outline that was found is to the true one.
package struct OutlineScore: Sendable, Hashable {
  /// Intersection over union with the page, 0 to 1.
  ///
  /// Where the page's true size is known, in the page's own plane and of the whole page: so a near and a far part of it
  /// count alike (as SmartDoc 2015 scores). Else in the photo, of the parts within the frame.
  package var overlap: Double
  /// The same of the parts within the frame only.
  package var visibleOverlap: Double
  /// The mean distance of the corners as a share of the page's diagonal in the photo.
  ///
  /// Corners are matched in whichever order round fits best. Without the page's true size only corners inside of the frame count, since others were guessed;
  /// `nil` when there is none.
  package var cornerError: Double?

  /// Compares with each outline that is right, and takes the best.
  ///
  /// - Parameter frame: the size of the upright photo.
  /// - Returns: `nil` for a truth without an outline.
  package init?(of found: Quad, against truth: PhotoTruth, frame: PixelSize) {
    let scores = truth.outlines.map { OutlineScore(of: found, outline: $0, page: truth.page, frame: frame) }
    guard let best = scores.max(by: { $0.overlap < $1.overlap }) else { return nil }
    self = best
  }

  private init(of found: Quad, outline: Quad, page: PageMeasure?, frame: PixelSize) {
    let window = Polygon(Quad(wholeOf: frame))
    let inFrame = (
      found: Polygon(found).clipped(to: window), true: Polygon(outline).clipped(to: window)
    )
    cornerError = Self.cornerError(found, outline, within: page == nil ? frame : nil)
    if let page, let plane = PagePlane(of: outline, page) {
      overlap = plane.project(Polygon(found)).overlap(with: plane.page)
      visibleOverlap = plane.project(inFrame.found).overlap(with: plane.project(inFrame.true))
    } else {
      overlap = inFrame.found.overlap(with: inFrame.true)
      visibleOverlap = overlap
    }
  }

  /// - Parameter frame: leave out true corners outside of this; all count without.
  private static func cornerError(_ found: Quad, _ truth: Quad, within frame: PixelSize?) -> Double? {
    let corners = truth.corners
    let counted = corners.indices.filter { index in
      guard let frame else { return true }
      let corner = corners[index]
      return (0...Double(frame.width)).contains(corner.x) && (0...Double(frame.height)).contains(corner.y)
    }
    guard !counted.isEmpty else { return nil }
    let diagonal =
      0.5 * (corners[0].distance(to: corners[2]) + corners[1].distance(to: corners[3]))
    let errors = [found.corners, found.corners.reversed()].flatMap { order in
      (0..<4).map { turn in
        counted.reduce(0) { $0 + order[($1 + turn) % 4].distance(to: corners[$1]) } / Double(counted.count)
      }
    }
    return errors.min().map { $0 / diagonal }
  }
}

/// The plane in which the page is a rectangle of its true size.
private struct PagePlane {
  let page: Polygon
  private let toPage: Homography
  /// Which side of the horizon the page is on.
  private let side: Double
  /// What lies farther away than a thousand times the page's nearest corner is cut off: it would come near infinity.
  private let leastWeight: Double

  init?(of outline: Quad, _ measure: PageMeasure) {
    let rectangle = Quad(
      topLeft: Point(x: 0, y: 0), topRight: Point(x: measure.width, y: 0),
      bottomRight: Point(x: measure.width, y: measure.height), bottomLeft: Point(x: 0, y: measure.height))
    guard let map = Homography(from: outline, to: rectangle) else { return nil }
    let weights = outline.corners.map { Self.weight(map, $0) }
    side = weights.reduce(0, +) < 0 ? -1 : 1
    leastWeight = 1e-3 * (weights.map { [side] in $0 * side }.min() ?? 0)
    toPage = map
    page = Polygon(rectangle)
  }

  func project(_ polygon: Polygon) -> Polygon {
    let near = polygon.cut { side * Self.weight(toPage, $0) - leastWeight }
    return Polygon(corners: near.corners.map { toPage.apply($0) })
  }

  private static func weight(_ map: Homography, _ point: Point) -> Double {
    map.elements[6] * point.x + map.elements[7] * point.y + map.elements[8]
  }
}
