/// The greatest value within `radius` cells along both axes.
func dilate(_ plane: [Float], columns: Int, rows: Int, radius: Int) -> [Float] {
  extremes(plane, columns: columns, rows: rows, radius: radius, sign: 1)
}

/// The smallest value within `radius` cells along both axes.
func erode(_ plane: [Float], columns: Int, rows: Int, radius: Int) -> [Float] {
  extremes(plane, columns: columns, rows: rows, radius: radius, sign: -1)
}

/// The mean within `radius` cells along both axes; beyond the rim there is nothing to count.
func boxBlur(_ plane: [Float], columns: Int, rows: Int, radius: Int) -> [Float] {
  var across = plane
  var sums = [Double](repeating: 0, count: columns + 1)
  for row in 0..<rows {
    let start = row * columns
    for column in 0..<columns { sums[column + 1] = sums[column] + Double(plane[start + column]) }
    for column in 0..<columns {
      let (from, to) = (max(0, column - radius), min(columns, column + radius + 1))
      across[start + column] = Float(sums[to] - sums[from]) / Float(to - from)
    }
  }
  var result = plane
  // Sums of whole rows, the lowest one in and the highest one out.
  var running = [Double](repeating: 0, count: columns)
  var (first, last) = (0, 0)
  for row in 0..<rows {
    let (from, to) = (max(0, row - radius), min(rows, row + radius + 1))
    while last < to {
      for column in 0..<columns { running[column] += Double(across[last * columns + column]) }
      last += 1
    }
    while first < from {
      for column in 0..<columns { running[column] -= Double(across[first * columns + column]) }
      first += 1
    }
    let share = 1 / Double(to - from)
    for column in 0..<columns { result[row * columns + column] = Float(running[column] * share) }
  }
  return result
}

/// The extremes in a square window; the rim's values go on beyond the rim, which changes no extreme.
///
/// The window is doubled until it would be too wide, then two of them are laid over each other: a handful of plain passes, whatever the radius.
private func extremes(_ plane: [Float], columns: Int, rows: Int, radius: Int, sign: Float) -> [Float] {
  let window = 2 * radius + 1
  // With signs turned, the smallest is the greatest.
  var across = [Float](repeating: 0, count: columns * rows)
  var line = [Float](repeating: 0, count: columns + 2 * radius)
  for row in 0..<rows {
    let start = row * columns
    for index in line.indices {
      line[index] = sign * plane[start + min(columns - 1, max(0, index - radius))]
    }
    widen(&line, step: 1, window: window)
    for column in 0..<columns { across[start + column] = line[column] }
  }
  var padded = [Float](repeating: 0, count: columns * (rows + 2 * radius))
  for row in 0..<rows + 2 * radius {
    let from = min(rows - 1, max(0, row - radius)) * columns
    for column in 0..<columns { padded[row * columns + column] = across[from + column] }
  }
  widen(&padded, step: columns, window: window)
  for index in across.indices { across[index] = sign * padded[index] }
  return across
}

/// Makes each value the greatest of itself and the `window` − 1 ones after it, `step` apart; the last ones count fewer.
private func widen(_ values: inout [Float], step: Int, window: Int) {
  var covered = 1
  while covered < window {
    let shift = min(covered, window - covered) * step
    unsafe values.withUnsafeMutableBufferPointer { values in
      for index in 0..<max(0, values.count &- shift) {
        unsafe values[index] = max(values[index], values[index &+ shift])
      }
    }
    covered += min(covered, window - covered)
  }
}
