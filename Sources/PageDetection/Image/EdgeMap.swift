/// Where colour changes, how clearly, and in which direction.
struct EdgeMap: Sendable {
  /// Side of the square over which the surroundings of an edge are averaged, minus one, halved.
  static let surroundRadius = 12
  /// A gradient this many levels per pixel counts half when all around is even.
  static let floorLevels: Float = 1.2
  /// How much the photo's median gradient (its grain) raises that floor.
  static let floorPerMedian: Float = 1.5
  /// How much busy surroundings damp an edge: text and weave lose, a lone side of a page doesn't.
  static let surroundWeight: Float = 0.9
  /// Chroma channels are noisier than lightness and count less.
  static let chromaWeight: Float = 0.6

  let width: Int
  let height: Int
  /// Edge strength from 0 to 1, relative to noise and to how busy the surroundings are.
  let strength: [Float]
  /// Unit normal of the edge (direction of steepest change), sign open, `normalX ≥ 0`.
  let normalX: [Float]
  let normalY: [Float]
  /// Pixels on the crest of an edge.
  let crest: [Int32]

  /// - Parameter copy: already smoothed.
  init(of copy: SmallCopy) {
    let (w, h) = (copy.width, copy.height)
    var magnitude = Plane(width: w, height: h)
    var normalX = [Float](repeating: 1, count: w * h)
    var normalY = [Float](repeating: 0, count: w * h)
    if w > 2 && h > 2 {
      let channels: [(Plane, Float)] = [
        (copy.lightness, 0.5), (copy.redGreen, 0.5 * Self.chromaWeight),
        (copy.yellowBlue, 0.5 * Self.chromaWeight),
      ]
      for y in 1..<(h - 1) {
        for x in 1..<(w - 1) {
          let index = y * w + x
          // The structure tensor summed over channels (Di Zenzo 1986).
          var (xx, xy, yy): (Float, Float, Float) = (0, 0, 0)
          for (plane, weight) in channels {
            let dx = (plane.values[index + 1] - plane.values[index - 1]) * weight
            let dy = (plane.values[index + w] - plane.values[index - w]) * weight
            xx += dx * dx
            xy += dx * dy
            yy += dy * dy
          }
          let difference = xx - yy
          let root = (difference * difference + 4 * xy * xy).squareRoot()
          magnitude.values[index] = (0.5 * (xx + yy + root)).squareRoot()
          guard root > 1e-6 else { continue }
          let cosine = difference / root
          normalX[index] = (max(0, 0.5 * (1 + cosine))).squareRoot()
          let sine = (max(0, 0.5 * (1 - cosine))).squareRoot()
          normalY[index] = xy < 0 ? -sine : sine
        }
      }
    }
    let surround = magnitude.boxMean(radius: Self.surroundRadius)
    let floor = Self.floorLevels + Self.floorPerMedian * magnitude.percentile(0.5)
    var strength = [Float](repeating: 0, count: w * h)
    for index in strength.indices {
      let value = magnitude.values[index]
      strength[index] = value / (value + floor + Self.surroundWeight * surround.values[index])
    }
    var crest: [Int32] = []
    if w > 4 && h > 4 {
      for y in 2..<(h - 2) {
        for x in 2..<(w - 2) {
          let index = y * w + x
          let value = magnitude.values[index]
          guard strength[index] > Self.crestThreshold else { continue }
          // 0.3827 is sin 22.5°: the neighbour nearest to the direction of the normal.
          let stepX = normalX[index] > 0.3827 ? 1 : 0
          let stepY = abs(normalY[index]) > 0.3827 ? (normalY[index] > 0 ? 1 : -1) : 0
          let step = stepY * w + stepX
          if value >= magnitude.values[index + step] && value > magnitude.values[index - step] {
            crest.append(Int32(index))
          }
        }
      }
    }
    self.width = w
    self.height = h
    self.strength = strength
    self.normalX = normalX
    self.normalY = normalY
    self.crest = crest
  }

  /// The least strength of an edge pixel that may vote for a line.
  static let crestThreshold: Float = 0.3
}
