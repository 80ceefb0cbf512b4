/// A closed outline that doesn't cross itself: corners clockwise as seen on the screen, in any plane.
package struct Polygon: Sendable, Hashable {
  package var corners: [Point]

  package init(corners: [Point]) { self.corners = corners }

  package init(_ quad: Quad) { corners = quad.corners }

  /// Square units of the plane; 0 for fewer than three corners.
  package var area: Double {
    var doubled = 0.0
    for index in corners.indices {
      doubled += corners[index].cross(corners[(index + 1) % corners.count])
    }
    return abs(doubled) / 2
  }

  /// The part where a function is 0 or more.
  ///
  /// - Parameter inside: linear in x and y, such as the distance from a line.
  package func cut(where inside: (Point) -> Double) -> Polygon {
    var kept: [Point] = []
    for (index, end) in corners.enumerated() {
      let start = corners[(index + corners.count - 1) % corners.count]
      let (from, to) = (inside(start), inside(end))
      if (from >= 0) != (to >= 0) { kept.append(start + (end - start) * (from / (from - to))) }
      if to >= 0 { kept.append(end) }
    }
    return Polygon(corners: kept)
  }

  /// The part inside of a convex polygon, by cutting at its sides in turn (Sutherland and Hodgman 1974).
  package func clipped(to convex: Polygon) -> Polygon {
    var part = self
    for (index, start) in convex.corners.enumerated() {
      let way = convex.corners[(index + 1) % convex.corners.count] - start
      part = part.cut { way.cross($0 - start) }
    }
    return part
  }

  /// Intersection over union with a convex polygon: 1 when they are the same, 0 when apart.
  package func overlap(with convex: Polygon) -> Double {
    let intersection = clipped(to: convex).area
    let union = area + convex.area - intersection
    return union > 0 ? intersection / union : 0
  }
}

extension Quad {
  /// Intersection over union of two convex quads: 1 when they are the same, 0 when apart.
  package func overlap(with other: Quad) -> Double { Polygon(self).overlap(with: Polygon(other)) }
}
