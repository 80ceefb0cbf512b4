import Foundation
import ImageCodecs
import Raster
import Testing

/// Files of the Fixtures folder, and what is compared with them.
enum Fixture {
  static func bytes(_ name: String) throws -> [UInt8] {
    let url = try #require(Bundle.module.url(forResource: "Fixtures", withExtension: nil))
    return try [UInt8](Data(contentsOf: url.appendingPathComponent(name)))
  }

  static func decode(_ name: String, _ options: DecodeOptions = DecodeOptions()) throws -> DecodedImage {
    try ImageSource(bytes: bytes(name), options: options).decode()
  }

  /// The picture that most fixtures show.
  static func page() throws -> Raster { try decode("page.png").raster }
}

/// The mean difference of samples, or infinity when the pictures have not the same shape.
func meanDifference(_ left: Raster, _ right: Raster) -> Double {
  guard left.size == right.size, left.format == right.format else { return .infinity }
  let sum = zip(left.samples, right.samples).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
  return Double(sum) / Double(left.samples.count)
}

/// The largest difference of samples, or `Int.max` when the pictures have not the same shape.
func largestDifference(_ left: Raster, _ right: Raster) -> Int {
  guard left.size == right.size, left.format == right.format else { return .max }
  return zip(left.samples, right.samples).reduce(0) { max($0, abs(Int($1.0) - Int($1.1))) }
}

/// The 95th percentile of ΔE (CIE 1976) between two sRGB pictures: edges of a lossy file may differ more.
func deltaE(_ left: Raster, _ right: Raster) -> Double {
  guard left.size == right.size else { return .infinity }
  let (one, other) = (left.rgb().samples, right.rgb().samples)
  let differences = stride(from: 0, to: one.count, by: 3).map { index in
    let (a, b) = (lab(one[index..<index + 3]), lab(other[index..<index + 3]))
    return zip(a, b).map { ($0 - $1) * ($0 - $1) }.reduce(0, +).squareRoot()
  }.sorted()
  return differences[differences.count * 95 / 100]
}

private func lab(_ rgb: ArraySlice<UInt8>) -> [Double] {
  let linear = rgb.map { sample in
    let value = Double(sample) / 255
    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
  }
  let (r, g, b) = (linear[0], linear[1], linear[2])
  let ratios = [
    (0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047,
    0.2126729 * r + 0.7151522 * g + 0.0721750 * b,
    (0.0193339 * r + 0.1191920 * g + 0.9503041 * b) / 1.08883,
  ]
  let f = ratios.map { $0 > 216.0 / 24389 ? cbrt($0) : (24389.0 / 27 * $0 + 16) / 116 }
  return [116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])]
}
