/// A mark on links between neighbouring cells, kept with the left or upper cell of the two.
struct Links {
  var right: [Bool]
  var down: [Bool]

  init(count: Int) {
    right = Array(repeating: false, count: count)
    down = right
  }
}

/// The parts of a grid within which a value nowhere jumps.
struct Regions {
  /// The number of each cell's region, 0 and up; `none` for cells left out.
  let labels: [Int]
  /// Cells in each region.
  private(set) var areas: [Int]
  /// Mean value of each region.
  private(set) var means: [Float]

  static let none = -1

  /// - Parameters:
  ///   - jump: neighbours that differ by more belong together only by way of others.
  ///   - cuts: links that don't join in any case.
  ///   - leftOut: cells of no region.
  init(of values: [Float], columns: Int, rows: Int, jump: Float, cuts: Links, leftOut: [Bool]) {
    let parents = Strip<Int32>(count: values.count, filledWith: 0)
    for cell in 0..<values.count { parents[cell] = Int32(truncatingIfNeeded: cell) }
    var numbers = [Int](repeating: Self.none, count: values.count)
    var labels = numbers
    areas = []
    means = []
    unsafe values.withUnsafeBufferPointer { values in
      unsafe leftOut.withUnsafeBufferPointer { leftOut in
        unsafe cuts.right.withUnsafeBufferPointer { cutRight in
          unsafe cuts.down.withUnsafeBufferPointer { cutDown in
            for y in 0..<rows {
              for x in 0..<columns {
                let cell = y &* columns &+ x
                guard unsafe !leftOut[cell] else { continue }
                let value = unsafe values[cell]
                let (next, below) = (cell &+ 1, cell &+ columns)
                if x &+ 1 < columns, unsafe !cutRight[cell], unsafe !leftOut[next],
                  unsafe abs(value - values[next]) <= jump
                {
                  Self.join(cell, next, parents)
                }
                if y &+ 1 < rows, unsafe !cutDown[cell], unsafe !leftOut[below],
                  unsafe abs(value - values[below]) <= jump
                {
                  Self.join(cell, below, parents)
                }
              }
            }
          }
        }
      }
    }
    for cell in values.indices where !leftOut[cell] {
      let top = Self.root(cell, parents)
      if numbers[top] == Self.none {
        numbers[top] = areas.count
        areas.append(0)
        means.append(0)
      }
      labels[cell] = numbers[top]
      areas[numbers[top]] += 1
      means[numbers[top]] += values[cell]
    }
    for number in means.indices { means[number] /= Float(areas[number]) }
    self.labels = labels
  }

  @inline(__always)
  private static func root(_ cell: Int, _ parents: Strip<Int32>) -> Int {
    var cell = cell
    while true {
      let parent = Int(parents[cell])
      if parent == cell { return cell }
      let upper = parents[parent]
      parents[cell] = upper
      cell = Int(upper)
    }
  }

  @inline(__always)
  private static func join(_ first: Int, _ second: Int, _ parents: Strip<Int32>) {
    let (one, other) = (root(first, parents), root(second, parents))
    if one != other { parents[max(one, other)] = Int32(truncatingIfNeeded: min(one, other)) }
  }
}
