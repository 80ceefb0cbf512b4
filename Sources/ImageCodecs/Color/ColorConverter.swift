import Raster

/// Turns stored pixels of one layout and depth into 8-bit sRGB samples, a run of pixels at a time.
///
/// The result is opaque: alpha lies over white. Grey stays grey.
struct ColorConverter {
  private enum Method {
    /// Samples mean sRGB already.
    case same
    /// Grey by look-up, 256 or 65536 entries.
    case table([UInt8])
    case transform(ColorTransform)
    case inkFormula
  }

  let layout: SampleLayout
  let sixteenBits: Bool
  private let method: Method
  /// What was wrong with the color description, when the picture is taken as sRGB in spite of it.
  let warning: DecodeWarning?

  /// Whether 8-bit samples come out as they went in, so that no conversion is needed.
  var isIdentity: Bool {
    if case .same = method { return !sixteenBits && (layout == .gray || layout == .rgb) }
    return false
  }

  /// Output samples per pixel.
  var outputChannels: Int { layout.format.channels }

  init(_ color: ColorDescription, layout: SampleLayout, sixteenBits: Bool) {
    self.layout = layout
    self.sixteenBits = sixteenBits
    let plain: Method = layout == .cmyk ? .inkFormula : .same
    do throws(ColorTransform.Failure) {
      switch color {
      case .standard:
        method = plain
      case .profile(let bytes):
        method = try Self.method(layout: layout, sixteenBits: sixteenBits) {
          (layout, sixteen) throws(ColorTransform.Failure) in
          try ColorTransform(profile: bytes, layout: layout, sixteenBits: sixteen)
        }
      case .calibrated(let calibration):
        method =
          layout == .cmyk
          ? plain
          : try Self.method(layout: layout, sixteenBits: sixteenBits) {
            (layout, sixteen) throws(ColorTransform.Failure) in
            try ColorTransform(calibration: calibration, layout: layout, sixteenBits: sixteen)
          }
      }
      warning = nil
    } catch {
      method = plain
      let instead = layout == .cmyk ? "inks are mixed by a plain formula" : "colors are taken as sRGB"
      warning = DecodeWarning("the color profile can't be used (\(error.text)); \(instead)")
    }
  }

  private static func method(
    layout: SampleLayout, sixteenBits: Bool,
    make: (SampleLayout, Bool) throws(ColorTransform.Failure) -> ColorTransform
  ) throws(ColorTransform.Failure) -> Method {
    if layout.format == .gray {
      let table = grayTable(try make(.gray, sixteenBits), sixteenBits: sixteenBits)
      return isPlain(table, sixteenBits: sixteenBits) ? .same : .table(table)
    }
    guard layout != .cmyk else { return .transform(try make(layout, sixteenBits)) }
    let probe = try make(.rgb, false)
    if isPlain(probe) { return .same }
    return .transform(layout == .rgb && !sixteenBits ? probe : try make(layout, sixteenBits))
  }
}

// MARK: - Recognising sRGB

extension ColorConverter {
  /// Profiles that move no color by more than this count as sRGB: there are dozens of sRGB profiles, which differ by rounding.
  private static let largestPlainDifference = 1

  /// Whether an 8-bit RGB transform changes nothing, told by a grid of colors and all greys.
  private static func isPlain(_ transform: ColorTransform) -> Bool {
    var colors: [UInt8] = []
    let levels = stride(from: 0, through: 255, by: 51).map { UInt8($0) }
    for red in levels { for green in levels { for blue in levels { colors += [red, green, blue] } } }
    for gray in UInt8.min...UInt8.max { colors += [gray, gray, gray] }
    var converted = [UInt8](repeating: 0, count: colors.count)
    unsafe colors.withUnsafeBytes { input in
      unsafe converted.withUnsafeMutableBufferPointer { output in
        guard let from = input.baseAddress, let to = output.baseAddress else { return }
        unsafe transform.apply(from, to: to, pixels: colors.count / 3)
      }
    }
    return zip(colors, converted).allSatisfy { abs(Int($0) - Int($1)) <= largestPlainDifference }
  }

  private static func isPlain(_ table: [UInt8], sixteenBits: Bool) -> Bool {
    table.indices.allSatisfy { index in
      let plain = sixteenBits ? Int(eightBits(UInt16(index))) : index
      return abs(Int(table[index]) - plain) <= largestPlainDifference
    }
  }

