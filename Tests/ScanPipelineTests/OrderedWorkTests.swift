import ScanPipeline
import Synchronization
import Testing

@Suite("Work in order")
struct OrderedWorkTests {
  /// Counts what is going on at once.
  private final class Meter: Sendable {
    private let state = Mutex((now: 0, most: 0, started: 0))

    func begin(_ weight: Int = 1) {
      state.withLock { state in
        state.now += weight
        state.most = max(state.most, state.now)
        state.started += 1
      }
    }

    func end(_ weight: Int = 1) { state.withLock { $0.now -= weight } }
    var most: Int { state.withLock { $0.most } }
    var started: Int { state.withLock { $0.started } }
  }

  /// Gives other tasks their turn, more often for some units than for others, so that they end out of order.
  private func work(_ unit: Int) async { for _ in 0..<(unit * 7919 % 23) { await Task.yield() } }

  @Test("results come in the order of the units, each once", arguments: [1, 2, 5])
  func order(units: Int) async throws {
    var results: [Int] = []
    try await inOrder(0..<200, limits: WorkLimits(units: units, weight: 1000)) { unit in
      await work(unit)
      return unit
    } consume: {
      results.append($0)
    }
    #expect(results == Array(0..<200))
  }

  @Test("each unit is prepared before its output is consumed, after those before it", arguments: [1, 2, 5])
  func preparation(units: Int) async throws {
    var steps: [Int] = []
    try await inOrder(0..<100, limits: WorkLimits(units: units, weight: 1000)) { unit in
      await work(unit)
      return unit
    } prepare: {
      steps.append(2 * $0)
    } consume: {
      steps.append(2 * $0 + 1)
    }
    #expect(steps == Array(0..<200))
  }

  @Test("a unit is prepared while it is worked on")
  func preparationMeanwhile() async throws {
    let (prepared, continuation) = AsyncStream<Void>.makeStream()
    // Would wait for ever if it came first.
    try await inOrder(0..<1, limits: WorkLimits(units: 2, weight: 1)) { _ in
      for await _ in prepared { break }
    } prepare: { _ in
      continuation.yield()
    } consume: { _ in
    }
  }

  @Test("no more units are worked on at once than allowed")
  func units() async throws {
    let meter = Meter()
    try await inOrder(0..<100, limits: WorkLimits(units: 3, weight: 1000)) { unit in
      meter.begin()
      await work(unit)
      meter.end()
    } consume: { _ in
    }
    #expect(meter.most <= 3)
    #expect(meter.started == 100)
  }

  @Test("weights in progress stay within the limit, and one that is heavier goes alone")
  func weights() async throws {
    let meter = Meter()
    let weights = (0..<60).map { $0 % 10 == 9 ? 50 : $0 % 4 + 1 }
    try await inOrder(
      0..<60, limits: WorkLimits(units: 8, weight: 6), weight: { weights[$0] }
    ) { unit in
      meter.begin(weights[unit])
      await work(unit)
      meter.end(weights[unit])
    } consume: { _ in
    }
    #expect(meter.most == 50)
    #expect(meter.started == 60)
  }

  @Test("units are asked for only when there is room, so an endless list of them is no trouble")
  func lazily() async throws {
    struct Enough: Error {}
    let asked = Mutex(0)
    let endless = sequence(first: 0) { unit in
      asked.withLock { $0 = unit + 1 }
      return unit + 1
    }
    await #expect(throws: Enough.self) {
      try await inOrder(endless, limits: WorkLimits(units: 2, weight: 1000)) {
        $0
      } consume: { unit in
        if unit == 20 { throw Enough() }
      }
    }
    #expect(asked.withLock { $0 } < 30)
  }

  @Test("an error from the consumer ends it, and nothing more is handed over")
  func failure() async throws {
    struct Full: Error {}
    var results: [Int] = []
    await #expect(throws: Full.self) {
      try await inOrder(0..<1000, limits: WorkLimits(units: 4, weight: 1000)) { unit in
        await work(unit)
        return unit
      } consume: { unit in
        if unit == 7 { throw Full() }
        results.append(unit)
      }
    }
    #expect(results == Array(0..<7))
  }

  @Test("when the task is cancelled nothing more is handed over")
  func cancellation() async throws {
    let results = Mutex<[Int]>([])
    let task = Task {
      try await inOrder(0..<1000, limits: WorkLimits(units: 4, weight: 1000)) {
        $0
      } consume: { unit in
        results.withLock { $0.append(unit) }
        if unit == 5 { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(results.withLock { $0 } == Array(0...5))
  }

  @Test("no units are no work")
  func nothing() async throws {
    try await inOrder([Int](), limits: WorkLimits(units: 4, weight: 1)) {
      $0
    } consume: { _ in
      Issue.record("nothing was to be handed over")
    }
  }
}
