/// Why no page is reported.
package enum NoPageReason: Sendable, Hashable {
  /// The picture has too few pixels to tell a page from noise.
  case pictureTooSmall
  /// No edge stands out from noise anywhere.
  case nothingButEvenArea
  /// No four straight sides form an outline.
  case noOutline
  /// Paper goes up to the frame all round: the picture is a flat page already.
  case alreadyFlat
  /// The best outline covers less than `minimumSize` asks for; the share of the photo in per cent.
  case tooSmall(percent: Int)
  /// The best outline is more slender than `minimumAspectRatio`, or squarer than `maximumAspectRatio`; its short side over its long side.
  case wrongAspectRatio(Double)
  /// The best outline is too doubtful; its confidence.
  case uncertain(confidence: Double)
}

extension NoPageReason: CustomStringConvertible {
  package var description: String {
    switch self {
    case .pictureTooSmall: "the picture is too small to find a page in"
    case .nothingButEvenArea: "there is nothing but an even area"
    case .noOutline: "there is no outline with four straight sides"
    case .alreadyFlat: "the picture is already a flat page"
    case .tooSmall(let percent): "the outline is too small (\(percent) % of the photo)"
    case .wrongAspectRatio(let ratio):
      "the outline has the wrong proportions (\(Int((ratio * 100).rounded())) % as wide as long)"
    case .uncertain(let confidence):
      "the best outline is too uncertain (\(Int((confidence * 100).rounded())) %)"
    }
  }
}
