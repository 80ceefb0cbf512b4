import PageNet
import Raster

/// What is traced pixel by pixel.
struct Traces: Sendable {
  let edges: EdgeMap
  let colours: ColourMap
  /// Best first.
  let lines: [Line]

  /// - Parameter copy: smoothed.
  init(of copy: SmallCopy) {
    edges = EdgeMap(of: copy)
    colours = ColourMap(of: copy, edges: edges)
    var finder = LineFinder(edges: edges)
    lines = finder.lines()
  }
}

/// What is seen more coarsely, by the net and at half the size.
struct Areas: Sendable {
  /// What the net saw; `nil` without one.
  let evidence: PageEvidence?
  let others: OtherSheets?
  /// Lines and corners of even regions in pixels of half the size.
  let coarseLines: [Line]
  let regions: [[Point]]

  init(of copy: SmallCopy, raw: SmallCopy, given: PageEvidence?) {
    let input = raw.netInput()
    evidence = given ?? PageNet.bundled?.evidence(in: input)
    if let evidence, let net = PageNet.bundled {
      others = OtherSheets(net: net, evidence: evidence, photo: input)
    } else {
      others = nil
    }
    let half = copy.halved().smoothed()
    var coarse = LineFinder(edges: EdgeMap(of: half))
    coarseLines = coarse.lines()
    regions = RegionFinder(copy: half).outlines()
  }
}
