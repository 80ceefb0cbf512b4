import Raster

extension PNGReader {
  /// Bytes of rows that are read before they are converted: few enough to stay in the cache.
  private static let bandBytes = 1 << 18

  /// Reads the picture.
  ///
  /// 16 bits and alpha are turned into 8 bits of sRGB a few rows at a time, so that the picture is never in memory as
  /// large as it is stored. Interlaced rows come at the end all together, and are handed over as they are.
  /// - Throws: `outOfMemory`; damage is told by the outcome.
  mutating func readPicture() throws(CodecError) -> (StoredPicture, Outcome) {
    let needsConversion = hasSixteenBits || layout.hasAlpha
    let bytes = size.pixelCount?.multipliedReportingOverflow(by: layout.channels * (hasSixteenBits ? 2 : 1))
    guard let bytes, !bytes.overflow else { throw .outOfMemory(size) }
    if needsConversion, !isInterlaced { return try readConverted() }
    try checkMemory(bytes: bytes.partialValue, for: size)
    var outcome: Outcome?
    let samples: StoredSamples
    if hasSixteenBits {
      samples = .sixteen(
        unsafe Array(unsafeUninitializedCapacity: bytes.partialValue / 2) { output, initialized in
          unsafe outcome = readAll(into: UnsafeMutableRawBufferPointer(output))
          initialized = outcome == nil ? 0 : bytes.partialValue / 2
        })
    } else {
      samples = .eight(
        unsafe Array(unsafeUninitializedCapacity: bytes.partialValue) { output, initialized in
          unsafe outcome = readAll(into: UnsafeMutableRawBufferPointer(output))
          initialized = outcome == nil ? 0 : bytes.partialValue
        })
    }
    guard let outcome else { throw .outOfMemory(size) }
    var picture = StoredPicture(size: size, layout: layout, samples: samples)
    picture.color = color
    return (picture, outcome)
  }

  private mutating func readAll(into output: UnsafeMutableRawBufferPointer) -> Outcome? {
    guard let base = output.baseAddress else { return nil }
    return unsafe readRows(size.height, into: base)
  }

  private mutating func readConverted() throws(CodecError) -> (StoredPicture, Outcome) {
    let converter = ColorConverter(color, layout: layout, sixteenBits: hasSixteenBits)
    let (width, height) = (size.width, size.height)
    let rowBytes = width * layout.channels * (hasSixteenBits ? 2 : 1)
    let bandRows = max(1, min(height, Self.bandBytes / rowBytes))
    let channels = converter.outputChannels
    try checkMemory(bytes: width * height * channels + bandRows * rowBytes, for: size)
    let band = UnsafeMutableRawPointer.allocate(
      byteCount: bandRows * rowBytes, alignment: MemoryLayout<UInt16>.alignment)
    defer { unsafe band.deallocate() }
    var outcome: Outcome?
    let samples = unsafe [UInt8](unsafeUninitializedCapacity: width * height * channels) {
      output, initialized in
      guard let target = output.baseAddress else { return }
      var row = 0
      while outcome == nil, row < height {
        let count = min(bandRows, height - row)
        unsafe outcome = readRows(count, into: band)
        // Of a band that breaks off only the rows that came are converted; the others are white in the end.
        let rows = outcome.map { min(count, $0.goodRows - row) } ?? count
        unsafe converter.convert(band, to: target + row * width * channels, pixels: rows * width)
        row += count
      }
      initialized = outcome == nil ? 0 : width * height * channels
    }
    guard let outcome else { throw .damaged(.png, detail: "its rows don't end") }
    var picture = StoredPicture(
      size: size, layout: layout.format == .gray ? .gray : .rgb, samples: .eight(samples))
    if let warning = converter.warning { picture.warnings.append(warning) }
    return (picture, outcome)
  }
}
