/// A connected set of pixels on one side of a level, row by row.
package struct Region {
  /// The part of one row, from the first pixel to the one after the last.
  package struct Run {
    package var row: Int
    package var start: Int
    package var end: Int
  }

  /// From top to bottom, those of one row from left to right.
  package var runs: [Run]
  /// Pixels.
  package var area: Int

  /// The connected regions of all pixels above a level, or of all not above it; those that touch by corners alone are two.
  ///
  /// Each row's runs are joined with those of the row before that they touch (union–find), so a pixel is looked at once.
  ///
  /// - Returns: those of an area within `areas`, in the order of their first pixels.
  package static func all(
    of plane: Plane, level: Float, isAbove: Bool, areas: ClosedRange<Int>
  ) -> [Region] {
    var runs: [Run] = []
    // The first run of the region that a run belongs to, by way of others' perhaps.
    var parents: [Int] = []
    func root(_ run: Int) -> Int {
      var run = run
      while parents[run] != run {
        parents[run] = parents[parents[run]]
        run = parents[run]
      }
      return run
    }
    var above = 0..<0
    for row in 0..<plane.height {
      let first = runs.count
      plane.appendRuns(ofRow: row, level: level, isAbove: isAbove, to: &runs)
      parents.append(contentsOf: first..<runs.count)
      var other = above.lowerBound
      for run in first..<runs.count {
        let (start, end) = (runs[run].start, runs[run].end)
        while other < above.upperBound && runs[other].end <= start { other += 1 }
        var touching = other
        while touching < above.upperBound && runs[touching].start < end {
          let (one, two) = (root(touching), root(run))
          parents[max(one, two)] = min(one, two)
          touching += 1
        }
      }
      above = first..<runs.count
    }
    var sizes = [Int](repeating: 0, count: runs.count)
    for run in runs.indices { sizes[root(run)] += runs[run].end - runs[run].start }
    var places = [Int](repeating: -1, count: runs.count)
    var regions: [Region] = []
    for run in runs.indices {
      let first = root(run)
      guard areas.contains(sizes[first]) else { continue }
      if first == run {
        places[run] = regions.count
        regions.append(Region(runs: [], area: sizes[run]))
      }
      regions[places[first]].runs.append(runs[run])
    }
    return regions
  }
}

extension Plane {
  fileprivate func appendRuns(ofRow row: Int, level: Float, isAbove: Bool, to runs: inout [Region.Run]) {
    let width = width
    unsafe values.withUnsafeBufferPointer { values in
      let first = row &* width
      var x = 0
      while x < width {
        while unsafe x < width && (values[first &+ x] > level) != isAbove { x &+= 1 }
        guard x < width else { return }
        let start = x
        while unsafe x < width && (values[first &+ x] > level) == isAbove { x &+= 1 }
        runs.append(Region.Run(row: row, start: start, end: x))
      }
    }
  }
}
