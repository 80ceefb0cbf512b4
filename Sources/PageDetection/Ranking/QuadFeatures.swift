import Raster

/// What is measured of one side of a candidate.
struct SideEvidence {
  var isFrame = false
  /// Share of the side that is inside of the frame.
  var visible = 0.0
  var support = 0.0
  var coverage = 0.0
  /// Colour difference across the side in levels, and how steady its direction is (0 to 1).
  var step = 0.0
  var steadiness = 0.0
  /// Inside less outside, lightness.
  var lighter = 0.0
  /// Edge strength on the line's continuations past both corners.
  var continuation = 0.0
  var insideL = 0.0
  var insideA = 0.0
  var insideB = 0.0
  var insideDeviation = 0.0
  var outsideL = 0.0
  var outsideA = 0.0
  var outsideB = 0.0
  var outsideDeviation = 0.0

  init(of candidate: Candidate, side: Int) {
    let profile = candidate.sides[side]
    let line = profile.line
    let way = line.direction
    let start = way.dot(candidate.corners[side])
    let end = way.dot(candidate.corners[(side + 1) % 4])
    let (low, high) = (min(start, end), max(start, end))
    let length = high - low
    isFrame = line.isFrame
    // The last pixels before a corner show the neighbouring side as well.
    let inset = min(4, 0.1 * length)
    guard let part = profile.part(from: low + inset, to: high - inset) else { return }
    visible = part.length / max(1, length - 2 * inset)
    support = part.support
    coverage = part.coverage
    step = part.step
    steadiness = part.roughness > 0 ? part.step / part.roughness : 0
    let plusIsInside = line.normal.dot(candidate.centre) > line.offset
    lighter = plusIsInside ? part.stepL : -part.stepL
    let beyond = max(8, 0.12 * length)
    let before = profile.support(from: low - 3 - beyond, to: low - 3)
    let after = profile.support(from: high + 3, to: high + 3 + beyond)
    let seen = before.length + after.length
    continuation = seen > 2 ? (before.mean * before.length + after.mean * after.length) / (2 * beyond) : 0
    (insideL, insideA, insideB) =
      plusIsInside ? (part.plusL, part.plusA, part.plusB) : (part.minusL, part.minusA, part.minusB)
    (outsideL, outsideA, outsideB) =
      plusIsInside ? (part.minusL, part.minusA, part.minusB) : (part.plusL, part.plusA, part.plusB)
    insideDeviation = plusIsInside ? part.plusDeviation : part.minusDeviation
    outsideDeviation = plusIsInside ? part.minusDeviation : part.plusDeviation
  }
}

/// The numbers by which candidates are ranked, all of them within about 0 to 1.
struct QuadFeatures {
  static let names = [
    "supportMean", "supportLeast", "supportSecond", "coverageMean", "coverageLeast", "stepMean", "stepLeast",
    "stepSecond", "steadyMean", "steadyLeast", "lighterLeast", "lighterMean", "continuationMean",
    "continuationGreatest", "frameSides", "visible", "area", "insideLight", "insideChroma", "insideSpread",
    "insideDeviation", "outsideDeviation", "marginEdges", "outerEdges", "paperShare", "outerPaper",
    "angle", "sideRatio", "aspect", "centred", "innerEdges", "outsideIsPaper", "deepStep", "edgeDominance",
    "supportThird", "coverageSecond", "stepThird", "steadySecond", "farStepMean", "farStepLeast",
    "farStepSecond",
    "endsMean", "endsLeast", "endsSecond", "ridgeMean", "ridgeGreatest", "outsideSpread", "borderPaper",
    "elsewherePaper", "allEdges",
  ]
  /// Those that need the photo's other candidates, see `Company`.
  static let companyNames = [
    "aroundQuality", "aroundGain", "aroundPaper", "aroundShare", "withinQuality", "withinPaper",
    "withinShare",
    "relativeQuality",
  ]

  /// Of all that `values` holds once `add` was called for both.
  static let allNames = names + companyNames + NetSupport.names

  private(set) var values: [Double]
  /// The colour just inside of the sides: lightness, red less green, yellow less blue.
  let paper: (Double, Double, Double)
  /// A rough measure of how much the sides look like borders, 0 to 1, by which other candidates are compared.
  let quality: Double

