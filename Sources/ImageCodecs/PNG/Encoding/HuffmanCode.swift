/// A Huffman code for deflate: how many bits each symbol has, and which.
struct HuffmanCode {
  /// Bits of each symbol, 0 where it isn't used.
  private(set) var lengths: [UInt8]
  /// The bits of each symbol, the first lowest, as deflate writes them.
  private(set) var bits: [UInt16]

  /// The code that needs the fewest bits, among those of at most `limit` bits a symbol.
  ///
  /// At least two symbols must be used. Codes that Huffman's way would make longer are cut to the limit, and others made longer in exchange,
  /// the rarest first, until the code is complete again: no more than a hair worse than the best.
  init(frequencies: [UInt32], limit: Int) {
    let symbols = frequencies.indices.filter { frequencies[$0] > 0 }.sorted {
      (frequencies[$0], $0) < (frequencies[$1], $1)
    }
    lengths = [UInt8](repeating: 0, count: frequencies.count)
    bits = [UInt16](repeating: 0, count: frequencies.count)
    var counts = Self.lengthCounts(symbols.map { Int(frequencies[$0]) }, limit: limit)
    // The rarest symbols get the longest codes.
    var length = limit
    for symbol in symbols {
      while counts[length] == 0 { length -= 1 }
      lengths[symbol] = UInt8(length)
      counts[length] -= 1
    }
    assignBits(limit: limit)
  }

  /// How many symbols have codes of each length, from their frequencies in growing order.
  private static func lengthCounts(_ sorted: [Int], limit: Int) -> [Int] {
    let count = sorted.count
    // Two queues, both in growing order: leaves, and pairs made of the two least of either. A node's parent comes after it.
    var weights = sorted
    weights.reserveCapacity(2 * count)
    var parents = [Int](repeating: 0, count: 2 * count - 1)
    var (leaf, pair) = (0, count)
    func takeLeast(_ weights: [Int]) -> Int {
      if leaf < count && (pair >= weights.count || weights[leaf] <= weights[pair]) {
        leaf += 1
        return leaf - 1
      }
      pair += 1
      return pair - 1
    }
    while weights.count < 2 * count - 1 {
      let first = takeLeast(weights)
      let second = takeLeast(weights)
      parents[first] = weights.count
      parents[second] = weights.count
      weights.append(weights[first] + weights[second])
    }
    var depths = [Int](repeating: 0, count: 2 * count - 1)
    var counts = [Int](repeating: 0, count: limit + 1)
    for node in stride(from: 2 * count - 3, through: 0, by: -1) {
      depths[node] = depths[parents[node]] + 1
      if node < count { counts[min(depths[node], limit)] += 1 }
    }
    // Room that the codes take, in units of the longest code's; it mustn't be more than there is.
    var taken = counts.enumerated().reduce(0) { $0 + $1.element << (limit - $1.offset) }
    while taken > 1 << limit {
      // A code of the limit's length takes the place beside one that is made a bit longer.
      var shorter = limit - 1
      while counts[shorter] == 0 { shorter -= 1 }
      counts[shorter] -= 1
      counts[shorter + 1] += 2
      counts[limit] -= 1
      taken -= 1
    }
    return counts
  }

  /// Numbers the codes as RFC 1951, section 3.2.2, has it.
  private mutating func assignBits(limit: Int) {
    var next = [Int](repeating: 0, count: limit + 2)
    for length in lengths where length > 0 { next[Int(length) + 1] += 1 }
    // Until here next[length] counts the codes one bit shorter, from here on it is the first code of that length.
    for length in 1...limit { next[length] = (next[length - 1] + next[length]) << 1 }
    for (symbol, length) in lengths.enumerated() where length > 0 {
      let code = next[Int(length)]
      next[Int(length)] += 1
      var reversed = 0
      for bit in 0..<Int(length) where code >> bit & 1 == 1 { reversed |= 1 << (Int(length) - 1 - bit) }
      bits[symbol] = UInt16(reversed)
    }
  }
}
