internal import CCorrectionKernels

/// Reads a photo between its pixels.
///
/// Holds pointers that are valid only inside the call that lent them; it never leaves `resample`.
@safe struct PhotoSampler {
  let samples: UnsafePointer<UInt8>
  /// `CubicWeights.table`.
  let weights: UnsafePointer<Int16>
  let width: Int
  let height: Int
  let channels: Int

  /// 1.5 · 2⁵²: adding it to a small number rounds that to a whole one, which then stands in the lowest bits.
  private static let rounder = 6_755_399_441_055_744.0
  private static let rounderBits = Int(bitPattern: UInt(rounder.bitPattern))

  @inline(__always)
  private static func nearest(_ value: Double) -> Int {
    Int(truncatingIfNeeded: (value + rounder).bitPattern) &- rounderBits
  }

  /// Writes the pixels at the first `count` points of a row, white where they lie outside.
  func write(_ row: flatbed_cubic_row, count: Int, to target: UnsafeMutablePointer<UInt8>) {
    let half: Int32 = 1 &<< 21
    for index in 0..<count {
      var sums: (Int32, Int32, Int32) = (0, 0, 0)
      add(row, index, to: &sums)
      let pixel = unsafe target + index &* channels
      unsafe pixel[0] = Self.sample((sums.0 &+ half) &>> 22)
      if channels == 3 {
        unsafe pixel[1] = Self.sample((sums.1 &+ half) &>> 22)
        unsafe pixel[2] = Self.sample((sums.2 &+ half) &>> 22)
      }
    }
  }

  /// Adds the samples at the first `count` points of a row to `sums`, four for each pixel, in units of 2⁻²².
  func add(_ row: flatbed_cubic_row, count: Int, to sums: UnsafeMutablePointer<Double>) {
    for index in 0..<count {
      var point: (Int32, Int32, Int32) = (0, 0, 0)
      add(row, index, to: &point)
      unsafe sums[4 &* index] += Double(point.0)
      unsafe sums[4 &* index &+ 1] += Double(point.1)
      unsafe sums[4 &* index &+ 2] += Double(point.2)
    }
  }

  /// Writes pixels: each of the sums times `factor` plus `bias`, cut to a whole number from 0 to 255.
  func finish(
    _ sums: UnsafePointer<Double>, count: Int, factor: Double, bias: Double,
    to target: UnsafeMutablePointer<UInt8>
  ) {
    for index in 0..<count {
      for channel in 0..<channels {
        let mean = unsafe sums[4 &* index &+ channel] * factor + bias
        unsafe target[index &* channels &+ channel] = Self.sample(Int32(mean))
      }
    }
  }

  @inline(__always)
  private static func sample(_ value: Int32) -> UInt8 {
    UInt8(truncatingIfNeeded: min(255, max(0, value)))
  }

  /// Adds the samples at one point of a row, in units of 2⁻²².
  @inline(__always)
  private func add(_ row: flatbed_cubic_row, _ index: Int, to sums: inout (Int32, Int32, Int32)) {
    let along = Double(index)
    let inverse = 1 / (row.w + along * row.step_w)
    let x = (row.u + along * row.step_u) * inverse
    let y = (row.v + along * row.step_v) * inverse
    // A thousandth of a pixel of slack: rounding mustn't turn the outermost pixels white.
    let rim = -128.256
    guard x >= rim, y >= rim, x <= Double(256 &* width) + rim + 0.512,
      y <= Double(256 &* height) + rim + 0.512
    else {
      let white: Int32 = 255 &<< 22
      sums = (white, white, white)
      return
    }
    add(Self.nearest(x), Self.nearest(y), to: &sums)
  }

  /// Adds the samples at a place in 1/256 pixels from the middle of the first pixel.
  @inline(__always)
  private func add(_ x: Int, _ y: Int, to sums: inout (Int32, Int32, Int32)) {
    let column = (x &>> 8) &- 1
    let row = (y &>> 8) &- 1
    let acrossWeights = unsafe weights + (x & 255) &* 4
    let downWeights = unsafe weights + (y & 255) &* 4
    let (w0, w1) = unsafe (Int32(acrossWeights[0]), Int32(acrossWeights[1]))
    let (w2, w3) = unsafe (Int32(acrossWeights[2]), Int32(acrossWeights[3]))
    if column >= 0 && row >= 0 && column &+ 3 < width && row &+ 3 < height {
      if channels == 3 {
        var p = unsafe samples + (row &* width &+ column) &* 3
        let step = width &* 3
        for line in 0..<4 {
          let weight = unsafe Int32(downWeights[line])
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
          sums.0 &+= unsafe sum &* Int32(downWeights[line])
          unsafe p += width
        }
      }
      return
    }
    // Near the photo's rim: the outermost pixels are repeated.
    for line in 0..<4 {
      let y = min(height &- 1, max(0, row &+ line))
      let weight = unsafe Int32(downWeights[line])
      for tap in 0..<4 {
        let x = min(width &- 1, max(0, column &+ tap))
        let both = unsafe weight &* Int32(acrossWeights[tap])
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
