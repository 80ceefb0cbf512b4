import PageNet

extension SmallCopy {
  /// The copy squeezed to the net's square: red, green and blue of each pixel, each from −1 (black) to 1.
  ///
  /// Each pixel is the mean over its area. The copy's stretch stays in: the net sees a dark photo as bright as others.
  func netInput() -> [Float] {
    let side = PageNet.input
    let columns = Self.shares(of: width, among: side)
    let rows = Self.shares(of: height, among: side)
    let planes = [lightness, redGreen, yellowBlue].map { $0.squeezed(columns: columns, rows: rows) }
    var input = [Float](repeating: 0, count: 3 * side * side)
    for place in 0..<side * side {
      let (light, redGreen, yellowBlue) = (planes[0][place], planes[1][place], planes[2][place])
      // The three channels' formulas (see the type), solved for red, green and blue.
      let sum = 2 * (light + 0.144 * redGreen + 0.114 * yellowBlue)
      input[3 * place] = Self.unit(0.5 * (sum + redGreen))
      input[3 * place + 1] = Self.unit(0.5 * (sum - redGreen))
      input[3 * place + 2] = Self.unit(0.5 * sum - yellowBlue)
    }
    return input
  }

  private static func unit(_ level: Float) -> Float { max(0, min(255, level)) / 127.5 - 1 }

  /// For each of `count` equal parts of a row of pixels: the first pixel in it, and what share of it each of them has.
  private static func shares(of pixels: Int, among count: Int) -> [(first: Int, weights: [Float])] {
    let length = Double(pixels) / Double(count)
    return (0..<count).map { part in
      let (low, high) = (Double(part) * length, Double(part + 1) * length)
      let first = min(pixels - 1, Int(low))
      let last = max(first, min(pixels - 1, Int(high.nextDown)))
      return (
        first,
        (first...last).map { pixel in
          Float((min(high, Double(pixel) + 1) - max(low, Double(pixel))) / length)
        }
      )
    }
  }
}

extension Plane {
  /// Weighted means over blocks, rows from top to bottom.
  fileprivate func squeezed(
    columns: [(first: Int, weights: [Float])], rows: [(first: Int, weights: [Float])]
  ) -> [Float] {
    var result: [Float] = []
    result.reserveCapacity(columns.count * rows.count)
    var line = [Float](repeating: 0, count: width)
    for row in rows {
      for x in line.indices { line[x] = 0 }
      for (offset, weight) in row.weights.enumerated() {
        let start = (row.first + offset) * width
        for x in 0..<width { line[x] += weight * values[start + x] }
      }
      for column in columns {
        var sum: Float = 0
        for (offset, weight) in column.weights.enumerated() { sum += weight * line[column.first + offset] }
        result.append(sum)
      }
    }
    return result
  }
}
