/// The greatest value within `radius` cells along both axes.
func dilate(_ plane: [Float], columns: Int, rows: Int, radius: Int) -> [Float] {
  slide(plane, columns: columns, rows: rows, radius: radius) { max($0, $1) }
}

/// The smallest value within `radius` cells along both axes.
func erode(_ plane: [Float], columns: Int, rows: Int, radius: Int) -> [Float] {
  slide(plane, columns: columns, rows: rows, radius: radius) { min($0, $1) }
}

/// The mean within `radius` cells along both axes; beyond the rim there is nothing to count.
func boxBlur(_ plane: [Float], columns: Int, rows: Int, radius: Int) -> [Float] {
  let across = alongLines(plane, lines: rows, length: columns, lineStep: columns, step: 1) {
    line, output in mean(line, radius: radius, into: &output)
  }
  return alongLines(across, lines: columns, length: rows, lineStep: 1, step: columns) {
    line, output in mean(line, radius: radius, into: &output)
  }
}

private func mean(_ line: [Float], radius: Int, into output: inout [Float]) {
  var sums = [Float](repeating: 0, count: line.count + 1)
  for index in line.indices { sums[index + 1] = sums[index] + line[index] }
  for index in line.indices {
    let from = max(0, index - radius)
    let to = min(line.count, index + radius + 1)
    output[index] = (sums[to] - sums[from]) / Float(to - from)
  }
}

private func slide(
  _ plane: [Float], columns: Int, rows: Int, radius: Int, _ better: (Float, Float) -> Float
) -> [Float] {
  let across = alongLines(plane, lines: rows, length: columns, lineStep: columns, step: 1) {
    line, output in extreme(line, radius: radius, better, into: &output)
  }
  return alongLines(across, lines: columns, length: rows, lineStep: 1, step: columns) {
    line, output in extreme(line, radius: radius, better, into: &output)
  }
}

/// The best value in a window, in time that doesn't depend on the radius (van Herk 1992, Gil and Werman 1993).
private func extreme(
  _ line: [Float], radius: Int, _ better: (Float, Float) -> Float, into output: inout [Float]
) {
  let window = 2 * radius + 1
  let count = line.count
  // Bests from the start of each run of `window` values, and to its end.
  var fromStart = line
  var toEnd = line
  for index in 0..<count where index % window != 0 {
    fromStart[index] = better(fromStart[index - 1], line[index])
  }
  for index in stride(from: count - 2, through: 0, by: -1) where (index + 1) % window != 0 {
    toEnd[index] = better(toEnd[index + 1], line[index])
  }
  for index in 0..<count {
    let first = max(0, index - radius)
    let last = min(count - 1, index + radius)
    if last - first == window - 1 {
      output[index] = better(toEnd[first], fromStart[last])
    } else {
      // Cut off by the rim.
      output[index] = line[first...last].reduce(line[first], better)
    }
  }
}

private func alongLines(
  _ plane: [Float], lines: Int, length: Int, lineStep: Int, step: Int,
  _ body: ([Float], inout [Float]) -> Void
) -> [Float] {
  var result = plane
  var line = [Float](repeating: 0, count: length)
  var output = line
  for index in 0..<lines {
    let start = index * lineStep
    for place in 0..<length { line[place] = plane[start + place * step] }
    body(line, &output)
    for place in 0..<length { result[start + place * step] = output[place] }
  }
  return result
}
