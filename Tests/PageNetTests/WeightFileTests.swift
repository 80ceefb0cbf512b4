import PageNet
import Testing

/// The form of a weight file.
struct WeightFileTests {
  /// One layer of one place, two inputs and one output: weights 1 and −2, bias 0.5, as halves.
  static let small: [UInt8] =
    [0x46, 0x42, 0x50, 0x4E, 1, 0, 1, 0] + [1, 0, 2, 0, 1, 0] + [0x00, 0x3C, 0x00, 0xC0, 0x00, 0x38]

  @Test("weights and bias are read as they stand")
  func reads() throws {
    let file = try WeightFile(Self.small)
    let layer = try #require(file.layers.first)
    #expect(file.layers.count == 1)
    #expect((layer.places, layer.inputs, layer.outputs) == (1, 2, 1))
    #expect(layer.weights == [1, -2])
    #expect(layer.bias == [0.5])
  }

  @Test("every finite half-precision number is read as it is, the smallest and both zeros too")
  func everyNumber() throws {
    let halves = (UInt16.min...UInt16.max).filter { Float16(bitPattern: $0).isFinite }
    // A layer has at most 65,535 of each; 62 × 1024 are all there are.
    var bytes: [UInt8] = [0x46, 0x42, 0x50, 0x4E, 1, 0, 1, 0, 1, 0, 62, 0, 0, 4]
    for half in halves + Array(repeating: 0, count: 1024) { bytes += [UInt8(half & 0xFF), UInt8(half >> 8)] }
    let layer = try #require(try WeightFile(bytes).layers.first)
    #expect(halves.count == 62 * 1024)
    let wrong = zip(halves, layer.weights).filter { half, weight in
      weight.bitPattern != Float(Float16(bitPattern: half)).bitPattern
    }
    #expect(wrong.isEmpty)
  }

  @Test("a file that ends early is refused, wherever it ends", arguments: 0..<small.count)
  func cutShort(length: Int) {
    let expected: WeightFile.Failure = length < 6 ? .unknownForm : .cutShort
    #expect(throws: expected) { try WeightFile(Array(Self.small.prefix(length))) }
  }

  @Test("a file with something behind its last layer is refused")
  func tooLong() {
    #expect(throws: WeightFile.Failure.tooLong) { try WeightFile(Self.small + [0]) }
  }

  @Test("other bytes and another version are refused")
  func unknownForm() {
    #expect(throws: WeightFile.Failure.unknownForm) { try WeightFile(Array("not a weight file".utf8)) }
    var other = Self.small
    other[4] = 2
    #expect(throws: WeightFile.Failure.unknownForm) { try WeightFile(other) }
  }

  @Test("layers of another net are refused")
  func otherNet() throws {
    let file = try WeightFile(Self.small)
    #expect(throws: WeightFile.Failure.otherNet(layer: 0)) { try PageNet(file) }
  }
}
