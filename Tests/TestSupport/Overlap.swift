package import Raster

/// Intersection over union of two convex quads, by clipping one with the other: 1 when they are the same, 0 when apart.
package func overlap(_ one: Quad, _ two: Quad) -> Double {
  var polygon = one.corners
  let clip = two.corners
  for index in clip.indices {
    let start = clip[index]
    let way = clip[(index + 1) % clip.count] - start
    var kept: [Point] = []
    for place in polygon.indices {
      let previous = polygon[(place + polygon.count - 1) % polygon.count]
      let current = polygon[place]
      // Corners go clockwise on the screen, so the inside has a positive cross product.
      let (before, now) = (way.cross(previous - start), way.cross(current - start))
      if (before >= 0) != (now >= 0) {
        kept.append(previous + (current - previous) * (before / (before - now)))
      }
      if now >= 0 { kept.append(current) }
    }
    polygon = kept
    if polygon.isEmpty { return 0 }
  }
  var doubleArea = 0.0
  for place in polygon.indices {
    doubleArea += polygon[place].cross(polygon[(place + 1) % polygon.count])
  }
  let intersection = abs(doubleArea) / 2
  let union = one.area + two.area - intersection
  return union > 0 ? intersection / union : 0
}
