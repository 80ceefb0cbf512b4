/// Reads a photo between its pixels.
///
/// Holds pointers that are valid only inside the call that lent them; it never leaves `resample`.
@safe struct PhotoSampler: ~Copyable {
  let samples: UnsafePointer<UInt8>
  /// `CubicWeights.table`.
  let weights: UnsafePointer<Int32>
  let width: Int
  let height: Int
  let channels: Int

  /// 1.5 · 2⁵²: adding it to a small number rounds that to a whole one, which then stands in the lowest bits.
  private static let rounder = 6_755_399_441_055_744.0
  private static let rounderBits = Int(bitPattern: UInt(rounder.bitPattern))

  /// A coordinate as a whole number of 1/256 pixels.
  @inline(__always)
  private static func fixed(_ coordinate: Double) -> Int {
    Int(truncatingIfNeeded: (coordinate * 256 + rounder).bitPattern) &- rounderBits
  }

  /// Writes the pixel at a place in the photo, white when it lies outside.
  @inline(__always)
  func write(_ x: Double, _ y: Double, to target: UnsafeMutablePointer<UInt8>) {
    var sums: (Int32, Int32, Int32) = (0, 0, 0)
    add(x, y, to: &sums)
    let half: Int32 = 1 &<< 21
    unsafe target[0] = Self.sample((sums.0 &+ half) &>> 22)
    if channels == 3 {
      unsafe target[1] = Self.sample((sums.1 &+ half) &>> 22)
      unsafe target[2] = Self.sample((sums.2 &+ half) &>> 22)
    }
  }

  /// Writes the mean of several points of the flat page's pixel at (x, y).
  func writeMean(
    _ m: [Double], x: Double, y: Double, across: Spread, down: Spread, to target: UnsafeMutablePointer<UInt8>
  ) {
    var totals: (Int, Int, Int) = (0, 0, 0)
    for row in 0..<down.count {
      let pointY = y + down.first + Double(row) * down.spacing
      for column in 0..<across.count {
        let pointX = x + across.first + Double(column) * across.spacing
        let inverse = 1 / (m[6] * pointX + m[7] * pointY + m[8])
        var sums: (Int32, Int32, Int32) = (0, 0, 0)
        add(
          (m[0] * pointX + m[1] * pointY + m[2]) * inverse, (m[3] * pointX + m[4] * pointY + m[5]) * inverse,
          to: &sums)
        totals.0 &+= Int(sums.0)
        totals.1 &+= Int(sums.1)
        totals.2 &+= Int(sums.2)
      }
    }
    let divisor = Double(across.count * down.count) * 4_194_304
    unsafe target[0] = Self.sample(Int32((Double(totals.0) / divisor).rounded()))
    if channels == 3 {
      unsafe target[1] = Self.sample(Int32((Double(totals.1) / divisor).rounded()))
      unsafe target[2] = Self.sample(Int32((Double(totals.2) / divisor).rounded()))
    }
  }

  @inline(__always)
  private static func sample(_ value: Int32) -> UInt8 {
    UInt8(truncatingIfNeeded: min(255, max(0, value)))
  }

  /// Adds the samples at a place in the photo, in units of 2⁻²².
  @inline(__always)
  private func add(_ x: Double, _ y: Double, to sums: inout (Int32, Int32, Int32)) {
    // A quarter of a thousandth of a pixel of slack: rounding mustn't turn the outermost pixels white.
    guard x >= -0.001, y >= -0.001, x <= Double(width) + 0.001, y <= Double(height) + 0.001 else {
      let white: Int32 = 255 &<< 22
      sums = (white, white, white)
      return
    }
    let fixedX = Self.fixed(x - 0.5)
    let fixedY = Self.fixed(y - 0.5)
    let column = (fixedX &>> 8) &- 1
    let row = (fixedY &>> 8) &- 1
    let acrossWeights = unsafe weights + (fixedX & 255) &* 4
    let downWeights = unsafe weights + (fixedY & 255) &* 4
    let (w0, w1, w2, w3) = unsafe (acrossWeights[0], acrossWeights[1], acrossWeights[2], acrossWeights[3])
    if column >= 0 && row >= 0 && column &+ 3 < width && row &+ 3 < height {
      if channels == 3 {
        var p = unsafe samples + (row &* width &+ column) &* 3
        let step = width &* 3
        for line in 0..<4 {
          let weight = unsafe downWeights[line]
          let red = unsafe Int32(p[0]) &* w0 &+ Int32(p[3]) &* w1 &+ Int32(p[6]) &* w2 &+ Int32(p[9]) &* w3
          let green = unsafe Int32(p[1]) &* w0 &+ Int32(p[4]) &* w1 &+ Int32(p[7]) &* w2 &+ Int32(p[10]) &* w3
          let blue = unsafe Int32(p[2]) &* w0 &+ Int32(p[5]) &* w1 &+ Int32(p[8]) &* w2 &+ Int32(p[11]) &* w3
          sums.0 &+= red &* weight
          sums.1 &+= green &* weight
          sums.2 &+= blue &* weight
          unsafe p += step
        }
      } else {
        var p = unsafe samples + (row &* width &+ column)
        for line in 0..<4 {
          let sum = unsafe Int32(p[0]) &* w0 &+ Int32(p[1]) &* w1 &+ Int32(p[2]) &* w2 &+ Int32(p[3]) &* w3
          sums.0 &+= unsafe sum &* downWeights[line]
          unsafe p += width
        }
      }
      return
    }
    // Near the photo's rim: the outermost pixels are repeated.
    for line in 0..<4 {
      let y = min(height &- 1, max(0, row &+ line))
      let weight = unsafe downWeights[line]
      for tap in 0..<4 {
        let x = min(width &- 1, max(0, column &+ tap))
        let both = unsafe weight &* acrossWeights[tap]
        let p = unsafe samples + (y &* width &+ x) &* channels
        sums.0 &+= unsafe Int32(p[0]) &* both
        if channels == 3 {
          sums.1 &+= unsafe Int32(p[1]) &* both
          sums.2 &+= unsafe Int32(p[2]) &* both
        }
      }
    }
  }
}
