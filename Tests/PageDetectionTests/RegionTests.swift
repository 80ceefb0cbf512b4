import PageDetection
import TestSupport
import Testing

/// Connected regions, and what a plane tells of its values.
struct RegionTests {
  private static func plane(_ rows: [String]) -> Plane {
    Plane(
      width: rows[0].count, height: rows.count,
      values: rows.joined().map { $0 == "#" ? 1 : 0 })
  }

  @Test("regions joined late, by a row below, are one; those that touch by a corner are two")
  func joining() throws {
    let plane = Self.plane([
      "#.#..#",
      "#.#.#.",
      "###...",
      "...#..",
    ])
    let above = Region.all(of: SteppedPlane(plane, levels: [0.5]), level: 0, isAbove: true, areas: 1...24)
    #expect(above.map(\.area) == [7, 1, 1, 1])
    let first = try #require(above.first)
    #expect(first.runs.map(\.row) == [0, 0, 1, 1, 2])
    #expect(first.runs.map(\.start) == [0, 2, 0, 2, 0])
    #expect(first.runs.map(\.end) == [1, 3, 1, 3, 3])
    let below = Region.all(of: SteppedPlane(plane, levels: [0.5]), level: 0, isAbove: false, areas: 1...24)
    #expect(below.map(\.area) == [2, 9, 3])
  }

  @Test("regions of another size than asked for are left out")
  func sizes() {
    let plane = Self.plane(["##.#", "##..", "...#"])
    #expect(
      Region.all(of: SteppedPlane(plane, levels: [0.5]), level: 0, isAbove: true, areas: 2...4).map(\.area)
        == [4])
    #expect(
      Region.all(of: SteppedPlane(plane, levels: [0.5]), level: 0, isAbove: true, areas: 1...3).map(\.area)
        == [1, 1])
  }

  @Test("every pixel is in one region of its side of the level")
  func partition() {
    var generator = SeededGenerator(seed: 7)
    let plane = Plane(
      width: 61, height: 47, values: (0..<61 * 47).map { _ in Float.random(in: 0...1, using: &generator) })
    let all = 1...(61 * 47)
    let above = Region.all(of: SteppedPlane(plane, levels: [0.55]), level: 0, isAbove: true, areas: all)
    let below = Region.all(of: SteppedPlane(plane, levels: [0.55]), level: 0, isAbove: false, areas: all)
    var seen = [Int](repeating: 0, count: 61 * 47)
    for region in above + below {
      #expect(region.area == region.runs.reduce(0) { $0 + $1.end - $1.start })
      for run in region.runs {
        for x in run.start..<run.end { seen[run.row * 61 + x] += 1 }
      }
    }
    #expect(seen.allSatisfy { $0 == 1 })
    #expect(above.reduce(0) { $0 + $1.area } == plane.values.count { $0 > 0.55 })
  }

  @Test("closing fills dark strokes narrower than its square and leaves wider ones")
  func closing() {
    var plane = Plane(width: 40, height: 20, values: [Float](repeating: 200, count: 800))
    for y in 0..<20 {
      for x in 8..<12 { plane.values[y * 40 + x] = 50 }
      for x in 24..<34 { plane.values[y * 40 + x] = 50 }
    }
    let closed = plane.closed(radius: 2)
    #expect((8..<12).allSatisfy { closed.values[10 * 40 + $0] == 200 })
    #expect((24..<34).allSatisfy { closed.values[10 * 40 + $0] == 50 })
    #expect(closed.values[0] == 200 && closed.values[799] == 200)
  }

  @Test("percentiles are right to a step of the histogram; an even plane has one value")
  func percentiles() {
    let ramp = Plane(width: 100, height: 10, values: (0..<1000).map { Float($0) * 0.1 - 20 })
    for share in [0.02, 0.5, 0.98] {
      #expect(abs(Histogram(of: ramp).percentile(share) - Float(share * 100 - 20)) < 0.21)
    }
    let even = Plane(width: 3, height: 3, values: [Float](repeating: 7, count: 9))
    #expect(Histogram(of: even).percentile(0.5) == 7)
  }
}
