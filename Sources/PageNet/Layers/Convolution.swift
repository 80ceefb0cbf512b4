/// A layer that mixes all channels of a place, or of the 3 × 3 places around it.
///
/// Eight outputs of four places are summed at once: that many sums stay in the registers of any 64-bit processor.
struct Convolution: Sendable {
  /// Outputs of one block.
  static let lanes = 8
  /// Neighbouring places that are worked on together; no map is narrower.
  static let span = 4

  let side: Int
  let stride: Int
  let inputs: Int
  /// Outputs, filled up to whole blocks.
  let outputs: Int
  let isRectified: Bool
  /// For each block of outputs, each row, column and input of the kernel: `lanes` weights.
  private let weights: [Float]
  private let bias: [Float]

  /// - Parameter layer: weights in the order row, column, input, output.
  init(_ layer: WeightFile.Layer, stride: Int = 1, isRectified: Bool) {
    side = layer.places == 1 ? 1 : 3
    self.stride = stride
    inputs = layer.inputs
    let blocks = (layer.outputs + Self.lanes - 1) / Self.lanes
    outputs = blocks * Self.lanes
    self.isRectified = isRectified
    let depth = layer.places * layer.inputs
    var packed = [Float](repeating: 0, count: depth * outputs)
    for block in 0..<blocks {
      for row in 0..<depth {
        for lane in 0..<Self.lanes where block * Self.lanes + lane < layer.outputs {
          packed[(block * depth + row) * Self.lanes + lane] =
            layer.weights[row * layer.outputs + block * Self.lanes + lane]
        }
      }
    }
    weights = packed
    bias = layer.bias + Array(repeating: 0, count: outputs - layer.outputs)
  }

  func apply(_ map: FeatureMap) -> FeatureMap {
    var result = FeatureMap(width: map.width / stride, height: map.height / stride, channels: outputs)
    let (rowStride, reach) = (map.rowStride, side * inputs)
    let depth = side * reach
    let step = stride * inputs
    let margin = FeatureMap.border - side / 2
    let first = margin * rowStride + margin * inputs
    let resultStride = result.rowStride
    let resultFirst = FeatureMap.border * (resultStride + outputs)
    let (width, height) = (result.width, result.height)
    unsafe map.values.withUnsafeBufferPointer { input in
      unsafe weights.withUnsafeBytes { weights in
        unsafe bias.withUnsafeBytes { bias in
          unsafe result.values.withUnsafeMutableBytes { output in
            for block in 0..<outputs / Self.lanes {
              let blockWeights = unsafe UnsafeRawBufferPointer(rebasing: weights[(block * depth * 32)...])
              let start = unsafe bias.loadUnaligned(fromByteOffset: block * 32, as: SIMD8<Float>.self)
              for y in 0..<height {
                let row = first + y * stride * rowStride
                var x = 0
                while x < width {
                  // The last span may cover places that are done already; they come out the same again.
                  let place = min(x, width - Self.span)
                  var (a, b, c, d) = (start, start, start, start)
                  var offset = 0
                  for line in 0..<side {
                    let from = row &+ line &* rowStride &+ place &* step
                    for index in 0..<reach {
                      let weight = unsafe blockWeights.loadUnaligned(
                        fromByteOffset: offset, as: SIMD8<Float>.self)
                      offset &+= 32
                      let at = from &+ index
                      unsafe a += weight * input[at]
                      unsafe b += weight * input[at &+ step]
                      unsafe c += weight * input[at &+ 2 &* step]
                      unsafe d += weight * input[at &+ 3 &* step]
                    }
                  }
                  let to = 4 * (resultFirst + y * resultStride + place * outputs + block * Self.lanes)
                  unsafe store(a, output, to)
                  unsafe store(b, output, to + 4 * outputs)
                  unsafe store(c, output, to + 8 * outputs)
                  unsafe store(d, output, to + 12 * outputs)
                  x += Self.span
                }
              }
            }
          }
        }
      }
    }
    return result
  }

  @inline(__always)
  private func store(_ sums: SIMD8<Float>, _ output: UnsafeMutableRawBufferPointer, _ offset: Int) {
    unsafe output.storeBytes(
      of: isRectified ? sums.replacing(with: 0, where: sums .< 0) : sums, toByteOffset: offset,
      as: SIMD8<Float>.self)
  }
}

/// A layer that looks at the 5 × 5 places around each, every channel for itself.
struct ChannelwiseConvolution: Sendable {
  static let side = 5

  private let weights: [Float]
  private let bias: [Float]

  /// - Parameter layer: weights in the order row, column, channel.
  init(_ layer: WeightFile.Layer) {
    weights = layer.weights
    bias = layer.bias
  }

  func apply(_ map: FeatureMap) -> FeatureMap {
    var result = FeatureMap(width: map.width, height: map.height, channels: map.channels)
    let reach = Self.side / 2
    for y in 0..<map.height {
      for x in 0..<map.width {
        let to = result.index(x, y)
        for channel in 0..<map.channels { result.values[to + channel] = bias[channel] }
        for row in max(0, y - reach)...min(map.height - 1, y + reach) {
          for column in max(0, x - reach)...min(map.width - 1, x + reach) {
            let from = map.index(column, row)
            let weight = ((row - y + reach) * Self.side + column - x + reach) * map.channels
            for channel in 0..<map.channels {
              result.values[to + channel] += weights[weight + channel] * map.values[from + channel]
            }
          }
        }
      }
    }
    return result
  }
}

/// A layer on one list of numbers: a sum of all with weights, for each output.
struct Mixing: Sendable {
  private let weights: [Float]
  private let bias: [Float]

  /// - Parameter layer: weights in the order input, output.
  init(_ layer: WeightFile.Layer) {
    weights = layer.weights
    bias = layer.bias
  }

  func apply(_ numbers: [Float]) -> [Float] {
    var sums = bias
    for (index, number) in numbers.enumerated() {
      for output in sums.indices { sums[output] += weights[index * sums.count + output] * number }
    }
    return sums
  }
}
