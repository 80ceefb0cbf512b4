import Raster

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
      unsafe magnitude.values.withUnsafeMutableBufferPointer { magnitude in
        unsafe normalX.withUnsafeMutableBufferPointer { normalX in
          unsafe normalY.withUnsafeMutableBufferPointer { normalY in
            for y in 1..<(h - 1) {
              unsafe Self.gradients(
                of: copy, row: y, magnitude: magnitude, normalX: normalX, normalY: normalY)
            }
          }
        }
      }
    }
    let surround = magnitude.boxMean(radius: Self.surroundRadius)
    let floor = Self.floorLevels + Self.floorPerMedian * Histogram(of: magnitude).percentile(0.5)
    var strength = [Float](repeating: 0, count: w * h)
    unsafe strength.withUnsafeMutableBufferPointer { strength in
      unsafe magnitude.values.withUnsafeBufferPointer { magnitude in
        unsafe surround.values.withUnsafeBufferPointer { surround in
          for index in 0..<w &* h {
            let value = unsafe magnitude[index]
            unsafe strength[index] = value / (value + floor + Self.surroundWeight * surround[index])
          }
        }
      }
    }
    var crest: [Int32] = []
    if w > 4 && h > 4 {
      for y in 2..<(h - 2) {
        unsafe strength.withUnsafeBufferPointer { strength in
          for index in (y &* w &+ 2)..<(y &* w &+ w &- 2)
          where unsafe strength[index] > Self.crestThreshold {
            // 0.3827 is sin 22.5°: the neighbour nearest to the direction of the normal.
            let stepX = normalX[index] > 0.3827 ? 1 : 0
            let stepY = abs(normalY[index]) > 0.3827 ? (normalY[index] > 0 ? 1 : -1) : 0
            let step = stepY * w + stepX
            let value = magnitude.values[index]
            if value >= magnitude.values[index + step] && value > magnitude.values[index - step] {
              crest.append(Int32(index))
            }
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

  /// The steepest change at each pixel of a row but its first and last, in levels per pixel, and the direction of that change.
  private static func gradients(
    of copy: SmallCopy, row: Int, magnitude: UnsafeMutableBufferPointer<Float>,
    normalX: UnsafeMutableBufferPointer<Float>, normalY: UnsafeMutableBufferPointer<Float>
  ) {
    let width = copy.width
    let half: Float = 0.5
    let signBit: UInt32 = 1 << 31
    unsafe copy.lightness.values.withUnsafeBufferPointer { light in
      unsafe copy.redGreen.values.withUnsafeBufferPointer { redGreen in
        unsafe copy.yellowBlue.values.withUnsafeBufferPointer { yellowBlue in
          for index in (row &* width &+ 1)..<(row &* width &+ width &- 1) {
            let (left, right, above, below) = (index &- 1, index &+ 1, index &- width, index &+ width)
            let lightX = unsafe (light[right] - light[left]) * half
            let lightY = unsafe (light[below] - light[above]) * half
            let redX = unsafe (redGreen[right] - redGreen[left]) * (half * chromaWeight)
            let redY = unsafe (redGreen[below] - redGreen[above]) * (half * chromaWeight)
            let blueX = unsafe (yellowBlue[right] - yellowBlue[left]) * (half * chromaWeight)
            let blueY = unsafe (yellowBlue[below] - yellowBlue[above]) * (half * chromaWeight)
            // The structure tensor summed over channels (Di Zenzo 1986).
            let xx = lightX * lightX + redX * redX + blueX * blueX
            let xy = lightX * lightY + redX * redY + blueX * blueY
            let yy = lightY * lightY + redY * redY + blueY * blueY
            let difference = xx - yy
            let root = (difference * difference + 4 * xy * xy).squareRoot()
            unsafe magnitude[index] = (half * (xx + yy + root)).squareRoot()
            // Without a change any direction is as good as another. No branches, so that the loop runs on many pixels at once.
            let cosine = difference / (root > 1e-6 ? root : 1e-6)
            let (more, less) = (half + half * cosine, half - half * cosine)
            let sine = (less > 0 ? less : 0).squareRoot()
            unsafe normalX[index] = (more > 0 ? more : 0).squareRoot()
            unsafe normalY[index] = Float(bitPattern: sine.bitPattern | xy.bitPattern & signBit)
          }
        }
      }
    }
  }

  /// How strong the edge at a pixel is as one with this normal, 0 to 1; either sign of the normal will do.
  func strength(of pixel: Int, _ normalX: Float, _ normalY: Float) -> Float {
    let cosine = self.normalX[pixel] * normalX + self.normalY[pixel] * normalY
    // cos² 20° = 0.88: an edge that runs askew is another edge.
    return strength[pixel] * max(0, (cosine * cosine - 0.75) / 0.25)
  }

  /// The strongest edge with this normal at a place and at the pixels to both sides of it, 0 to 1.
  func strength(at place: Point, across normal: Point) -> Float {
    var strongest: Float = 0
    for shift in -1...1 {
      let column = Int(place.x + normal.x * Double(shift))
      let row = Int(place.y + normal.y * Double(shift))
      guard column >= 0 && column < width && row >= 0 && row < height else { continue }
      strongest = max(
        strongest, strength(of: row &* width &+ column, Float(normal.x), Float(normal.y)))
    }
    return strongest
  }
}
