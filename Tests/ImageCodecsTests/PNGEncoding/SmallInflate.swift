/// A reader of deflate streams that shares nothing with the program's: bit by bit, as RFC 1951 tells it, and strict.
///
/// Slow on purpose.
struct SmallInflate {
  struct Broken: Error {
    let reason: String
  }

  private let bytes: ArraySlice<UInt8>
  private var position: Int
  private var bitCount = 0
  private(set) var output: [UInt8] = []

  /// Reads a zlib stream to its end, and checks its header and its sum.
  static func zlib(_ bytes: [UInt8]) throws -> [UInt8] {
    guard bytes.count > 6, bytes[0] & 15 == 8, (Int(bytes[0]) << 8 | Int(bytes[1])) % 31 == 0,
      bytes[1] & 32 == 0
    else { throw Broken(reason: "header") }
    var reader = SmallInflate(bytes[2...])
    try reader.readBlocks()
    let rest = bytes[reader.position...]
    let (low, high) = reader.output.reduce((1, 0)) { sums, byte in
      let low = (sums.0 + Int(byte)) % 65521
      return (low, (sums.1 + low) % 65521)
    }
    guard rest.count == 4, rest.reduce(0, { $0 << 8 | Int($1) }) == high << 16 | low else {
      throw Broken(reason: "sum")
    }
    return reader.output
  }

  private init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  private mutating func bit() throws -> Int {
    guard position < bytes.endIndex else { throw Broken(reason: "end of data") }
    let value = Int(bytes[position] >> bitCount & 1)
    bitCount += 1
    if bitCount == 8 { (bitCount, position) = (0, position + 1) }
    return value
  }

  private mutating func bits(_ count: Int) throws -> Int {
    var value = 0
    for index in 0..<count { value |= try bit() << index }
    return value
  }

  private mutating func readBlocks() throws {
    var isLast = false
    while !isLast {
      isLast = try bit() == 1
      switch try bits(2) {
      case 0: try readStored()
      case 2: try readDynamic()
      default: throw Broken(reason: "a kind of block that isn't written")
      }
    }
    if bitCount > 0 { (bitCount, position) = (0, position + 1) }
  }

  private mutating func readStored() throws {
    if bitCount > 0 { (bitCount, position) = (0, position + 1) }
    let count = try bits(16)
    guard try bits(16) == ~count & 0xFFFF else { throw Broken(reason: "stored length") }
    for _ in 0..<count { output.append(UInt8(try bits(8))) }
  }

  private mutating func readDynamic() throws {
    let literals = try bits(5) + 257
    let distances = try bits(5) + 1
    guard literals <= 286, distances <= 30 else { throw Broken(reason: "number of codes") }
    var lengths = [Int](repeating: 0, count: 19)
    let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
    for index in 0..<(try bits(4) + 4) { lengths[order[index]] = try bits(3) }
    let lengthCode = try Code(lengths)
    var all: [Int] = []
    while all.count < literals + distances {
      switch try symbol(lengthCode) {
      case 16:
        guard let last = all.last else { throw Broken(reason: "nothing to repeat") }
        all += [Int](repeating: last, count: try bits(2) + 3)
      case 17: all += [Int](repeating: 0, count: try bits(3) + 3)
      case 18: all += [Int](repeating: 0, count: try bits(7) + 11)
      case let length: all.append(length)
      }
    }
    guard all.count == literals + distances else { throw Broken(reason: "too many lengths") }
    try readContent(try Code(Array(all[..<literals])), try Code(Array(all[literals...])))
  }

  private mutating func readContent(_ literalCode: Code, _ distanceCode: Code) throws {
    let lengthBases = [
      3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195,
      227, 258,
    ]
    let lengthBits = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0]
    while true {
      let next = try symbol(literalCode)
      if next == 256 { return }
      if next < 256 {
        output.append(UInt8(next))
        continue
      }
      guard next <= 285 else { throw Broken(reason: "length") }
      let length = lengthBases[next - 257] + (try bits(lengthBits[next - 257]))
      // Longer distances aren't written.
      guard try symbol(distanceCode) == 0, let last = output.last else { throw Broken(reason: "distance") }
      output += [UInt8](repeating: last, count: length)
    }
  }

  private mutating func symbol(_ code: Code) throws -> Int {
    var word = 1
    for _ in 0..<15 {
      word = word << 1 | (try bit())
      if let symbol = code.symbols[word] { return symbol }
    }
    throw Broken(reason: "code")
  }

  /// A complete Huffman code.
  private struct Code {
    /// By the code with a 1 before it.
    var symbols: [Int: Int] = [:]

    init(_ lengths: [Int]) throws {
      var code = 0
      for length in 1...15 {
        for (symbol, own) in lengths.enumerated() where own == length {
          symbols[1 << length | code] = symbol
          code += 1
        }
        code <<= 1
      }
      guard code == 1 << 16 else { throw Broken(reason: "a code that isn't complete") }
    }
  }
}
