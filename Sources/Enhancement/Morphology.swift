private import CEnhanceKernels

/// The greatest value within `radius` cells along both axes.
func dilate(_ plane: [Float], columns: Int, rows: Int, radius: Int, on processor: Processor) -> [Float] {
  var cells = CellPlane(plane, columns: columns, rows: rows, on: processor)
  cells.dilate(radius: radius)
  return cells.plane
}

/// The smallest value within `radius` cells along both axes.
func erode(_ plane: [Float], columns: Int, rows: Int, radius: Int, on processor: Processor) -> [Float] {
  var cells = CellPlane(plane, columns: columns, rows: rows, on: processor)
  cells.erode(radius: radius)
  return cells.plane
}

/// Everything darker than its surroundings and narrower than 2 · `radius` + 1 cells taken away.
func closed(_ plane: [Float], columns: Int, rows: Int, radius: Int, on processor: Processor) -> [Float] {
  var cells = CellPlane(plane, columns: columns, rows: rows, on: processor)
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

/// A plane of 16-bit values: of grids from -500 to 500 in 64ths, or samples as they are.
struct CellPlane {
  private let columns: Int
  private let rows: Int
  private let processor: Processor
  private(set) var values: [Int16]

  init(_ plane: [Float], columns: Int, rows: Int, on processor: Processor) {
    (self.columns, self.rows, self.processor) = (columns, rows, processor)
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

  /// A plane of samples.
  init(samples: [UInt8], columns: Int, rows: Int, on processor: Processor) {
    (self.columns, self.rows, self.processor) = (columns, rows, processor)
    values = unsafe [Int16](unsafeUninitializedCapacity: samples.count) { output, count in
      unsafe samples.withUnsafeBufferPointer { samples in
        for index in 0..<samples.count { unsafe output[index] = Int16(samples[index]) }
      }
      count = samples.count
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

  mutating func dilate(radius: Int) { slide(radius: radius, least: false) }

  mutating func erode(radius: Int) { slide(radius: radius, least: true) }

  /// Makes each value the greatest or the least in a square window; the rim's values go on beyond the rim, which changes no extreme.
  private mutating func slide(radius: Int, least: Bool) {
    let (columns, rows) = (columns, rows)
    let (isWide, window) = (processor.isWide, 2 * radius + 1)
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
          unsafe flatbed_extremes_after(isWide, line, length, 1, window, least)
          unsafe place.update(from: line, count: columns)
        }
        for row in 0..<rows + 2 * radius {
          let from = min(rows - 1, max(0, row - radius))
          unsafe (line + row * columns).update(from: start + from * columns, count: columns)
        }
        unsafe flatbed_extremes_after(
          isWide, line, columns * (rows + 2 * radius), columns, window, least)
        unsafe start.update(from: line, count: columns * rows)
      }
    }
  }
}
