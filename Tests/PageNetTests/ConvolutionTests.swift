import PageNet
import TestSupport
import Testing

/// The layers that do nearly all of the work, against sums written out.
struct ConvolutionTests {
  private static func numbers(_ count: Int, _ generator: inout SeededGenerator) -> [Float] {
    (0..<count).map { _ in Float.random(in: -1...1, using: &generator) }
  }

  @Test(
    "each output is the sum over its places and inputs, whatever the stride and the number of outputs",
    arguments: [(places: 9, stride: 1), (9, 2), (1, 1)], [(inputs: 3, outputs: 16), (24, 24), (5, 4)])
  func sums(shape: (places: Int, stride: Int), depth: (inputs: Int, outputs: Int)) {
    var generator = SeededGenerator(seed: 11)
    let (width, height) = (14 * shape.stride, 6 * shape.stride)
    let input = Self.numbers(width * height * depth.inputs, &generator)
    let layer = WeightFile.Layer(
      places: shape.places, inputs: depth.inputs, outputs: depth.outputs,
      weights: Self.numbers(shape.places * depth.inputs * depth.outputs, &generator),
      bias: Self.numbers(depth.outputs, &generator))
    let map = FeatureMap(width: width, height: height, channels: depth.inputs, values: input)
    let isRectified = depth.outputs == 24
    let result = Convolution(layer, stride: shape.stride, isRectified: isRectified).apply(map)
    #expect((result.width, result.height) == (14, 6))
    let side = shape.places == 9 ? 3 : 1
    for y in 0..<6 {
      for x in 0..<14 {
        for output in 0..<depth.outputs {
          var sum = Double(layer.bias[output])
          for place in 0..<shape.places {
            let row: Int = y * shape.stride + place / side - side / 2
            let column: Int = x * shape.stride + place % side - side / 2
            guard row >= 0, row < height, column >= 0, column < width else { continue }
            for channel in 0..<depth.inputs {
              let value = input[(row * width + column) * depth.inputs + channel]
              let weight = layer.weights[(place * depth.inputs + channel) * depth.outputs + output]
              sum += Double(value) * Double(weight)
            }
          }
          let expected = isRectified ? max(0, sum) : sum
          let found = Double(result.values[result.index(x, y) + output])
          #expect(abs(found - expected) < 1e-4)
        }
      }
    }
  }

  @Test("a map turned half round and back is itself, and its places are turned about the middle")
  func turning() {
    let map = FeatureMap(width: 7, height: 2, channels: 2, values: (0..<28).map { Float($0) })
    let turned = map.turnedHalfRound()
    let expected = (0..<14).reversed().flatMap { (place: Int) -> [Float] in
      [Float(2 * place), Float(2 * place + 1)]
    }
    #expect(turned.inside() == expected)
    #expect(turned.turnedHalfRound().values == map.values)
  }
}
