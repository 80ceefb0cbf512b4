internal import CPageNet

/// A layer that mixes all channels of a place, or of the 3 × 3 places around it.
package struct Convolution: Sendable {
  private static let lanes = Int(FLATBED_CONVOLUTION_LANES)

  let side: Int
  let stride: Int
  let inputs: Int
  /// Outputs, filled up to whole blocks of lanes.
  let outputs: Int
  let isRectified: Bool
  /// For each block of outputs, each row, column and input of the kernel: one weight a lane.
  private let weights: [Float]
  private let bias: [Float]

  /// - Parameter layer: weights in the order row, column, input, output.
  package init(_ layer: WeightFile.Layer, stride: Int = 1, isRectified: Bool) {
    side = layer.places == 1 ? 1 : 3
    self.stride = stride
    inputs = layer.inputs
    let blocks = (layer.outputs + Self.lanes - 1) / Self.lanes
    outputs = blocks * Self.lanes
    self.isRectified = isRectified
    let depth = layer.places * layer.inputs
    let spare = [Float](repeating: 0, count: outputs - layer.outputs)
    var packed: [Float] = []
    packed.reserveCapacity(depth * outputs)
    for block in 0..<blocks {
      let (first, end) = (block * Self.lanes, min(layer.outputs, (block + 1) * Self.lanes))
      for row in 0..<depth {
        packed += layer.weights[(row * layer.outputs + first)..<(row * layer.outputs + end)]
        if end - first < Self.lanes { packed += spare }
      }
    }
    weights = packed
    bias = layer.bias + spare
  }

  /// - Precondition: the result's width is a multiple of 7, as all maps of a net for 224 pixels are.
  package func apply(_ map: FeatureMap) -> FeatureMap {
    var result = FeatureMap(width: map.width / stride, height: map.height / stride, channels: outputs)
    precondition(result.width % Int(FLATBED_CONVOLUTION_SPAN) == 0)
    let first = map.index(-(side / 2), -(side / 2))
    let to = result.index(0, 0)
    let (width, height, resultRow) = (result.width, result.height, result.rowStride)
    unsafe map.values.withUnsafeBufferPointer { input in
      unsafe result.values.withUnsafeMutableBufferPointer { output in
        guard let input = input.baseAddress, let output = output.baseAddress else { return }
        unsafe flatbed_convolve(
          input + first, map.rowStride, stride * map.rowStride, stride * inputs, Int32(side), Int32(inputs),
          weights, bias, output + to, resultRow, Int32(outputs), Int32(width), Int32(height), isRectified)
      }
    }
    return result
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
