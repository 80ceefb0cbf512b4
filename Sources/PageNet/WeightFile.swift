/// A net's weights as they stand in a file.
///
/// "FBPN", the version and the number of layers; then for each layer places (of the kernel), inputs and outputs, its weights in the order place,
/// input, output, and a bias for each output. Counts are 16-bit, weights half-precision numbers, all little-endian.
package struct WeightFile: Sendable {
  package struct Layer: Sendable, Hashable {
    package var places: Int
    package var inputs: Int
    package var outputs: Int
    package var weights: [Float]
    package var bias: [Float]

    /// - Parameter weights: in the order place, input, output.
    package init(places: Int, inputs: Int, outputs: Int, weights: [Float], bias: [Float]) {
      self.places = places
      self.inputs = inputs
      self.outputs = outputs
      self.weights = weights
      self.bias = bias
    }
  }

  package enum Failure: Error, Hashable {
    /// It doesn't begin as such a file does.
    case unknownForm
    /// It ends before all it announces.
    case cutShort
    /// Something follows the last layer.
    case tooLong
    /// A layer, counted from 0, has other sizes than the net's.
    case otherNet(layer: Int)
  }

  package var layers: [Layer]

  /// The magic letters, then version 1.
  private static let opening: [UInt8] = [0x46, 0x42, 0x50, 0x4E, 1, 0]

  /// - Throws: `Failure` for bytes that aren't such a file.
  package init(_ bytes: [UInt8]) throws(Failure) {
    guard bytes.starts(with: Self.opening) else { throw .unknownForm }
    var position = Self.opening.count
    func number() throws(Failure) -> Int {
      guard position + 2 <= bytes.count else { throw .cutShort }
      defer { position += 2 }
      return Int(bytes[position]) | Int(bytes[position + 1]) << 8
    }
    func halves(_ count: Int) throws(Failure) -> [Float] {
      guard count <= (bytes.count - position) / 2 else { throw .cutShort }
      defer { position += 2 * count }
      return unsafe bytes[position..<position + 2 * count].withUnsafeBytes { halves in
        unsafe [Float](unsafeUninitializedCapacity: count) { singles, filled in
          for index in 0..<count {
            let half = unsafe halves.loadUnaligned(fromByteOffset: 2 &* index, as: UInt16.self)
            unsafe singles[index] = Self.single(UInt16(littleEndian: half))
          }
          filled = count
        }
      }
    }
    layers = []
    for _ in 0..<(try number()) {
      let (places, inputs, outputs) = (try number(), try number(), try number())
      let weights = try halves(places * inputs * outputs)
      layers.append(
        Layer(
          places: places, inputs: inputs, outputs: outputs, weights: weights, bias: try halves(outputs)))
    }
    guard position == bytes.count else { throw .tooLong }
  }

  /// A finite half-precision number.
  ///
  /// Shifts and a product, since without the processor's own instruction, which isn't compiled for, `Float(_:)` is a call for each.
  private static func single(_ half: UInt16) -> Float {
    let size = Float(bitPattern: UInt32(half & 0x7FFF) << 13) * 0x1p112
    return half < 0x8000 ? size : -size
  }
}
