import PageNet
import Raster

/// Outlines of the area that the net takes for the page.
enum NetProposals {
  /// The map is made this many times finer before it is cut, so that its steps don't show.
  private static let fineness = 4
  /// Likelihoods at which it is cut: the page's border lies at the middle one, and where the net is in doubt the others differ.
  private static let levels: [Float] = [0.25, 0.5, 0.75]

  /// Each with four corners clockwise, in pixels of a copy of this size.
  static func outlines(of evidence: PageEvidence, width: Int, height: Int) -> [[Point]] {
    let map = Plane(width: PageEvidence.side, height: PageEvidence.side, values: evidence.page)
      .magnified(fineness)
    let scaleX = Double(width) / Double(map.width)
    let scaleY = Double(height) / Double(map.height)
    return levels.flatMap { level in
      RegionFinder.outlines(of: map, level: level, isAbove: true, greatestArea: 1)
    }.map { $0.map { Point(x: $0.x * scaleX, y: $0.y * scaleY) } }
  }
}

extension Plane {
  /// The plane with `factor` pixels for each of it in both directions, linear between the middles of its own.
  fileprivate func magnified(_ factor: Int) -> Plane {
    var result = Plane(width: width * factor, height: height * factor)
    for y in 0..<result.height {
      let fromY = max(0, min(Float(height) - 1.001, (Float(y) + 0.5) / Float(factor) - 0.5))
      for x in 0..<result.width {
        let fromX = max(0, min(Float(width) - 1.001, (Float(x) + 0.5) / Float(factor) - 0.5))
        let index = Int(fromY) * width + Int(fromX)
        let (shareX, shareY) = (fromX - fromX.rounded(.down), fromY - fromY.rounded(.down))
        let upper = values[index] * (1 - shareX) + values[index + 1] * shareX
        let lower = values[index + width] * (1 - shareX) + values[index + width + 1] * shareX
        result.values[y * result.width + x] = upper * (1 - shareY) + lower * shareY
      }
    }
    return result
  }
}
