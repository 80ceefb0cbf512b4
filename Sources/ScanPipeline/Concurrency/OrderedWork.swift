private import Glibc

/// How much may be going on at once.
package struct WorkLimits: Sendable {
  /// Units that are worked on at the same time.
  package var units: Int
  /// What the weights of all units in progress may add up to; one that weighs more is worked on alone.
  package var weight: Int

  package init(units: Int, weight: Int) {
    self.units = max(units, 1)
    self.weight = weight
  }

  /// One unit a processor, and weights in bytes up to half of the memory that is free now.
  package static func ofThisMachine() -> WorkLimits {
    let processors = max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1)
    let freeBytes = sysconf(Int32(_SC_AVPHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE))
    return WorkLimits(units: processors, weight: max(freeBytes / 2, leastBytes))
  }

  /// Free memory is a low guess, since the system's file cache isn't counted, so some is always taken for granted.
  private static let leastBytes = 512 << 20
}

/// Works on units at the same time, and hands over what comes out in the order of the units.
///
/// `units` is asked for the next one only when there is room for it, so it may be long and made on the fly. Results wait for those before
/// them, and count as in progress until they are handed over. Work stops at the first error that `consume` throws, and when
/// the task is cancelled.
/// - Parameter prepare: called with each unit before its output is consumed, as early as it is next in line: while it is worked on.
package func inOrder<Units: Sequence, Output: Sendable>(
  _ units: Units, limits: WorkLimits, weight: (Units.Element) -> Int = { _ in 0 },
  work: @escaping @Sendable (Units.Element) async -> Output,
  prepare: (Units.Element) throws -> Void = { _ in },
  consume: (Output) async throws -> Void
) async throws where Units.Element: Sendable {
  try await withThrowingTaskGroup(of: (Int, Output).self) { group in
    var iterator = units.makeIterator()
    var waiting = iterator.next()
    var started = 0
    var handedOver = 0
    var weights: [Int: Int] = [:]
    var finished: [Int: Output] = [:]
    // Units that aren't prepared yet, and how many are.
    var unprepared: [Int: Units.Element] = [:]
    var prepared = 0
    while true {
      try Task.checkCancellation()
      while let unit = waiting {
        let unitWeight = weight(unit)
        let inProgress = weights.values.reduce(0, +)
        // Twice as many may be in progress as are worked on, so that one slow unit doesn't leave processors idle.
        let running = started - handedOver - finished.count
        guard
          weights.isEmpty
            || running < limits.units && weights.count < 2 * limits.units
              && inProgress + unitWeight <= limits.weight
        else { break }
        let index = started
        weights[index] = unitWeight
        unprepared[index] = unit
        started += 1
        group.addTask { (index, await work(unit)) }
        waiting = iterator.next()
      }
      if prepared == handedOver, let unit = unprepared.removeValue(forKey: prepared) {
        try prepare(unit)
        prepared += 1
      }
      guard let (index, output) = try await group.next() else { break }
      finished[index] = output
      while let output = finished.removeValue(forKey: handedOver) {
        try Task.checkCancellation()
        if let unit = unprepared.removeValue(forKey: handedOver) {
          try prepare(unit)
          prepared += 1
        }
        try await consume(output)
        weights[handedOver] = nil
        handedOver += 1
      }
    }
  }
}
