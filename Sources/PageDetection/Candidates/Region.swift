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

  /// The connected regions of all pixels above one of the levels, or of all not above it; those that touch by corners alone are two.
  ///
  /// Each row's runs are joined with those of the row before that they touch (union–find), so a pixel is looked at once.
  ///
  /// - Returns: those of an area within `areas`, in the order of their first pixels.
  package static func all(
    of plane: SteppedPlane, level: Int, isAbove: Bool, areas: ClosedRange<Int>
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

/// A plane cut at several levels: of each pixel how many of them lie below its value.
package struct SteppedPlane {
  /// The greatest number of levels: seven bits, so that a byte has one to spare.
  package static let greatestCount = 127

  package let width: Int
  package let height: Int
  /// Rows from top to bottom, each filled up with zeros to a multiple of eight.
  fileprivate let steps: [UInt8]
  fileprivate let stride: Int

  /// - Parameter levels: in ascending order, at most `greatestCount`.
  package init(_ plane: Plane, levels: [Float]) {
    precondition(levels.count <= Self.greatestCount)
    (width, height) = (plane.width, plane.height)
    let (width, stride) = (plane.width, (plane.width + 7) / 8 * 8)
    self.stride = stride
    var steps = [UInt8](repeating: 0, count: stride * height)
    var counts = [Int32](repeating: 0, count: width)
    unsafe plane.values.withUnsafeBufferPointer { values in
      unsafe counts.withUnsafeMutableBufferPointer { counts in
        unsafe steps.withUnsafeMutableBufferPointer { steps in
          for row in 0..<plane.height {
            for x in 0..<width { unsafe counts[x] = 0 }
            for level in levels {
              for x in 0..<width { unsafe counts[x] &+= values[row &* width &+ x] > level ? 1 : 0 }
            }
            for x in 0..<width { unsafe steps[row &* stride &+ x] = UInt8(truncatingIfNeeded: counts[x]) }
          }
        }
      }
    }
    self.steps = steps
  }

  /// Eight pixels are looked at at once, since most of them are like the one before.
  fileprivate func appendRuns(ofRow row: Int, level: Int, isAbove: Bool, to runs: inout [Region.Run]) {
    let (width, stride) = (width, stride)
    // Adding this sets a byte's highest bit where it is greater than `level`.
    let ones: UInt64 = 0x0101_0101_0101_0101
    let highest = ones << 7
    let addend = ones &* UInt64(127 - level)
    unsafe steps.withUnsafeBytes { steps in
      var start: Int?
      var x = 0
      while x < width {
        let eight = unsafe UInt64(
          littleEndian: steps.loadUnaligned(fromByteOffset: row &* stride &+ x, as: UInt64.self))
        let above = (eight &+ addend) & highest
        var inside = isAbove ? above : above ^ highest
        // Pixels past the row's end are in no region.
        if x &+ 8 > width { inside &= UInt64.max >> UInt64(8 &* (x &+ 8 &- width)) }
        var changes = start == nil ? inside : inside ^ highest
        while changes != 0 {
          let place = changes.trailingZeroBitCount
          if let begun = start {
            runs.append(Region.Run(row: row, start: begun, end: x &+ place / 8))
            start = nil
          } else {
            start = x &+ place / 8
          }
          // From here on the opposite is the change.
          changes = (changes ^ highest) & (UInt64.max << UInt64(place))
        }
        x &+= 8
      }
      if let begun = start { runs.append(Region.Run(row: row, start: begun, end: width)) }
    }
  }
}
