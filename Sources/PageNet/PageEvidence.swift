internal import Glibc

/// What the net sees in a photo, as likelihoods from 0 to 1.
package struct PageEvidence: Sendable {
  /// Places of a map in both directions; a map covers the whole photo.
  package static let side = PageNet.input / 4

  /// How likely each place belongs to the page, covered parts included; rows from top to bottom.
  package var page: [Float]
  /// How likely it belongs to any sheet in view.
  package var sheets: [Float]
  /// How likely a side of the page runs through it.
  package var sides: [Float]
  /// How likely a corner of the page is at it.
  package var corners: [Float]
  /// How likely the photo shows a page with sides, none, or a page that fills it.
  package var hasPage: Float
  package var hasNone: Float
  package var isFilled: Float

  package init(
    page: [Float], sheets: [Float], sides: [Float], corners: [Float], hasPage: Float, hasNone: Float,
    isFilled: Float
  ) {
    self.page = page
    self.sheets = sheets
    self.sides = sides
    self.corners = corners
    self.hasPage = hasPage
    self.hasNone = hasNone
    self.isFilled = isFilled
  }

  /// From log odds: those of all places' maps, `channels` a place of which the first four count, and of the three kinds.
  init(maps: [Float], channels: Int, kinds: [Float]) {
    func likelihoods(_ channel: Int) -> [Float] {
      (0..<Self.side * Self.side).map { place in 1 / (1 + expf(-maps[place * channels + channel])) }
    }
    let greatest = kinds.max() ?? 0
    let weights = kinds.map { expf($0 - greatest) }
    let sum = weights.reduce(0, +)
    self.init(
      page: likelihoods(0), sheets: likelihoods(1), sides: likelihoods(2), corners: likelihoods(3),
      hasPage: weights[0] / sum, hasNone: weights[1] / sum, isFilled: weights[2] / sum)
  }
}
