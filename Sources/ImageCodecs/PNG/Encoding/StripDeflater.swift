/// Packs a piece of a deflate stream: one block of literals and runs, with a Huffman code of its own.
///
/// Runs are all it looks for. In pages as photographed there is hardly anything else that repeats, and in cleaned ones hardly anything
/// that is no run once Paeth's filter is through; looking for more takes several times as long.
enum StripDeflater {
  /// The most bits of a literal's or a length's code, of deflate's 15: four of them fit one store of eight bytes.
  private static let codeLimit = 14
  private static let endOfBlock = 256
  private static let longestMatch = 258
  private static let shortestMatch = 3

  /// The most bytes that packing `count` bytes takes.
  static func bound(_ count: Int) -> Int { count * codeLimit / 8 + 1024 }

  /// Packs bytes.
  ///
  /// - Parameter isLast: whether the stream ends here. Otherwise an empty stored block follows, so that the next strip begins with a byte.
  /// - Returns: how many bytes were written to `target`, which has room for `bound(count)`.
  static func pack(
    _ bytes: UnsafePointer<UInt8>, count: Int, isLast: Bool, to target: UnsafeMutablePointer<UInt8>
  ) -> Int {
    unsafe withUnsafeTemporaryAllocation(of: Run.self, capacity: count / 5 + 1) { found in
      guard let room = found.baseAddress else { return 0 }
      let runs = unsafe UnsafeBufferPointer(
        start: room, count: findRuns(in: bytes, count: count, found: room))
      return unsafe pack(bytes, count: count, runs: runs, isLast: isLast, to: target)
    }
  }

  private static func pack(
    _ bytes: UnsafePointer<UInt8>, count: Int, runs: UnsafeBufferPointer<Run>, isLast: Bool,
    to target: UnsafeMutablePointer<UInt8>
  ) -> Int {
    var writer = unsafe BitWriter(target)
    writer.put(isLast ? 1 : 0, count: 1)
    writer.put(2, count: 2)
    let frequencies = unsafe Self.frequencies(bytes, count: count, runs: runs)
    let code = HuffmanCode(frequencies: frequencies, limit: codeLimit)
    writeHeader(code, to: &writer)
    unsafe writeContent(bytes, count: count, runs: runs, code: code, to: &writer)
    if !isLast {
      writer.put(0, count: 3)
      writer.align()
      writer.put(0xFFFF_0000, count: 32)
    }
    writer.align()
    return writer.count
  }

  /// The symbol of a match's length.
  private static let lengthSymbols: [(base: Int, extra: Int)] = {
    // RFC 1951, section 3.2.5.
    var symbols: [(Int, Int)] = []
    var base = 3
    for symbol in 0..<28 {
      let extra = symbol < 8 ? 0 : (symbol - 4) / 4
      symbols.append((base, extra))
      base += 1 << extra
    }
    symbols.append((258, 0))
    return symbols
  }()

  /// For each length from 0 to 258 its symbol from 0.
  private static let symbolOfLength: [UInt8] = {
    var table = [UInt8](repeating: 0, count: longestMatch + 1)
    for (symbol, entry) in lengthSymbols.enumerated() {
      for length in entry.base..<min(entry.base + 1 << entry.extra, longestMatch + 1) {
        table[length] = UInt8(symbol)
      }
    }
    return table
  }()