  /// What each grey level becomes: the luma of the converted color.
  private static func grayTable(_ transform: ColorTransform, sixteenBits: Bool) -> [UInt8] {
    let count = sixteenBits ? 65536 : 256
    let channels = transform.inputChannels
    var colors = [UInt8](repeating: 0, count: 3 * count)
    func convert(_ input: UnsafeRawBufferPointer) {
      unsafe colors.withUnsafeMutableBufferPointer { output in
        guard let from = input.baseAddress, let to = output.baseAddress else { return }
        unsafe transform.apply(from, to: to, pixels: count)
      }
    }
    let levels = (0..<count * channels).map { $0 / channels }
    if sixteenBits {
      unsafe levels.map { UInt16($0) }.withUnsafeBytes { unsafe convert($0) }
    } else {
      unsafe levels.map { UInt8($0) }.withUnsafeBytes { unsafe convert($0) }
    }
    return (0..<count).map { index in
      let (red, green, blue) = (
        Int(colors[3 * index]), Int(colors[3 * index + 1]), Int(colors[3 * index + 2])
      )
      return UInt8((77 * red + 150 * green + 29 * blue + 128) >> 8)
    }
  }
}

// MARK: - Converting

extension ColorConverter {
  /// The nearest 8-bit value: `v / 257` rounded, exact for all 65536 values.
  static func eightBits(_ value: UInt16) -> UInt8 {
    UInt8(truncatingIfNeeded: (UInt32(value) &* 255 &+ 32895) &>> 16)
  }

  /// Converts `pixels` pixels.
  ///
  /// - Precondition: `input` is aligned for its samples, both are large enough; they may be the same buffer for RGB of 8 bits.
  @unsafe func convert(_ input: UnsafeRawPointer, to output: UnsafeMutablePointer<UInt8>, pixels: Int) {
    switch method {
    case .same:
      if sixteenBits {
        unsafe copyColor(input.assumingMemoryBound(to: UInt16.self), to: output, pixels: pixels) {
          Self.eightBits($0)
        }
      } else {
        unsafe copyColor(input.assumingMemoryBound(to: UInt8.self), to: output, pixels: pixels) { $0 }
      }
    case .table(let table):
      unsafe table.withUnsafeBufferPointer { table in
        if sixteenBits {
          unsafe copyColor(input.assumingMemoryBound(to: UInt16.self), to: output, pixels: pixels) {
            unsafe table[Int($0)]
          }
        } else {
          unsafe copyColor(input.assumingMemoryBound(to: UInt8.self), to: output, pixels: pixels) {
            unsafe table[Int($0)]
          }
        }
      }
    case .transform(let transform):
      unsafe transform.apply(input, to: output, pixels: pixels)
    case .inkFormula:
      if sixteenBits {
        unsafe InkFormula.mix(input.assumingMemoryBound(to: UInt16.self), to: output, pixels: pixels) {
          Self.eightBits($0)
        }
      } else {
        unsafe InkFormula.mix(input.assumingMemoryBound(to: UInt8.self), to: output, pixels: pixels) { $0 }
      }
    }
    guard layout.hasAlpha else { return }
    if sixteenBits {
      unsafe layOverWhite(
        input.assumingMemoryBound(to: UInt16.self), on: output, pixels: pixels, opaque: 65535)
    } else {
      unsafe layOverWhite(input.assumingMemoryBound(to: UInt8.self), on: output, pixels: pixels, opaque: 255)
    }
  }

  @inline(__always)
  @unsafe private func copyColor<Sample: FixedWidthInteger>(
    _ input: UnsafePointer<Sample>, to output: UnsafeMutablePointer<UInt8>, pixels: Int,
    _ value: (Sample) -> UInt8
  ) {
    let channels = outputChannels
    let step = layout.channels
    if channels == step {
      for index in 0..<pixels &* channels { unsafe output[index] = value(input[index]) }
    } else {
      for index in 0..<pixels {
        for channel in 0..<channels {
          unsafe output[index &* channels &+ channel] = value(input[index &* step &+ channel])
        }
      }
    }
  }

  /// Blends in the encoded values, as browsers and viewers do.
  @inline(__always)
  @unsafe private func layOverWhite<Sample: FixedWidthInteger>(
    _ input: UnsafePointer<Sample>, on output: UnsafeMutablePointer<UInt8>, pixels: Int, opaque: UInt32
  ) {
    let channels = outputChannels
    let step = layout.channels
    let half = opaque / 2
    for index in 0..<pixels {
      let alpha = unsafe UInt32(truncatingIfNeeded: input[index &* step &+ step &- 1])
      if alpha == opaque { continue }
      let white = 255 &* (opaque &- alpha) &+ half
      for channel in 0..<channels {
        let place = index &* channels &+ channel
        unsafe output[place] = UInt8(truncatingIfNeeded: (UInt32(output[place]) &* alpha &+ white) / opaque)
      }
    }
  }
}
