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
    var parents = Array(values.indices)
    func root(_ cell: Int) -> Int {
      var cell = cell
      while parents[cell] != cell {
        parents[cell] = parents[parents[cell]]
        cell = parents[cell]
      }
      return cell
    }
    func join(_ first: Int, _ second: Int) {
      guard !leftOut[first], !leftOut[second], abs(values[first] - values[second]) <= jump else { return }
      let (one, other) = (root(first), root(second))
      if one != other { parents[max(one, other)] = min(one, other) }
    }
    for y in 0..<rows {
      for x in 0..<columns {
        let cell = y * columns + x
        if x + 1 < columns, !cuts.right[cell] { join(cell, cell + 1) }
        if y + 1 < rows, !cuts.down[cell] { join(cell, cell + columns) }
      }
    }
    var numbers = [Int](repeating: Self.none, count: values.count)
    var labels = numbers
    areas = []
    means = []
    for cell in values.indices where !leftOut[cell] {
      let top = root(cell)
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
}
