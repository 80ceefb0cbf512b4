internal import Raster

/// Tells blank paper's level and noise from a heap of means, most of which may well be print.
///
/// Print only makes darker: what lies on the bright side of the commonest level is paper and noise alone, so that side tells the deviation
/// even where hardly a spot is free of print.
struct BlankPaper {
  /// Quarters of a level, from 48 levels brighter than paper to 80 darker.
  private var histogram = [Int32](repeating: 0, count: 512)
  private var total = 0

  private static let binsPerLevel: Float = 4
  private static let zero = 192
  /// Where the commonest level is looked for, in bins: 10 levels brighter than paper to 14 darker.
  private static let modes = 152...248
  /// Bins on each side that are counted together when it is looked for.
  private static let smoothing = 4
  /// The brightest level is paper's if it is at least this share as common as the commonest.
  private static let commonEnough = 0.5
  /// The share of all means that has to lie about paper's level for it to be any.
  private static let leastShare = 0.06

  /// How many times wider noise may be on the dark side.
  private static let mostSkew: Float = 1.4

  /// Counts a mean, in eighths of a level.
  mutating func count(_ mean: Int32) {
    total &+= 1
    histogram[Int(min(511, max(0, mean / 2 &+ 192)))] &+= 1
  }

  /// Mean and deviation of blank paper's means, in levels; `nil` if there is no blank paper.
  var measured: (level: Float, noise: Float)? {
    guard total > 0 else { return nil }
    let smooth = Self.modes.map { bin in
      (bin - Self.smoothing...bin + Self.smoothing).reduce(0) { $0 + Int(histogram[$1]) }
    }
    guard let most = smooth.max(), most > 0,
      let first = smooth.indices.first(where: { place in
        Double(smooth[place]) >= Self.commonEnough * Double(most)
          && smooth[max(0, place - 2 * Self.smoothing)...min(smooth.count - 1, place + 2 * Self.smoothing)]
            .allSatisfy { $0 <= smooth[place] }
      })
    else { return nil }
    var level = Float(first + Self.modes.lowerBound)
    var noise: Float = 1
    var near: Float = 0
    for _ in 0..<3 {
      noise = deviation(below: level)
      (level, near) = middle(around: level, within: max(2, 1.5 * noise))
    }
    guard near >= Float(total) * Float(Self.leastShare) else { return nil }
    // In the dark, noise reaches farther down than up; but so does print.
    let dark = deviation(above: level, within: 3 * noise)
    noise = max(noise, min(dark, Self.mostSkew * noise))
    return ((level - Float(Self.zero)) / Self.binsPerLevel, noise / Self.binsPerLevel)
  }

  /// The root of the mean square of what is brighter, in bins.
  private func deviation(below level: Float) -> Float {
    var (sum, count): (Float, Float) = (0, 0)
    for bin in histogram.indices where Float(bin) <= level {
      let distance = level - Float(bin)
      sum += Float(histogram[bin]) * distance * distance
      count += Float(histogram[bin])
    }
    return count > 0 ? (sum / count).squareRoot() : 0
  }

  /// The root of the mean square of what is a little darker, in bins.
  private func deviation(above level: Float, within reach: Float) -> Float {
    var (sum, count): (Float, Float) = (0, 0)
    for bin in histogram.indices where Float(bin) > level && Float(bin) <= level + reach {
      let distance = Float(bin) - level
      sum += Float(histogram[bin]) * distance * distance
      count += Float(histogram[bin])
    }
    return count > 0 ? (sum / count).squareRoot() : 0
  }

  /// The mean of what lies around a level, and how much that is.
  private func middle(around level: Float, within reach: Float) -> (Float, Float) {
    var (sum, count): (Float, Float) = (0, 0)
    for bin in histogram.indices where abs(Float(bin) - level) <= reach {
      sum += Float(histogram[bin]) * Float(bin)
      count += Float(histogram[bin])
    }
    return count > 0 ? (sum / count, count) : (level, 0)
  }
}
