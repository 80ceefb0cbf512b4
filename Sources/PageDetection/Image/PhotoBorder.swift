/// What the outermost band of a photo tells: whether paper may go on beyond the frame.
struct PhotoBorder {
  /// The band is this share of the copy's short side.
  private static let depth = 1.0 / 40
  /// Below this median lightness it isn't taken for paper.
  private static let leastLight: Float = 110
  /// Paper's chroma is less, also by the light of a lamp; wood's and most cloth's is more.
  private static let greatestChroma: Float = 60
  /// Even paper is at most so much lighter or darker than the median; shadows are darker.
  private static let tones: ClosedRange<Float> = 0.6...1.4
  /// What lies at the border in a corner, a finger or a clip, counts for less than the rest.
  private static let nearlyAll = 0.85

  /// Whether nearly all of it is light and colourless, whatever shadows fall on it.
  let isPaleAllAround: Bool
  /// Whether it is of one tone, too.
  let isEvenPaper: Bool

  init(of copy: SmallCopy) {
    let depth = max(2, Int(Double(min(copy.width, copy.height)) * Self.depth))
    var band: [(light: Float, chroma: Float)] = []
    for y in 0..<copy.height {
      let isInRow = y < depth || y >= copy.height - depth
      for x in 0..<copy.width where isInRow || x < depth || x >= copy.width - depth {
        let index = y * copy.width + x
        let chroma = max(abs(copy.redGreen.values[index]), abs(copy.yellowBlue.values[index]))
        band.append((copy.lightness.values[index], chroma))
      }
    }
    let lights = Plane(width: band.count, height: 1, values: band.map(\.light))
    let middle = Histogram(of: lights).percentile(0.5)
    let pale = band.filter { $0.chroma < Self.greatestChroma }
    let even = pale.count { Self.tones.contains($0.light / max(1, middle)) }
    func isNearlyAll(_ count: Int) -> Bool { Double(count) > Self.nearlyAll * Double(band.count) }
    isPaleAllAround = middle > Self.leastLight && isNearlyAll(pale.count)
    isEvenPaper = middle > Self.leastLight && isNearlyAll(even)
  }
}
