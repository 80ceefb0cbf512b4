import Raster

extension StoredPicture {
  /// The picture as the rest of the program sees it: sRGB, 8 bits, opaque over white, missing rows white, upright.
  consuming func finish() throws(CodecError) -> DecodedImage {
    precondition(
      samples.count == size.width * size.height * layout.channels,
      "the number of samples doesn't fit the size")
    if isPremultiplied { divideByAlpha() }
    let sixteenBits =
      switch samples {
      case .eight: false
      case .sixteen: true
      }
    let converter = ColorConverter(color, layout: layout, sixteenBits: sixteenBits)
    if let warning = converter.warning { warnings.append(warning) }
    var raster = Self.convert(take(), size: size, with: converter)
    if goodRows < size.height {
      let start = max(0, goodRows) * raster.rowStride
      unsafe raster.withMutableSamples { samples in
        unsafe UnsafeMutableBufferPointer(rebasing: samples[start...]).update(repeating: 255)
      }
    }
    let swaps = orientation.swapsAxes
    let upright = raster.upright(from: orientation)
    return DecodedImage(
      raster: upright,
      fullSize: swaps ? fullSize.transposed : fullSize,
      resolution: swaps ? resolution?.transposed : resolution,
      captureDate: captureDate, focalLength35mm: focalLength35mm,
      intact: orientation.placeOfFirstRows(min(max(goodRows, 1), size.height), upright: upright.size),
      warnings: warnings)
  }

  /// Hands the samples over, so that they have one owner and can be changed in place.
  private mutating func take() -> StoredSamples {
    let taken = samples
    samples = .eight([])
    return taken
  }

  /// Pixels converted at once: few enough to stay in the cache.
  private static let run = 16384

  private static func convert(
    _ samples: consuming StoredSamples, size: PixelSize, with converter: ColorConverter
  ) -> Raster {
    let format = converter.layout.format
    let pixels = size.width * size.height
    let bytesPerPixel = converter.layout.channels * (converter.sixteenBits ? 2 : 1)
    func convert(_ input: UnsafeRawBufferPointer, to output: UnsafeMutableBufferPointer<UInt8>) {
      guard let from = input.baseAddress, let to = output.baseAddress else { return }
      for start in stride(from: 0, to: pixels, by: run) {
        unsafe converter.convert(
          from + start * bytesPerPixel, to: to + start * format.channels, pixels: min(run, pixels - start))
      }
    }
    switch consume samples {
    case .eight(var bytes) where bytesPerPixel == format.channels:
      if !converter.isIdentity {
        unsafe bytes.withUnsafeMutableBufferPointer { buffer in
          unsafe convert(UnsafeRawBufferPointer(buffer), to: buffer)
        }
      }
      return Raster(size: size, format: format, samples: bytes)
    case .eight(let bytes):
      return unsafe Raster(size: size, format: format) { output in
        unsafe bytes.withUnsafeBytes { unsafe convert($0, to: output) }
      }
    case .sixteen(let words):
      return unsafe Raster(size: size, format: format) { output in
        unsafe words.withUnsafeBytes { unsafe convert($0, to: output) }
      }
    }
  }

  /// Undoes the multiplication by alpha: a profile applies to the color itself.
  private mutating func divideByAlpha() {
    isPremultiplied = false
    guard layout.hasAlpha else { return }
    let channels = layout.channels
    switch take() {
    case .eight(var bytes):
      unsafe bytes.withUnsafeMutableBufferPointer { unsafe Self.divide($0, channels: channels, opaque: 255) }
      samples = .eight(bytes)
    case .sixteen(var words):
      unsafe words.withUnsafeMutableBufferPointer {
        unsafe Self.divide($0, channels: channels, opaque: 65535)
      }
      samples = .sixteen(words)
    }
  }

  @inline(__always)
  private static func divide<Sample: FixedWidthInteger>(
    _ samples: UnsafeMutableBufferPointer<Sample>, channels: Int, opaque: UInt32
  ) {
    for start in stride(from: 0, to: samples.count, by: channels) {
      let alpha = unsafe UInt32(truncatingIfNeeded: samples[start + channels - 1])
      if alpha == 0 || alpha == opaque { continue }
      for place in start..<start + channels - 1 {
        let value = unsafe UInt32(truncatingIfNeeded: samples[place])
        unsafe samples[place] = Sample(truncatingIfNeeded: min(opaque, (value * opaque + alpha / 2) / alpha))
      }
    }
  }
}
