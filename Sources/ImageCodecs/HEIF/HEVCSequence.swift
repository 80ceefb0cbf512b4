/// The sizes of coded pictures that HEVC data declares.
///
/// A decoder allocates by these numbers, whatever the file around them says.
enum HEVCSequence {
  private static let sequenceParameterSet = 33

  /// Sizes from the parameter sets of an `hvcC` box, and the number of bytes that give a unit's length.
  static func sizes(configuration: ByteReader) -> (sizes: [(width: Int, height: Int)], lengthBytes: Int) {
    var reader = configuration.dropping(21)
    let lengthBytes = (reader.number(1) ?? 3) % 4 + 1
    var sizes: [(width: Int, height: Int)] = []
    for _ in 0..<(reader.number(1) ?? 0) {
      guard let type = reader.number(1), let count = reader.number(2) else { break }
      for _ in 0..<count {
        guard let length = reader.number(2) else { break }
        if type & 63 == sequenceParameterSet, let size = Self.size(of: reader, length: length) {
          sizes.append(size)
        }
        reader.skip(length)
      }
    }
    return (sizes, lengthBytes)
  }

  /// Sizes from parameter sets among the units of an item's data.
  static func sizes(data: ByteReader, lengthBytes: Int) -> [(width: Int, height: Int)] {
    var reader = data
    var sizes: [(width: Int, height: Int)] = []
    while let length = reader.number(lengthBytes), let first = reader.rest.bytes[reader.range].first {
      if Int(first) >> 1 & 63 == sequenceParameterSet, let size = Self.size(of: reader, length: length) {
        sizes.append(size)
      }
      guard length <= reader.range.count else { break }
      reader.skip(length)
    }
    return sizes
  }

  /// Width and height of a sequence parameter set (ITU-T H.265, 7.3.2.2), `nil` when it ends before them.
  private static func size(of unit: ByteReader, length: Int) -> (width: Int, height: Int)? {
    // A parameter set is short; what follows the size doesn't matter.
    var bits = BitReader(unit: unit.bytes[unit.range].prefix(min(length, 256)))
    guard bits.skip(16 + 4), let layers = bits.number(3), bits.skip(1 + 88 + 8) else { return nil }
    var present: [(profile: Bool, level: Bool)] = []
    for _ in 0..<layers {
      guard let profile = bits.number(1), let level = bits.number(1) else { return nil }
      present.append((profile == 1, level == 1))
    }
    if layers > 0 { guard bits.skip(2 * (8 - layers)) else { return nil } }
    for layer in present {
      guard bits.skip((layer.profile ? 88 : 0) + (layer.level ? 8 : 0)) else { return nil }
    }
    guard bits.exponential() != nil, let chroma = bits.exponential(), chroma != 3 || bits.skip(1),
      let width = bits.exponential(), let height = bits.exponential()
    else { return nil }
    return (width, height)
  }
}

/// Reads bits, the highest of a byte first, from a unit without its emulation prevention bytes.
private struct BitReader {
  private var bytes: [UInt8] = []
  private var place = 0

  init(unit: ArraySlice<UInt8>) {
    var zeros = 0
    for byte in unit {
      if zeros >= 2, byte == 3 {
        zeros = 0
        continue
      }
      zeros = byte == 0 ? zeros + 1 : 0
      bytes.append(byte)
    }
  }

  mutating func skip(_ count: Int) -> Bool {
    place += count
    return place <= 8 * bytes.count
  }

  mutating func number(_ count: Int) -> Int? {
    guard place + count <= 8 * bytes.count else { return nil }
    var result = 0
    for _ in 0..<count {
      result = result << 1 | Int(bytes[place / 8] >> UInt8(7 - place % 8)) & 1
      place += 1
    }
    return result
  }

  /// An Exp-Golomb number, ue(v).
  mutating func exponential() -> Int? {
    var zeros = 0
    while let bit = number(1) {
      if bit == 1 { return number(zeros).map { (1 << zeros) - 1 + $0 } }
      zeros += 1
      if zeros > 32 { return nil }
    }
    return nil
  }
}
