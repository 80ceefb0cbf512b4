/// Numbers on a grid, several at each place: what a layer takes and gives.
///
/// Rows from top to bottom, each place's channels side by side. Around it lies a border of one place of zeros, so that a
/// 3 × 3 convolution needs no test for the rim.
package struct FeatureMap: Sendable {
  package static let border = 1

  package let width: Int
  package let height: Int
  package let channels: Int
  package var values: [Float]

  init(width: Int, height: Int, channels: Int) {
    self.width = width
    self.height = height
    self.channels = channels
    values = Array(
      repeating: 0, count: (width + 2 * Self.border) * (height + 2 * Self.border) * channels)
  }

  /// - Parameter values: of all places, without the border.
  package init(width: Int, height: Int, channels: Int, values inside: [Float]) {
    self.init(width: width, height: height, channels: channels)
    let row = width * channels
    for y in 0..<height {
      let to = index(0, y)
      values.replaceSubrange(to..<to + row, with: inside[(y * row)..<((y + 1) * row)])
    }
  }

  /// The numbers of all places, without the border.
  package func inside() -> [Float] {
    (0..<height).flatMap { y in values[index(0, y)..<index(width, y)] }
  }

  /// The map upside down: the last place first.
  package func turnedHalfRound() -> FeatureMap {
    var result = self
    // The border is as wide on all sides, so it turns with the rest.
    let places = values.count / channels
    for place in 0..<places {
      for channel in 0..<channels {
        result.values[place * channels + channel] = values[(places - 1 - place) * channels + channel]
      }
    }
    return result
  }

  /// Numbers from one row to the next.
  var rowStride: Int { (width + 2 * Self.border) * channels }

  /// Where the channels of a place begin.
  package func index(_ x: Int, _ y: Int) -> Int {
    (y + Self.border) * rowStride + (x + Self.border) * channels
  }

  /// The mean of each channel over all places.
  func means() -> [Float] {
    var sums = [Float](repeating: 0, count: channels)
    for y in 0..<height {
      for x in 0..<width {
        let start = index(x, y)
        for channel in 0..<channels { sums[channel] += values[start + channel] }
      }
    }
    let scale = 1 / Float(width * height)
    return sums.map { $0 * scale }
  }

  /// Adds another map of the same size, place by place.
  mutating func add(_ other: FeatureMap, thenRectified: Bool) {
    // Both borders are zero, so they stay so and all numbers are one row.
    let least: Float = thenRectified ? 0 : -.greatestFiniteMagnitude
    unsafe values.withUnsafeMutableBufferPointer { sum in
      unsafe other.values.withUnsafeBufferPointer { other in
        for index in sum.indices {
          let value = unsafe sum[index] + other[index]
          unsafe sum[index] = value > least ? value : least
        }
      }
    }
  }

  /// Adds a number to each channel at all places.
  mutating func add(_ shifts: [Float]) {
    for y in 0..<height {
      for x in 0..<width {
        let start = index(x, y)
        for channel in 0..<channels { values[start + channel] += shifts[channel] }
      }
    }
  }

  /// The sum of a map of half the size, each place of it taken for four, and this one; negative sums become zero.
  func addedToDoubled(_ half: FeatureMap) -> FeatureMap {
    var sum = self
    for y in 0..<height {
      for x in 0..<width {
        let to = index(x, y)
        let from = half.index(x / 2, y / 2)
        for channel in 0..<channels {
          let value = sum.values[to + channel] + half.values[from + channel]
          sum.values[to + channel] = value > 0 ? value : 0
        }
      }
    }
    return sum
  }
}
