private import CCodecShims
import Raster

/// One pass of libpng over a file: the only place that calls its reading half.
@safe struct PNGReader: ~Copyable {
  private let handle: OpaquePointer
  private let info: flatbed_png_info

  /// Reads the chunks before the picture.
  ///
  /// - Parameters:
  ///   - bytes: must outlive the reader.
  ///   - tolerant: checksums that don't match only give warnings.
  @unsafe init(_ bytes: UnsafeBufferPointer<UInt8>, tolerant: Bool) throws(CodecError) {
    var status = flatbed_status()
    guard let base = bytes.baseAddress,
      let handle = unsafe flatbed_png_create(base, bytes.count, tolerant ? 1 : 0, &status)
    else { throw .damaged(.png, detail: "no memory") }
    var info = unsafe flatbed_png_info()
    guard unsafe flatbed_png_read_header(handle, &info, &status) == 0 else {
      unsafe flatbed_png_destroy(handle)
      throw Self.headerError(status)
    }
    unsafe self.handle = handle
    unsafe self.info = info
  }

  deinit { unsafe flatbed_png_destroy(handle) }

  var size: PixelSize { unsafe PixelSize(width: info.width, height: info.height) }

  var layout: SampleLayout {
    switch unsafe info.channels {
    case 1: .gray
    case 2: .grayAlpha
    case 3: .rgb
    default: .rgba
    }
  }

  var hasSixteenBits: Bool { unsafe info.bit_depth == 16 }

  var isInterlaced: Bool { unsafe info.passes > 1 }

  var resolution: Resolution? {
    unsafe Resolution(perMetre: info.pixels_per_metre_x, info.pixels_per_metre_y)
  }

  /// What the color chunks say: a profile counts more than sRGB, and that more than gamma and primaries.
  var color: ColorDescription {
    if let profile = unsafe info.profile, unsafe info.profile_length > 0 {
      return unsafe .profile(Array(UnsafeBufferPointer(start: profile, count: info.profile_length)))
    }
    if unsafe info.has_srgb != 0 { return .standard }
    let values = unsafe info.chromaticities
    let primaries =
      unsafe info.has_chromaticities == 0
      ? nil
      : Calibration(
        white: Chromaticity(x: values.0, y: values.1), red: Chromaticity(x: values.2, y: values.3),
        green: Chromaticity(x: values.4, y: values.5), blue: Chromaticity(x: values.6, y: values.7),
        transfer: .sRGB)
    return PNGColor.description(fileGamma: unsafe info.gamma, primaries: primaries)
  }

  /// How reading the rows ended.
  struct Outcome {
    /// `nil` when all rows are there.
    var failure: CodecError?
    /// Rows from the top that hold something.
    var goodRows: Int
    var warnings: [DecodeWarning]
  }

  /// Reads the next rows, without padding; all at once when the picture is interlaced.
  ///
  /// - Precondition: `output` is large enough for them.
  /// - Returns: nothing as long as there is more to read.
  @unsafe mutating func readRows(_ count: Int, into output: UnsafeMutableRawPointer) -> Outcome? {
    var status = flatbed_status()
    let bytes = unsafe output.assumingMemoryBound(to: UInt8.self)
    let code = unsafe Int(flatbed_png_read_rows(handle, bytes, count, &status))
    var progress = flatbed_png_progress()
    unsafe flatbed_png_get_progress(handle, &progress)
    if code == 0, progress.whole == 0 { return nil }
    let warnings = Self.warnings(progress)
    if progress.whole != 0 { return Outcome(failure: nil, goodRows: size.height, warnings: warnings) }
    let failure: CodecError
    let row = Int(progress.row)
    switch code {
    case flatbed_png_truncated:
      failure = .truncated(
        .png, row: row, height: size.height, pass: isInterlaced ? Int(progress.pass) + 1 : nil)
    case flatbed_png_out_of_memory:
      failure = .outOfMemory(size)
    default:
      failure = .damagedAt(.png, row: row, height: size.height, detail: messageText(status))
    }
    // From the second pass on every row shows the coarser ones before.
    return Outcome(failure: failure, goodRows: progress.pass > 0 ? size.height : row, warnings: warnings)
  }

  private static func warnings(_ progress: flatbed_png_progress) -> [DecodeWarning] {
    var warnings: [DecodeWarning] = []
    if progress.warnings > 0 {
      warnings.append(
        DecodeWarning("the PNG file is not quite regular (\(messageText(progress.warning_message)))"))
    }
    if progress.end_missing != 0 {
      warnings.append(DecodeWarning("the PNG file is damaged behind its picture, which is whole"))
    }
    return warnings
  }

  private static func headerError(_ status: flatbed_status) -> CodecError {
    status.code == flatbed_png_truncated
      ? .truncatedHeader(.png) : .damaged(.png, detail: messageText(status))
  }
}

extension Resolution {
  /// From pixels per metre, as pHYs tells them.
  init?(perMetre across: Double, _ down: Double) {
    let metresPerInch = Resolution.millimetresPerInch / 1000
    self.init(plausible: across * metresPerInch, down * metresPerInch)
  }
}
