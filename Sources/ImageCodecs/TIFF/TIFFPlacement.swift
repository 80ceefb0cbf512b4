import Raster

/// Puts the rows of decoded strips and tiles where they belong in the picture, as the picture's own samples.
struct TIFFPlacement<Sample: FixedWidthInteger & Sendable>: Sendable {
  /// A plane of the file, and which of its samples goes to which channel.
  struct Plane: Sendable {
    var index: Int
    var samplesPerPixel: Int
    var channels: [(sample: Int, channel: Int)]
  }

  let planes: [Plane]
  private let channels: Int
  /// What missing pixels are filled with.
  private let blank: Sample
  private let white: Sample
  private let invertsGray: Bool
  /// Samples are taken over as they are stored.
  private let isPlain: Bool
  /// Each value of up to 8 bits stretched to the whole range; empty for deeper ones.
  private let stretched: [Sample]
  /// For 9 to 15 bits: the largest value there is.
  private let deepMaximum: UInt32
  /// Red, green and blue of each palette entry.
  private let palette: [Sample]

  /// - Parameter white: the largest value of a sample.
  init(page: TIFFPage, layout: TIFFLayout, white: Sample) {
    self.white = white
    channels = layout.output.channels
    blank = layout.color == .cmyk ? 0 : white
    invertsGray = layout.color == .gray(zeroIsWhite: true)
    var wanted = (0..<layout.colorSamples).map { (sample: $0, channel: $0) }
    if let alpha = layout.alphaSample { wanted.append((alpha, channels - 1)) }
    if page.isPlanar {
      planes = wanted.map { Plane(index: $0.sample, samplesPerPixel: 1, channels: [(0, $0.channel)]) }
    } else {
      planes = [Plane(index: 0, samplesPerPixel: page.samplesPerPixel, channels: wanted)]
    }
    let isByte = layout.samples == .unsigned(bits: 8)
    isPlain =
      isByte && !invertsGray && layout.color != .palette && !page.isPlanar && page.samplesPerPixel == channels
      && Sample.bitWidth == 8
    if case .unsigned(let bits) = layout.samples, bits <= 8 {
      let largest = (1 << bits) - 1
      stretched = (0...largest).map { Sample(truncatingIfNeeded: ($0 * Int(white) + largest / 2) / largest) }
    } else {
      stretched = []
    }
    if case .unsigned(let bits) = layout.samples, (9...15).contains(bits) {
      deepMaximum = (1 << UInt32(bits)) - 1
    } else {
      deepMaximum = 65535
    }
    palette = layout.color == .palette ? Self.samples(ofPalette: page.palette ?? []) : []
  }

  /// Old writers put 8-bit values into the 16-bit palette; then no entry is above 255.
  private static func samples(ofPalette entries: [UInt16]) -> [Sample] {
    let isByte = entries.allSatisfy { $0 < 256 }
    return entries.map { Sample(truncatingIfNeeded: isByte ? Int($0) : (Int($0) * 255 + 32767) / 65535) }
  }

  /// Places one row of one plane.
  ///
  /// - Parameters:
  ///   - bytes: the row as libtiff decodes it.
  ///   - columns: how many pixels of it lie in the picture.
  ///   - pixel: where the first of them lies, counted in pixels from the picture's start.
  ///   - values: room for all samples of a row.
  func place(
    _ bytes: UnsafeRawBufferPointer, _ plane: Plane, _ row: TIFFSampleRow, columns: Int, at pixel: Int,
    _ values: UnsafeMutableBufferPointer<UInt16>, into output: UnsafeMutableBufferPointer<Sample>
  ) {
    let count = columns * plane.samplesPerPixel
    if isPlain {
      unsafe UnsafeMutableRawBufferPointer(
        rebasing: UnsafeMutableRawBufferPointer(output)[(pixel * channels)..<((pixel + columns) * channels)]
      ).copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<count]))
      return
    }
    unsafe row.read(bytes, count: count, into: values)
    if !palette.isEmpty { unsafe placeColors(plane, columns: columns, at: pixel, values, into: output) }
    for (sample, channel) in plane.channels where palette.isEmpty || sample > 0 || channel > 0 {
      // Only grey is stored in both polarities; opacity never is.
      let flip: Sample = invertsGray && channel == 0 ? white : 0
      var from = sample
      var to = pixel * channels + channel
      for _ in 0..<columns {
        unsafe output[to] = stretch(values[from]) ^ flip
        from &+= plane.samplesPerPixel
        to &+= channels
      }
    }
  }

  private func placeColors(
    _ plane: Plane, columns: Int, at pixel: Int, _ values: UnsafeMutableBufferPointer<UInt16>,
    into output: UnsafeMutableBufferPointer<Sample>
  ) {
    guard plane.index == 0 else { return }
    for x in 0..<columns {
      let entry = 3 &* Int(unsafe values[x &* plane.samplesPerPixel])
      let to = (pixel &+ x) &* channels
      for channel in 0..<3 { unsafe output[to &+ channel] = palette[entry &+ channel] }
    }
  }

  @inline(__always)
  private func stretch(_ value: UInt16) -> Sample {
    if !stretched.isEmpty { return stretched[Int(value)] }
    if deepMaximum == 65535 { return Sample(truncatingIfNeeded: value) }
    return Sample(truncatingIfNeeded: (UInt32(value) &* 65535 &+ deepMaximum / 2) / deepMaximum)
  }

  /// Makes pixels of a row white and opaque.
  func whiten(columns: Int, at pixel: Int, of output: UnsafeMutableBufferPointer<Sample>) {
    unsafe UnsafeMutableBufferPointer(
      rebasing: output[(pixel * channels)..<((pixel + columns) * channels)]
    ).update(repeating: blank)
  }
}
