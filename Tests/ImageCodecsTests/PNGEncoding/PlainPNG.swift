/// A PNG taken apart by the letter of its specification.
struct PlainPNG {
  struct Broken: Error {
    let reason: String
  }

  private(set) var chunks: [(name: String, content: [UInt8])] = []

  /// Takes a file apart, and checks every chunk's sum.
  init(_ bytes: [UInt8]) throws {
    guard bytes.prefix(8) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] else {
      throw Broken(reason: "signature")
    }
    var position = 8
    func number(_ place: Int) -> Int { bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
    while position + 12 <= bytes.count {
      let length = number(position)
      guard position + 12 + length <= bytes.count else { throw Broken(reason: "length") }
      let named = bytes[position + 4..<position + 8 + length]
      guard number(position + 8 + length) == Int(Self.sum(named)) else { throw Broken(reason: "sum") }
      chunks.append((String(decoding: named.prefix(4), as: UTF8.self), Array(named.dropFirst(4))))
      position += 12 + length
    }
    guard position == bytes.count else { throw Broken(reason: "rest") }
  }

  var names: [String] { chunks.map(\.name) }
  var header: [UInt8] { content("IHDR") }
  var palette: [UInt8] { content("PLTE") }
  /// The zlib stream, of all chunks together.
  var stream: [UInt8] { chunks.filter { $0.name == "IDAT" }.flatMap(\.content) }

  private func content(_ name: String) -> [UInt8] { chunks.first { $0.name == name }?.content ?? [] }

  /// The samples in red, green and blue, or grey, of the bytes that the stream packs.
  func samples(unpacked: [UInt8]) throws -> [UInt8] {
    let width = header[0..<4].reduce(0) { $0 << 8 | Int($1) }
    let pixel = header[9] == 2 ? 3 : 1
    let length = width * pixel
    guard unpacked.count % (length + 1) == 0 else { throw Broken(reason: "size") }
    var samples: [UInt8] = []
    for start in stride(from: 0, to: unpacked.count, by: length + 1) {
      let filter = unpacked[start]
      let rowStart = samples.count
      for index in 0..<length {
        func before(_ offset: Int, _ isThere: Bool) -> Int {
          isThere ? Int(samples[samples.count - offset]) : 0
        }
        let left = before(pixel, index >= pixel)
        let up = before(length, rowStart > 0)
        let corner = before(length + pixel, rowStart > 0 && index >= pixel)
        let guess: Int
        switch filter {
        case 0: guess = 0
        case 2: guess = up
        case 4:
          let value = left + up - corner
          let distances = [abs(value - left), abs(value - up), abs(value - corner)]
          guess =
            distances[0] <= distances[1] && distances[0] <= distances[2]
            ? left : distances[1] <= distances[2] ? up : corner
        default: throw Broken(reason: "a filter that isn't written")
        }
        samples.append(UInt8(truncatingIfNeeded: Int(unpacked[start + 1 + index]) + guess))
      }
    }
    guard header[9] == 3 else { return samples }
    return samples.flatMap { palette[3 * Int($0)..<3 * Int($0) + 3] }
  }

  /// CRC-32, bit by bit.
  private static func sum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    var sum = UInt32.max
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
    }
    return ~sum
  }
}