  private static func frequencies(
    _ bytes: UnsafePointer<UInt8>, count: Int, runs: UnsafeBufferPointer<Run>
  ) -> [UInt32] {
    var frequencies = [UInt32](repeating: 0, count: 286)
    unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 4 * 256) { counts in
      unsafe counts.initialize(repeating: 0)
      guard let table = counts.baseAddress else { return }
      var position = 0
      func countLiterals(_ end: Int) {
        // Four tables: counting the same byte twice in a row would wait for the first count to be stored.
        while position &+ 4 <= end {
          unsafe table[Int(bytes[position])] &+= 1
          unsafe table[256 &+ Int(bytes[position &+ 1])] &+= 1
          unsafe table[512 &+ Int(bytes[position &+ 2])] &+= 1
          unsafe table[768 &+ Int(bytes[position &+ 3])] &+= 1
          position &+= 4
        }
        while position < end {
          unsafe table[Int(bytes[position])] &+= 1
          position &+= 1
        }
      }
      for index in 0..<runs.count {
        let run = unsafe runs[index]
        countLiterals(run.start)
        var left = run.count
        frequencies[285] &+= UInt32(truncatingIfNeeded: left / longestMatch)
        left %= longestMatch
        position = run.end
        if left >= shortestMatch {
          frequencies[257 + Int(symbolOfLength[left])] &+= 1
        } else {
          position -= left
        }
      }
      countLiterals(count)
      for value in 0..<256 {
        frequencies[value] =
          unsafe table[value] &+ table[256 &+ value] &+ table[512 &+ value] &+ table[768 &+ value]
      }
    }
    frequencies[endOfBlock] = 1
    return frequencies
  }

  /// The order in which the lengths of the code lengths' own code are told.
  private static let codeLengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

  private static func writeHeader(_ code: HuffmanCode, to writer: inout BitWriter) {
    let literals = max(257, (code.lengths.lastIndex { $0 > 0 } ?? 0) + 1)
    // Two distances, of which only the first is used: not all readers take a code of one symbol.
    let lengths = code.lengths[..<literals] + [1, 1]
    // Repeats: (symbol, extra bits' value, their count).
    var symbols: [(symbol: Int, extra: Int, extraCount: Int)] = []
    var index = lengths.startIndex
    while index < lengths.endIndex {
      let length = lengths[index]
      var repeats = 1
      while index + repeats < lengths.endIndex && lengths[index + repeats] == length { repeats += 1 }
      index += repeats
      if length == 0 {
        while repeats >= 11 {
          let taken = min(repeats, 138)
          symbols.append((18, taken - 11, 7))
          repeats -= taken
        }
        if repeats >= 3 {
          symbols.append((17, repeats - 3, 3))
          repeats = 0
        }
      } else {
        symbols.append((Int(length), 0, 0))
        repeats -= 1
        while repeats >= 3 {
          let taken = min(repeats, 6)
          symbols.append((16, taken - 3, 2))
          repeats -= taken
        }
      }
      for _ in 0..<repeats { symbols.append((Int(length), 0, 0)) }
    }
    var frequencies = [UInt32](repeating: 0, count: 19)
    for entry in symbols { frequencies[entry.symbol] += 1 }
    let lengthCode = HuffmanCode(frequencies: frequencies, limit: 7)
    let told = (codeLengthOrder.lastIndex { lengthCode.lengths[$0] > 0 } ?? 3) + 1
    writer.put(literals - 257, count: 5)
    writer.put(1, count: 5)
    writer.put(max(told, 4) - 4, count: 4)
    for symbol in codeLengthOrder[..<max(told, 4)] { writer.put(Int(lengthCode.lengths[symbol]), count: 3) }
    for entry in symbols {
      writer.put(Int(lengthCode.bits[entry.symbol]), count: Int(lengthCode.lengths[entry.symbol]))
      writer.put(entry.extra, count: entry.extraCount)
    }
  }

  private static func writeContent(
    _ bytes: UnsafePointer<UInt8>, count: Int, runs: UnsafeBufferPointer<Run>, code: HuffmanCode,
    to result: inout BitWriter
  ) {
    // Bits in the lower half, their count in the upper.
    let literalCodes = (0...endOfBlock).map { UInt32(code.bits[$0]) | UInt32(code.lengths[$0]) << 16 }
    // For each length the whole match: its code, its extra bits, and the one bit of the distance.
    let matchCodes = (0...longestMatch).map { length -> UInt32 in
      let symbol = Int(symbolOfLength[length])
      let bits = UInt32(code.bits[257 + symbol])
      let size = UInt32(code.lengths[257 + symbol])
      let (base, extra) = lengthSymbols[symbol]
      let extraBits = UInt32(max(0, length - base)) << size
      return bits | extraBits | (size + UInt32(extra) + 1) << 24
    }
    var writer = result
    unsafe literalCodes.withUnsafeBufferPointer { literalTable in
      unsafe matchCodes.withUnsafeBufferPointer { matchTable in
        guard let literals = literalTable.baseAddress, let matches = matchTable.baseAddress else { return }
        var position = 0
        @inline(__always)
        func add(_ byte: UInt8) {
          let entry = unsafe literals[Int(byte)]
          writer.add(UInt64(entry & 0xFFFF), count: UInt64(entry &>> 16))
        }
        func writeLiterals(_ end: Int) {
          while position &+ 4 <= end {
            unsafe add(bytes[position])
            unsafe add(bytes[position &+ 1])
            unsafe add(bytes[position &+ 2])
            unsafe add(bytes[position &+ 3])
            writer.flush()
            position &+= 4
          }
          while position < end {
            unsafe add(bytes[position])
            writer.flush()
            position &+= 1
          }
        }
        @inline(__always)
        func writeMatch(_ length: Int) {
          let entry = unsafe matches[length]
          writer.add(UInt64(entry & 0xFF_FFFF), count: UInt64(entry &>> 24))
          writer.flush()
        }
        for index in 0..<runs.count {
          let run = unsafe runs[index]
          writeLiterals(run.start)
          var left = run.count
          while left >= longestMatch {
            writeMatch(longestMatch)
            left &-= longestMatch
          }
          position = run.end
          if left >= shortestMatch { writeMatch(left) } else { position &-= left }
        }
        writeLiterals(count)
        let entry = unsafe literals[endOfBlock]
        writer.add(UInt64(entry & 0xFFFF), count: UInt64(entry &>> 16))
        writer.flush()
      }
    }
    result = writer
  }
}
