import Raster

/// Convex polygons around points.
enum ConvexHull {
  /// The hull of points, clockwise on the screen (Andrew's monotone chain, 1979).
  static func around(_ points: [Point]) -> [Point] {
    let sorted = points.sorted { $0.x < $1.x || ($0.x == $1.x && $0.y < $1.y) }
    guard sorted.count > 2 else { return sorted }
    func chain(_ points: some Sequence<Point>) -> ArraySlice<Point> {
      var kept: [Point] = []
      for point in points { extend(&kept, with: point, turning: 1) }
      return kept.dropLast()
    }
    return Array(chain(sorted) + chain(sorted.reversed()))
  }

  /// Adds a point to a chain that only ever turns to one side: clockwise on the screen (1) or the other way (−1).
  ///
  /// Points that come to lie within or on the chain are taken out of it.
  static func extend(_ chain: inout [Point], with point: Point, turning: Double) {
    while chain.count >= 2 {
      let (last, before) = (chain[chain.count - 1], chain[chain.count - 2])
      guard turning * (last - before).cross(point - last) <= 0 else { break }
      chain.removeLast()
    }
    chain.append(point)
  }

  static func area(_ polygon: [Point]) -> Double {
    guard polygon.count > 2 else { return 0 }
    var double = 0.0
    for index in polygon.indices {
      double += polygon[index].cross(polygon[(index + 1) % polygon.count])
    }
    return abs(double) / 2
  }

  /// Four sides around a hull.
  ///
  /// Sides are taken away one by one, each time the one whose neighbours, made longer until they meet, add least area.
  ///
  /// So a cut or round corner grows back to where its sides meet.
  static func fourSides(around hull: [Point]) -> [Point]? {
    var corners = hull
    while corners.count > 4 {
      let count = corners.count
      var best: (added: Double, index: Int, corner: Point)?
      for index in 0..<count {
        let before = corners[(index + count - 1) % count]
        let start = corners[index]
        let end = corners[(index + 1) % count]
        let after = corners[(index + 2) % count]
        let one = start - before
        let two = after - end
        let determinant = one.cross(two)
        guard determinant > 1e-9 else { continue }
        let along = (end - before).cross(two) / determinant
        guard along >= 1 else { continue }
        let corner = before + one * along
        let added = abs((end - start).cross(corner - start)) / 2
        if added < best?.added ?? .greatestFiniteMagnitude { best = (added, index, corner) }
      }
      guard let best else { return nil }
      corners[best.index] = best.corner
      corners.remove(at: (best.index + 1) % count)
    }
    return corners.count == 4 ? corners : nil
  }
}
