import Glibc
import Raster

/// Finds long straight edges by a Hough transform in which each edge pixel votes only near its own direction.
///
/// After each line its pixels' votes are taken back, so that one strong edge gives one line and not a bundle.
struct LineFinder {
  /// Lines asked for from one edge map: enough that all four sides are among them in nearly all photos.
  static let greatestCount = 44
  /// Bins per half turn: half a degree.
  static let angleBins = 360
  /// How far from its own direction a pixel votes, in bins: gradients of soft edges are off by a degree or two.
  static let angleSpread = 8
  /// A line is worth a look from this many full-strength pixels on.
  static let leastVotes: Float = 8
  /// Pixels this near to a line and within about 8° of its direction belong to it.
  static let inlierDistance = 2.0
  static let inlierCosine = 0.99
  /// The same angle in bins, rounded up, and one more since directions lie anywhere in their bins.
  static let inlierBins = 18

  private struct Voter {
    var x: Double
    var y: Double
    var normal: Point
    var weight: Float
    var bin: Int
    var isUsed = false
  }

  private let edges: EdgeMap
  private let offsets: Int
  private let centre: Int
  private let directions: [Point]
  private var votes: [Float]
  /// In the order of their bins, so that those of a direction lie together.
  private var voters: [Voter] = []
  /// Where each bin's voters begin, and where the last one's end.
  private var firsts: [Int]

  init(edges: EdgeMap) {
    self.edges = edges
    let diagonal = Double(edges.width * edges.width + edges.height * edges.height).squareRoot()
    centre = Int(diagonal) + 3
    offsets = 2 * centre + 1
    votes = Array(repeating: 0, count: Self.angleBins * offsets)
    directions = (0..<Self.angleBins).map { bin in
      let angle = (Double(bin) + 0.5) / Double(Self.angleBins) * Double.pi - Double.pi / 2
      return Point(x: cos(angle), y: sin(angle))
    }
    let bins = edges.crest.map { pixel in
      let normal = Point(x: Double(edges.normalX[Int(pixel)]), y: Double(edges.normalY[Int(pixel)]))
      return Self.bin(of: normal)
    }
    firsts = [Int](repeating: 0, count: Self.angleBins + 1)
    for bin in bins { firsts[bin + 1] += 1 }
    for bin in 0..<Self.angleBins { firsts[bin + 1] += firsts[bin] }
    var next = firsts
    let nobody = Voter(x: 0, y: 0, normal: Point(x: 1, y: 0), weight: 0, bin: 0)
    voters = Array(repeating: nobody, count: bins.count)
    for (pixel, bin) in zip(edges.crest, bins) {
      let index = Int(pixel)
      voters[next[bin]] = Voter(
        x: Double(index % edges.width) + 0.5, y: Double(index / edges.width) + 0.5,
        normal: Point(x: Double(edges.normalX[index]), y: Double(edges.normalY[index])),
        weight: edges.strength[index], bin: bin)
      next[bin] += 1
    }
  }

  /// The bin of a direction; a normal and its opposite are the same.
  private static func bin(of normal: Point) -> Int {
    let share = ((normal.x < 0 ? normal * -1 : normal).angle + Double.pi / 2) / Double.pi
    return max(0, min(angleBins - 1, Int(share * Double(angleBins))))
  }

  /// The strongest lines, best first.
  mutating func lines() -> [Line] {
    for voter in voters { vote(voter, sign: 1) }
    // Votes are only ever taken back, so a stale maximum is at least the true one: it is found anew when it leads.
    var best = (0..<Self.angleBins).map { rowMaximum($0) }
    var isStale = [Bool](repeating: false, count: Self.angleBins)
    var found: [Line] = []
    // A peak may come to nothing when its pixels were used already; so more peaks are looked at than lines wanted.
    var peaks = 0
    while peaks < 6 * Self.greatestCount && found.count < Self.greatestCount {
      guard let row = best.indices.max(by: { best[$0].value < best[$1].value }) else { break }
      if isStale[row] {
        best[row] = rowMaximum(row)
        isStale[row] = false
        continue
      }
      peaks += 1
      let peak = best[row]
      guard peak.value >= Self.leastVotes else { break }
      let coarse = Line(normal: directions[row], offset: Double(peak.offset - centre))
      if let line = claim(near: coarse, isStale: &isStale) {
        found.append(line)
      } else {
        // Nothing is left here but the skirts of lines found before.
        for step in -4...4 {
          let near = (row + step + Self.angleBins) % Self.angleBins
          for offset in max(0, peak.offset - 3)...min(offsets - 1, peak.offset + 3) {
            votes[near * offsets + offset] = 0
          }
          isStale[near] = true
        }
      }
    }
    return found
  }

