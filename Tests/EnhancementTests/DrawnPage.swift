import Glibc
import Raster
import TestSupport

/// A page drawn for a test: reflectances, then light, then a camera's noise.
struct DrawnPage {
  let width: Int
  let height: Int
  /// Reflectance of each pixel as samples 0…255, red, green, blue.
  var ink: [[Double]]

  init(width: Int = 600, height: Int = 800, paper: [Double] = [255, 255, 255]) {
    (self.width, self.height) = (width, height)
    ink = Array(repeating: paper, count: width * height)
  }

  /// Fills a rectangle.
  mutating func fill(_ x: Range<Int>, _ y: Range<Int>, _ colour: [Double]) {
    for row in y { for column in x { ink[row * width + column] = colour } }
  }

  /// Lines of something like text: blots of `colour` two pixels wide, of varying height.
  mutating func fillWithText(_ y: Range<Int>, x: Range<Int> = 60..<540, _ colour: [Double]) {
    for top in stride(from: y.lowerBound, to: y.upperBound - 14, by: 24) {
      for letter in stride(from: x.lowerBound, to: x.upperBound, by: 8) where (letter / 8) % 7 != 0 {
        fill(letter..<letter + 2, top..<top + 8 + (letter / 8) % 5, colour)
        fill(letter..<letter + 6, top + 4..<top + 6, colour)
      }
    }
  }

  /// Puts the page out of focus.
  ///
  /// - Parameter deviation: of the bell curve that every point becomes, in pixels.
  mutating func blur(deviation: Double) {
    let reach = Int(3 * deviation)
    let weights = (-reach...reach).map { exp(-Double($0 * $0) / (2 * deviation * deviation)) }
    let total = weights.reduce(0, +)
    for step in [(1, 0), (0, 1)] {
      let before = ink
      for y in 0..<height {
        for x in 0..<width {
          var sum = [0.0, 0, 0]
          for (index, weight) in weights.enumerated() {
            let (column, row) = (x + step.0 * (index - reach), y + step.1 * (index - reach))
            let colour = before[min(height - 1, max(0, row)) * width + min(width - 1, max(0, column))]
            for channel in 0..<3 { sum[channel] += weight * colour[channel] }
          }
          ink[y * width + x] = sum.map { $0 / total }
        }
      }
    }
  }

  /// The photo of the page.
  ///
  /// - Parameters:
  ///   - light: what a white page would show at a place, as a sample.
  ///   - noise: standard deviation of each sample, in levels.
  func photographed(noise: Double = 3, light: (_ x: Double, _ y: Double) -> Double) -> Raster {
    var generator = SeededGenerator(seed: 20)
    var samples: [UInt8] = []
    samples.reserveCapacity(width * height * 3)
    for y in 0..<height {
      for x in 0..<width {
        let level = (light(Double(x) / Double(width), Double(y) / Double(height)) + 14) / 269
        for channel in 0..<3 {
          // The sum of twelve even chances is as good as a bell curve.
          let chance = (0..<12).reduce(-6.0) { sum, _ in sum + Double.random(in: 0..<1, using: &generator) }
          // Light is a factor of samples once 14 is added to them, as sRGB has it.
          let value = (ink[y * width + x][channel] + 14) * level - 14 + noise * chance
          samples.append(UInt8(max(0, min(255, value.rounded()))))
        }
      }
    }
    return Raster(size: PixelSize(width: width, height: height), format: .rgb, samples: samples)
  }

  /// Light that falls from 230 at the left to 115 at the right.
  static func twoToOne(_ x: Double, _ y: Double) -> Double { 230 - 115 * x }
}

extension Raster {
  /// Mean of a channel over a rectangle.
  func mean(_ x: Range<Int>, _ y: Range<Int>, channel: Int = 0) -> Double {
    var sum = 0
    for row in y {
      for column in x { sum += Int(samples[row * rowStride + column * format.channels + channel]) }
    }
    return Double(sum) / Double(x.count * y.count)
  }

  /// Standard deviation of a channel over a rectangle.
  func deviation(_ x: Range<Int>, _ y: Range<Int>, channel: Int = 0) -> Double {
    let middle = mean(x, y, channel: channel)
    var sum = 0.0
    for row in y {
      for column in x {
        let distance = Double(samples[row * rowStride + column * format.channels + channel]) - middle
        sum += distance * distance
      }
    }
    return (sum / Double(x.count * y.count)).squareRoot()
  }

  /// The share of pixels of a rectangle all of whose samples are 255.
  func pureShare(_ x: Range<Int>, _ y: Range<Int>) -> Double {
    var pure = 0
    for row in y { for column in x where self[x: column, y: row].allSatisfy({ $0 == 255 }) { pure += 1 } }
    return Double(pure) / Double(x.count * y.count)
  }
}
