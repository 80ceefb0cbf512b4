internal import CPageNet
private import Raster

/// A small convolutional net that tells, for each place of a photo, how likely it belongs to the page.
///
/// It goes down to a thirty-second of the photo, where it sees all of it, and back up to a quarter, each step up joined with what was seen on the
/// way down (U-Net, Ronneberger et al. 2015). It was trained on drawn scenes; docs/detection.md tells how.
package struct PageNet: Sendable {
  /// The photo is squeezed to this many pixels in both directions, whatever its shape.
  package static let input = 224

  private let stem: Convolution
  private let down1: Convolution
  private let same1: Convolution
  private let down2: Convolution
  private let same2: [Convolution]
  private let down3: Convolution
  private let same3: [Convolution]
  private let down4: Convolution
  private let deep: [(view: ChannelwiseConvolution, widen: Convolution, narrow: Convolution)]
  private let context: Mixing
  private let kind1: Mixing
  private let kind2: Mixing
  private let across4: Convolution
  private let across3: Convolution
  private let up3: Convolution
  private let across2: Convolution
  private let up2: Convolution
  private let across1: Convolution
  private let up1: Convolution
  private let maps: Convolution

  /// Places, inputs and outputs of each layer, in the order of the file.
  static let sizes: [(Int, Int, Int)] =
    [
      (9, 3, 16), (9, 16, 24), (9, 24, 24), (9, 24, 48), (9, 48, 48), (9, 48, 48), (9, 48, 80), (9, 80, 80),
      (9, 80, 80), (9, 80, 112),
    ] + (0..<3).flatMap { _ in [(25, 1, 112), (1, 112, 224), (1, 224, 112)] }
    + [
      (1, 112, 112), (1, 112, 64), (1, 64, 3), (1, 112, 64), (1, 80, 64), (9, 64, 48), (1, 48, 48),
      (9, 48, 24), (1, 24, 24), (9, 24, 24), (1, 24, 4),
    ]

  /// - Throws: `otherNet` when the file's layers aren't this net's.
  package init(_ file: WeightFile) throws(WeightFile.Failure) {
    let layers = file.layers
    for index in 0..<max(layers.count, Self.sizes.count) {
      guard index < layers.count, index < Self.sizes.count,
        (layers[index].places, layers[index].inputs, layers[index].outputs) == Self.sizes[index]
      else { throw .otherNet(layer: index) }
    }
    func plain(_ index: Int, stride: Int = 1, isRectified: Bool = true) -> Convolution {
      Convolution(layers[index], stride: stride, isRectified: isRectified)
    }
    stem = plain(0, stride: 2)
    down1 = plain(1, stride: 2)
    same1 = plain(2)
    down2 = plain(3, stride: 2)
    same2 = [plain(4), plain(5, isRectified: false)]
    down3 = plain(6, stride: 2)
    same3 = [plain(7), plain(8, isRectified: false)]
    down4 = plain(9, stride: 2)
    deep = [10, 13, 16].map {
      (ChannelwiseConvolution(layers[$0]), plain($0 + 1), plain($0 + 2, isRectified: false))
    }
    context = Mixing(layers[19])
    kind1 = Mixing(layers[20])
    kind2 = Mixing(layers[21])
    across4 = plain(22, isRectified: false)
    across3 = plain(23, isRectified: false)
    up3 = plain(24)
    across2 = plain(25, isRectified: false)
    up2 = plain(26)
    across1 = plain(27, isRectified: false)
    up1 = plain(28)
    maps = plain(29, isRectified: false)
  }

  /// The net whose weights are built into the program; `nil` when they are not this net's, which a test rules out.
  package static let bundled: PageNet? = {
    let count = flatbed_page_net_weights_count
    let bytes = unsafe Array(UnsafeBufferPointer(start: flatbed_page_net_weights, count: count))
    do throws(WeightFile.Failure) {
      return try PageNet(WeightFile(bytes))
    } catch {
      return nil
    }
  }()

  /// What the net sees, looking twice: at the photo as it is, and turned half round.
  ///
  /// The net was trained on photos turned every way, so both answers are as good, and their mean is better than either.
  /// - Parameter photo: red, green and blue of `input` × `input` pixels, rows from top to bottom, each from −1 (black) to 1.
  package func evidence(in photo: [Float]) -> PageEvidence {
    let upright = FeatureMap(width: Self.input, height: Self.input, channels: 3, values: photo)
    let (one, two) = together({ answer(to: upright) }, { answer(to: upright.turnedHalfRound()) })
    var maps = one.maps
    maps.add(two.maps.turnedHalfRound(), thenRectified: false)
    return PageEvidence(
      maps: maps.inside().map { $0 / 2 }, channels: maps.channels,
      kinds: zip(one.kinds, two.kinds).map { ($0 + $1) / 2 })
  }

  /// Log odds of the four maps, and of the three kinds of photo.
  private func answer(to photo: FeatureMap) -> (maps: FeatureMap, kinds: [Float]) {
    let quarter = same1.apply(down1.apply(stem.apply(photo)))
    let eighth = residual(down2.apply(quarter), same2)
    let sixteenth = residual(down3.apply(eighth), same3)
    var lowest = down4.apply(sixteenth)
    for block in deep {
      lowest.add(
        block.narrow.apply(block.widen.apply(block.view.apply(lowest))), thenRectified: false)
    }
    let means = lowest.means()
    let kinds = kind2.apply(kind1.apply(means).map { max(0, $0) })
    lowest.add(context.apply(means))
    var up = up3.apply(across3.apply(sixteenth).addedToDoubled(across4.apply(lowest)))
    up = up2.apply(across2.apply(eighth).addedToDoubled(up))
    up = up1.apply(across1.apply(quarter).addedToDoubled(up))
    return (maps.apply(up), kinds)
  }

  private func residual(_ map: FeatureMap, _ layers: [Convolution]) -> FeatureMap {
    var sum = layers.reduce(map) { $1.apply($0) }
    sum.add(map, thenRectified: true)
    return sum
  }
}
