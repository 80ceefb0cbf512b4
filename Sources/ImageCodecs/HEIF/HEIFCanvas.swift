import Raster

/// A white picture that tiles are placed on.
struct HEIFCanvas {
  private let size: PixelSize
  private(set) var samples: StoredSamples

  init(size: PixelSize, isDeep: Bool) {
    self.size = size
    let count = 3 * size.width * size.height
    samples =
      isDeep ? .sixteen(Array(repeating: 65535, count: count)) : .eight(Array(repeating: 255, count: count))
  }

  /// Places an RGB tile of the same depth; what lies outside of the picture is cut off.
  mutating func place(_ tile: HEIFReader.Pixels, left: Int, top: Int) {
    let columns = min(tile.width, size.width - left)
    let rows = min(tile.height, size.height - top)
    guard columns > 0, rows > 0 else { return }
    func copy<Sample>(_ from: [Sample], _ to: inout [Sample]) {
      for y in 0..<rows {
        let source = 3 * y * tile.width
        let target = 3 * ((top + y) * size.width + left)
        to.replaceSubrange(target..<target + 3 * columns, with: from[source..<source + 3 * columns])
      }
    }
    // Taken out and put back, so that the samples are changed in place.
    let current = samples
    samples = .eight([])
    switch (current, tile.samples) {
    case (.eight(var target), .eight(let source)):
      copy(source, &target)
      samples = .eight(target)
    case (.sixteen(var target), .sixteen(let source)):
      copy(source, &target)
      samples = .sixteen(target)
    default: samples = current
    }
  }
}
