import Raster

/// The photo reduced for the search: lightness and two opponent colours.
///
/// `lightness` is luma; `redGreen` is R − G and `yellowBlue` is (R + G) / 2 − B, all of the sRGB samples: cheap, and near enough to
/// Lab for telling two materials apart. All are stretched by one factor so that the photo's light tones come to `lightTone`, which
/// makes a dark photo's steps count like a bright one's.
struct SmallCopy: Sendable {
  /// The long side of the copy in pixels: text is gone at this size, and a side of a page that fills a tenth of the photo still has 100 pixels.
  static let longSide = 600
  static let lightTone: Float = 225
  /// The greatest stretch: beyond it noise would look like structure.
  static let greatestGain: Float = 6

  let lightness: Plane
  let redGreen: Plane
  let yellowBlue: Plane
  /// Photo pixels per pixel of the copy.
  let scaleX: Double
  let scaleY: Double
  /// The factor by which samples were stretched.
  let gain: Float

  var width: Int { lightness.width }
  var height: Int { lightness.height }

  init(lightness: Plane, redGreen: Plane, yellowBlue: Plane, scaleX: Double, scaleY: Double, gain: Float) {
    self.lightness = lightness
    self.redGreen = redGreen
    self.yellowBlue = yellowBlue
    self.scaleX = scaleX
    self.scaleY = scaleY
    self.gain = gain
  }

  /// Averages the photo over blocks; a photo that is small already keeps its size.
  init(of photo: Raster) {
    let factor = max(1, Double(max(photo.width, photo.height)) / Double(Self.longSide))
    let width = max(1, Int((Double(photo.width) / factor).rounded()))
    let height = max(1, Int((Double(photo.height) / factor).rounded()))
    let channels = photo.format.channels
    let (photoWidth, photoHeight) = (photo.width, photo.height)
    // The first photo column of each column of the copy, and one more for the end.
    let columns = (0...width).map { $0 * photoWidth / width }
    let rows = (0...height).map { $0 * photoHeight / height }
    let strips = (0..<Self.strips).map { strip in
      rows[(height * strip / Self.strips)...(height * (strip + 1) / Self.strips)]
    }
    let means: [Float] = unsafe arrayInParallel(counts: strips.map { ($0.count - 1) * width * channels }) {
      strip, means in
      unsafe Self.reduce(photo, columns: columns, rows: strips[strip], to: means)
    }
    self.init(
      means: means, width: width, height: height, channels: channels,
      scaleX: Double(photoWidth) / Double(width), scaleY: Double(photoHeight) / Double(height))
  }

  /// Parts of the photo that are reduced apart.
  private static let strips = 8

  /// Sets the mean of each block's samples, block by block, channels side by side.
  ///
  /// - Parameters:
  ///   - columns: the first photo column of each block, and one more for the end; `rows` likewise.
  private static func reduce(
    _ photo: Raster, columns: [Int], rows: ArraySlice<Int>, to means: UnsafeMutableBufferPointer<Float>
  ) {
    let channels = photo.format.channels
    let width = columns.count - 1
    var place = 0
    // A block's rows are added up first, which runs over whole rows at once; then each sum's columns.
    var columnSums = [UInt16](repeating: 0, count: photo.width * channels)
    var sums = [UInt32](repeating: 0, count: width * channels)
    for (first, end) in zip(rows, rows.dropFirst()) {
      for index in sums.indices { sums[index] = 0 }
      var y = first
      while y < end {
        let next = min(end, y + Self.rowsOfASum)
        for index in columnSums.indices { columnSums[index] = 0 }
        for line in y..<next { Self.add(photo, row: line, to: &columnSums) }
        Self.add(columnSums, columns: columns, channels: channels, to: &sums)
        y = next
      }
      for column in 0..<width {
        let area = Float(end - first) * Float(columns[column + 1] - columns[column])
        for channel in 0..<channels {
          unsafe means[place] = Float(sums[column * channels + channel]) / area
          place += 1
        }
      }
    }
  }

  /// As many samples of 255 as 16 bits hold the sum of.
  private static let rowsOfASum = 257

  private static func add(_ photo: Raster, row: Int, to sums: inout [UInt16]) {
    unsafe photo.samples.withUnsafeBufferPointer { samples in
      unsafe sums.withUnsafeMutableBufferPointer { sums in
        let first = row &* sums.count
        for index in 0..<sums.count { unsafe sums[index] &+= UInt16(samples[first &+ index]) }
      }
    }
  }

  /// Adds the samples of each block of columns; `columns` holds the first of each block, and the one after the last.
  private static func add(
    _ samples: [UInt16], columns: [Int], channels: Int, to sums: inout [UInt32]
  ) {
    unsafe samples.withUnsafeBufferPointer { samples in
      var place = 0
      for block in 0..<columns.count - 1 {
        let end = columns[block + 1] &* channels
        var (one, two, three): (UInt32, UInt32, UInt32) = (0, 0, 0)
        if channels == 3 {
          while place < end {
            unsafe one &+= UInt32(samples[place])
            unsafe two &+= UInt32(samples[place &+ 1])
            unsafe three &+= UInt32(samples[place &+ 2])
            place &+= 3
          }
          sums[3 * block] &+= one
          sums[3 * block + 1] &+= two
          sums[3 * block + 2] &+= three
        } else {
          while place < end {
            unsafe one &+= UInt32(samples[place])
            place &+= 1
          }
          sums[block] &+= one
        }
      }
    }
  }

  private init(
    means: [Float], width: Int, height: Int, channels: Int, scaleX: Double, scaleY: Double
  ) {
    var lightness = Plane(width: width, height: height)
    var redGreen = Plane(width: width, height: height)
    var yellowBlue = Plane(width: width, height: height)
    if channels == 1 {
      lightness.values = means
    } else {
      for index in 0..<width * height {
        let (red, green, blue) = (means[3 * index], means[3 * index + 1], means[3 * index + 2])
        lightness.values[index] = 0.299 * red + 0.587 * green + 0.114 * blue
        redGreen.values[index] = red - green
        yellowBlue.values[index] = 0.5 * (red + green) - blue
      }
    }
    let light = Histogram(of: lightness).percentile(0.98)
    let gain = min(Self.greatestGain, max(1, Self.lightTone / max(1, light)))
    if gain > 1 {
      for index in 0..<width * height {
        lightness.values[index] *= gain
        redGreen.values[index] *= gain
        yellowBlue.values[index] *= gain
      }
    }
    self.init(
      lightness: lightness, redGreen: redGreen, yellowBlue: yellowBlue, scaleX: scaleX, scaleY: scaleY,
      gain: gain)
  }

  /// All channels smoothed by a Gaussian of σ = 1.
  func smoothed() -> SmallCopy {
    SmallCopy(
      lightness: lightness.smoothed(), redGreen: redGreen.smoothed(), yellowBlue: yellowBlue.smoothed(),
      scaleX: scaleX, scaleY: scaleY, gain: gain)
  }

  /// All channels at half the size.
  func halved() -> SmallCopy {
    SmallCopy(
      lightness: lightness.halved(), redGreen: redGreen.halved(), yellowBlue: yellowBlue.halved(),
      scaleX: scaleX * 2, scaleY: scaleY * 2, gain: gain)
  }
}
