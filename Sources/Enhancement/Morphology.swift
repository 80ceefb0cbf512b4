/// The greatest value within `radius` cells along both axes.
func dilate(_ plane: [Float], columns: Int, rows: Int, radius: Int) -> [Float] {
  var cells = CellPlane(plane, columns: columns, rows: rows)
  cells.dilate(radius: radius)
  return cells.plane
}

/// The smallest value within `radius` cells along both axes.
func erode(_ plane: [Float], columns: Int, rows: Int, radius: Int) -> [Float] {
  var cells = CellPlane(plane, columns: columns, rows: rows)
  cells.erode(radius: radius)
  return cells.plane
}

/// Everything darker than its surroundings and narrower than 2 · `radius` + 1 cells taken away.
func closed(_ plane: [Float], columns: Int, rows: Int, radius: Int) -> [Float] {
  var cells = CellPlane(plane, columns: columns, rows: rows)
  cells.dilate(radius: radius)
  cells.erode(radius: radius)
  return cells.plane
}

/// The mean within `radius` cells along both axes; beyond the rim there is nothing to count.
func boxBlur(_ plane: [Float], columns: Int, rows: Int, radius: Int) -> [Float] {
  var result = [Float](repeating: 0, count: columns * rows)
  // The sum of the rows of the window, and what it sums up to along the row.
  var total = [Float](repeating: 0, count: columns)
  var sums = [Double](repeating: 0, count: columns + 1)
  unsafe plane.withUnsafeBufferPointer { plane in
    unsafe result.withUnsafeMutableBufferPointer { result in
      unsafe total.withUnsafeMutableBufferPointer { total in
        unsafe sums.withUnsafeMutableBufferPointer { sums in
          for row in 0..<rows {
            let (from, to) = (max(0, row &- radius), min(rows, row &+ radius &+ 1))
            for column in 0..<columns { unsafe total[column] = plane[from &* columns &+ column] }
            for line in from &+ 1..<max(from &+ 1, to) {
              for column in 0..<columns { unsafe total[column] += plane[line &* columns &+ column] }
            }
            for column in 0..<columns { unsafe sums[column &+ 1] = sums[column] + Double(total[column]) }
            let start = row &* columns
            let share = 1 / Float((to &- from) &* (2 &* radius &+ 1))
            for column in radius..<max(radius, columns &- radius) {
              unsafe result[start &+ column] =
                Float(sums[column &+ radius &+ 1] - sums[column &- radius]) * share
            }
            for column in 0..<columns where column < radius || column >= columns &- radius {
              let (left, right) = (max(0, column &- radius), min(columns, column &+ radius &+ 1))
              let count = Float((to &- from) &* (right &- left))
              unsafe result[start &+ column] = Float(sums[right] - sums[left]) / count
            }
          }
        }
      }
    }
  }
  return result
}

/// A plane of values from -500 to 500 in 64ths, so that eight go at a time.
private struct CellPlane {
  private let columns: Int
  private let rows: Int
  private var values: [Int16]

  init(_ plane: [Float], columns: Int, rows: Int) {
    (self.columns, self.rows) = (columns, rows)
    values = unsafe [Int16](unsafeUninitializedCapacity: plane.count) { output, count in
      unsafe plane.withUnsafeBufferPointer { plane in
        for index in 0..<plane.count {
          // Rounded by adding 1.5 · 2²³, which leaves the whole number in the lower bits.
          let shifted = unsafe min(500, max(-500, plane[index])) * 64 + 12_582_912
          unsafe output[index] = Int16(truncatingIfNeeded: shifted.bitPattern)
        }
      }
      count = plane.count
    }
  }

  var plane: [Float] {
    unsafe [Float](unsafeUninitializedCapacity: values.count) { output, count in
      unsafe values.withUnsafeBufferPointer { values in
        for index in 0..<values.count { unsafe output[index] = Float(values[index]) * (1 / 64) }
      }
      count = values.count
    }
  }

  mutating func dilate(radius: Int) {
    unsafe slide(radius: radius) { first, second, count in
      for index in 0..<count { unsafe first[index] = max(first[index], second[index]) }
    }
  }

  mutating func erode(radius: Int) {
    unsafe slide(radius: radius) { first, second, count in
      for index in 0..<count { unsafe first[index] = min(first[index], second[index]) }
    }
  }

  /// Makes each value the better one of all in a square window; the rim's values go on beyond the rim, which changes no extreme.
  ///
  /// - Parameter better: puts the better ones of two lines into the first, which lies before the second in memory.
  @inline(__always)
  private mutating func slide(
    radius: Int, _ better: (UnsafeMutablePointer<Int16>, UnsafePointer<Int16>, Int) -> Void
  ) {
    let (columns, rows) = (columns, rows)
    unsafe values.withUnsafeMutableBufferPointer { values in
      guard let start = values.baseAddress else { return }
      let length = columns + 2 * radius
      unsafe withUnsafeTemporaryAllocation(
        of: Int16.self, capacity: max(length, columns * (rows + 2 * radius))
      ) { line in
        guard let line = line.baseAddress else { return }
        for row in 0..<rows {
          let place = unsafe start + row * columns
          for index in 0..<radius {
            unsafe line[index] = place[0]
            unsafe line[radius + columns + index] = place[columns - 1]
          }
          unsafe (line + radius).update(from: place, count: columns)
          unsafe widen(line, count: length, step: 1, window: 2 * radius + 1, better)
          unsafe place.update(from: line, count: columns)
        }
        for row in 0..<rows + 2 * radius {
          let from = min(rows - 1, max(0, row - radius))
          unsafe (line + row * columns).update(from: start + from * columns, count: columns)
        }
        unsafe widen(
          line, count: columns * (rows + 2 * radius), step: columns, window: 2 * radius + 1, better)
        unsafe start.update(from: line, count: columns * rows)
      }
    }
  }
}

/// Makes each value the better one of itself and the `window` − 1 ones after it, `step` apart; the last ones count fewer.
///
/// The window is doubled until it would be too wide, then two of them are laid over each other: a handful of plain passes, whatever the radius.
@inline(__always)
private func widen(
  _ values: UnsafeMutablePointer<Int16>, count: Int, step: Int, window: Int,
  _ better: (UnsafeMutablePointer<Int16>, UnsafePointer<Int16>, Int) -> Void
) {
  var covered = 1
  while covered < window {
    let more = min(covered, window - covered)
    unsafe better(values, values + more * step, max(0, count - more * step))
    covered += more
  }
}