  private mutating func vote(_ voter: Voter, sign: Float) {
    let (offsets, centre) = (offsets, Double(centre))
    unsafe votes.withUnsafeMutableBufferPointer { votes in
      for step in -Self.angleSpread...Self.angleSpread {
        var bin = voter.bin &+ step
        // Past the ends of the half turn the normal points the other way.
        if bin < 0 { bin &+= Self.angleBins }
        if bin >= Self.angleBins { bin &-= Self.angleBins }
        let normal = directions[bin]
        // Never negative, so that cutting off the fraction rounds.
        let offset = Int(normal.x * voter.x + normal.y * voter.y + centre + 0.5)
        guard offset >= 1 && offset < offsets &- 1 else { continue }
        let weight = sign * voter.weight * (1 - 0.08 * Float(abs(step)))
        let place = bin &* offsets &+ offset
        unsafe votes[place] += weight
        unsafe votes[place &- 1] += 0.5 * weight
        unsafe votes[place &+ 1] += 0.5 * weight
      }
    }
  }

  private func rowMaximum(_ row: Int) -> (value: Float, offset: Int) {
    let start = row * offsets
    return unsafe votes.withUnsafeBufferPointer { votes in
      // Floats from 0 on are in the order of their bits, and the greatest of integers is found many at a time.
      var greatest: Int32 = 0
      for offset in 0..<offsets {
        let bits = unsafe Int32(bitPattern: votes[start &+ offset].bitPattern)
        greatest = bits > greatest ? bits : greatest
      }
      let value = Float(bitPattern: UInt32(bitPattern: greatest))
      var place = 0
      while unsafe place < offsets &- 1 && votes[start &+ place] != value { place &+= 1 }
      return (value, place)
    }
  }

  /// Fits the line to the pixels around a peak, twice, and takes those pixels out of the vote.
  private mutating func claim(near coarse: Line, isStale: inout [Bool]) -> Line? {
    var line = coarse
    var members: [Int] = []
    for round in 0..<3 {
      let distance = round == 0 ? Self.inlierDistance + 1 : Self.inlierDistance
      members.removeAll(keepingCapacity: true)
      var (sum, sumX, sumY, sumXX, sumXY, sumYY) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
      let middle = Self.bin(of: line.normal)
      for step in -Self.inlierBins...Self.inlierBins {
        let bin = (middle + step + Self.angleBins) % Self.angleBins
        for index in firsts[bin]..<firsts[bin + 1] {
          let voter = voters[index]
          guard !voter.isUsed,
            abs(line.normal.x * voter.x + line.normal.y * voter.y - line.offset) < distance,
            abs(line.normal.dot(voter.normal)) > Self.inlierCosine
          else { continue }
          members.append(index)
          let weight = Double(voter.weight)
          sum += weight
          sumX += weight * voter.x
          sumY += weight * voter.y
          sumXX += weight * voter.x * voter.x
          sumXY += weight * voter.x * voter.y
          sumYY += weight * voter.y * voter.y
        }
      }
      guard members.count >= 6, sum > 0 else { return nil }
      let (meanX, meanY) = (sumX / sum, sumY / sum)
      let xx = sumXX / sum - meanX * meanX
      let xy = sumXY / sum - meanX * meanY
      let yy = sumYY / sum - meanY * meanY
      // The normal is the direction of least spread.
      let angle = 0.5 * atan2(2 * xy, xx - yy) + Double.pi / 2
      let normal = Point(x: cos(angle), y: sin(angle))
      line = Line(normal: normal, offset: normal.x * meanX + normal.y * meanY, votes: sum)
    }
    for index in members {
      voters[index].isUsed = true
      vote(voters[index], sign: -1)
      for step in -Self.angleSpread...Self.angleSpread {
        isStale[(voters[index].bin + step + Self.angleBins) % Self.angleBins] = true
      }
    }
    return line
  }
}