  init(of candidate: Candidate, colours: ColourMap) {
    let (width, height) = (Double(colours.width), Double(colours.height))
    let sides = (0..<4).map { SideEvidence(of: candidate, side: $0) }
    let seen = sides.filter { !$0.isFrame && $0.visible > 0 }
    func mean(_ value: (SideEvidence) -> Double) -> Double {
      seen.isEmpty ? 0 : seen.map(value).reduce(0, +) / Double(seen.count)
    }
    func sorted(_ value: (SideEvidence) -> Double) -> [Double] {
      let list = seen.map(value).sorted()
      return list + Array(repeating: list.last ?? 0, count: 4 - list.count)
    }
    func soft(_ step: Double) -> Double { step / (step + 15) }
    let support = sorted(\.support)
    let coverage = sorted(\.coverage)
    let step = sorted { soft($0.step) }
    let steady = sorted(\.steadiness)
    let lighter = sorted { $0.lighter / (abs($0.lighter) + 15) }
    // The paper's colour: just inside of the sides.
    let paperL = mean(\.insideL)
    let paperA = mean(\.insideA)
    let paperB = mean(\.insideB)
    let spread = mean {
      let (l, a, b) = ($0.insideL - paperL, $0.insideA - paperA, $0.insideB - paperB)
      return (0.25 * l * l + a * a + b * b).squareRoot()
    }
    let outside = mean {
      let (l, a, b) = ($0.outsideL - paperL, $0.outsideA - paperA, $0.outsideB - paperB)
      return (l * l + a * a + b * b).squareRoot()
    }
    // Rings and the inner area, sampled on grids in the quad's own coordinates.
    let quad = Quad(
      topLeft: candidate.corners[0], topRight: candidate.corners[1], bottomRight: candidate.corners[2],
      bottomLeft: candidate.corners[3])
    let map = Homography(unitSquareTo: quad)
    func sample(_ u: Double, _ v: Double) -> (edge: Double, colour: (Double, Double, Double))? {
      guard let place = map?.apply(Point(x: u, y: v)), place.x >= 0, place.x < width, place.y >= 0,
        place.y < height
      else { return nil }
      let pixel = colours.pixel(at: place)
      return (Double(pixel.w), (Double(pixel.x), Double(pixel.y), Double(pixel.z)))
    }
    func isPaper(_ colour: (Double, Double, Double)) -> Double {
      let (l, a, b) = (colour.0 - paperL, colour.1 - paperA, colour.2 - paperB)
      let distance = (0.2 * l * l + a * a + b * b).squareRoot()
      return distance < 14 ? 1 : distance < 28 ? (28 - distance) / 14 : 0
    }
    func ring(_ depth: Double) -> (edge: Double, paper: Double, step: Double) {
      var (edge, paper, count) = (0.0, 0.0, 0.0)
      var (l, a, b) = (0.0, 0.0, 0.0)
      let steps = 20
      for index in 0..<steps {
        let along = (Double(index) + 0.5) / Double(steps)
        for (u, v) in [(along, depth), (along, 1 - depth), (depth, along), (1 - depth, along)] {
          guard let found = sample(u, v) else { continue }
          edge += found.edge
          paper += isPaper(found.colour)
          l += found.colour.0
          a += found.colour.1
          b += found.colour.2
          count += 1
        }
      }
      guard count > 0 else { return (0, 0, 0) }
      let (dl, da, db) = (l / count - paperL, a / count - paperA, b / count - paperB)
      return (edge / count, paper / count, (dl * dl + da * da + db * db).squareRoot())
    }
    let margin = ring(0.04)
    let margin2 = ring(0.07)
    let outer = ring(-0.06)
    let outer2 = ring(-0.12)
    var (paperShare, innerEdges, innerCount) = (0.0, 0.0, 0.0)
    for row in 0..<14 {
      for column in 0..<14 {
        guard let found = sample((Double(column) + 0.5) / 14, (Double(row) + 0.5) / 14) else { continue }
        paperShare += isPaper(found.colour)
        innerEdges += found.edge
        innerCount += 1
      }
    }
    innerCount = max(1, innerCount)
    // Shape.
    let c = candidate.corners
    let lengths = (0..<4).map { c[$0].distance(to: c[($0 + 1) % 4]) }
    var angle = 0.0
    for k in 0..<4 {
      let before = c[k] - c[(k + 3) % 4]
      let after = c[(k + 1) % 4] - c[k]
      angle = max(angle, abs(before.dot(after)) / max(1e-9, before.length * after.length))
    }
    let across = 0.5 * (lengths[0] + lengths[2])
    let down = 0.5 * (lengths[1] + lengths[3])
    let ratio = min(
      min(lengths[0], lengths[2]) / max(1e-9, max(lengths[0], lengths[2])),
      min(lengths[1], lengths[3]) / max(1e-9, max(lengths[1], lengths[3])))
    let centre = candidate.centre
    let off = Point(x: centre.x / width - 0.5, y: centre.y / height - 0.5).length
    let frameSides = Double(sides.filter { $0.isFrame || $0.visible == 0 }.count)
    // Beyond the edges.
    let strips = (0..<4).filter { !sides[$0].isFrame }
      .map { SideStrips(of: candidate, side: $0, colours: colours) }.filter(\.isSeen)
    func stripMean(_ value: (SideStrips) -> Double) -> Double {
      strips.isEmpty ? 0 : strips.map(value).reduce(0, +) / Double(strips.count)
    }
    func stripsSorted(_ value: (SideStrips) -> Double) -> [Double] {
      let list = strips.map(value).sorted()
      return list + Array(repeating: list.last ?? 0, count: 4 - list.count)
    }
    let farStep = stripsSorted { soft($0.farStep) }
    let ends = stripsSorted(\.endsShare)
    let (outL, outA, outB) = (stripMean(\.outside.0), stripMean(\.outside.1), stripMean(\.outside.2))
    let outsideSpread = stripMean { SideStrips.distance($0.outside, (outL, outA, outB)) }
    // The rest of the photo: paper elsewhere, and at its border.
    var (elsewhere, elsewhereCount, border, borderCount) = (0.0, 0.0, 0.0, 0.0)
    for entry in colours.grid {
      let isOutside = !candidate.contains(entry.place)
      guard entry.isBorder || isOutside else { continue }
      let likeness = isPaper((Double(entry.pixel.x), Double(entry.pixel.y), Double(entry.pixel.z)))
      if entry.isBorder {
        border += likeness
        borderCount += 1
      }
      if isOutside {
        elsewhere += likeness
        elsewhereCount += 1
      }
    }
    paper = (paperL, paperA, paperB)
    quality =
      0.5 * (mean(\.support) + mean(\.coverage)) * (0.4 + 0.6 * mean { soft($0.step) })
      * max(0, 1 - mean(\.continuation)) * (0.5 + 0.5 * support[0])
    values = [
      mean(\.support), support[0], support[1], mean(\.coverage), coverage[0], mean { soft($0.step) }, step[0],
      step[1], mean(\.steadiness), steady[0], lighter[0], mean { $0.lighter / (abs($0.lighter) + 15) },
      mean(\.continuation), sides.map(\.continuation).max() ?? 0, frameSides / 4,
      sides.map { $0.isFrame ? 1 : $0.visible }.reduce(0, +) / 4,
      min(1, candidate.area / (width * height)).squareRoot(), paperL / 255,
      (paperA * paperA + paperB * paperB).squareRoot() / 100, spread / (spread + 20),
      mean(\.insideDeviation) / 64, mean(\.outsideDeviation) / 64,
      0.5 * (margin.edge + margin2.edge), 0.5 * (outer.edge + outer2.edge), paperShare / innerCount,
      0.5 * (outer.paper + outer2.paper), angle, ratio,
      min(across, down) / max(1e-9, max(across, down)), off, innerEdges / innerCount,
      outside / (outside + 20), soft(0.5 * (outer.step + outer2.step)),
      mean(\.support) - 0.5 * (margin.edge + outer.edge),
      support[2], coverage[1], step[2], steady[1], stripMean { soft($0.farStep) }, farStep[0], farStep[1],
      stripMean(\.endsShare), ends[0], ends[1], stripMean { soft($0.ridge) },
      strips.map { soft($0.ridge) }.max() ?? 0, outsideSpread / (outsideSpread + 20), border / borderCount,
      elsewhere / max(1, elsewhereCount), colours.meanEdges,
    ]
  }

  /// Adds what the photo's other candidates tell.
  mutating func add(_ company: [Double]) {
    values += company
  }

  subscript(_ name: String) -> Double {
    Self.allNames.firstIndex(of: name).map { values[$0] } ?? 0
  }
}
