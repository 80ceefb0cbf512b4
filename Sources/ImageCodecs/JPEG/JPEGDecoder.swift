internal import CCodecShims
import Raster

/// Decodes a JPEG whose header was read: the only place that calls libjpeg.
struct JPEGDecoder {
  var header: JPEGHeader
  var reduction: DecodeReduction
  var damage: DamageTolerance
  /// Whether two processors may work on it.
  var mayDivide = false

  static var readsArithmetic: Bool { flatbed_jpeg_has_arithmetic() != 0 }

  /// libjpeg's JPEG_MAX_DIMENSION.
  static let longestSide = 65500

  /// Scans that are decoded at most: real files have about ten, and each costs time however few bytes it has.
  private static let mostScans = 500
  /// Scans times pixels that are decoded at most: some twenty seconds of work.
  private static let mostScannedPixels = 5_000_000_000

  /// Decodes the picture in the first `length` bytes.
  func decode(_ bytes: [UInt8], count length: Int) throws(CodecError) -> StoredPicture {
    let channels = header.components.count
    let size = reducedSize
    guard let count = size.pixelCount?.multipliedReportingOverflow(by: channels), !count.overflow else {
      throw .outOfMemory(header.size)
    }
    var report = flatbed_jpeg_report()
    var status = flatbed_status()
    var samples = unsafe [UInt8](unsafeUninitializedCapacity: count.partialValue) { output, initialized in
      guard let target = output.baseAddress else { return }
      if unsafe mayDivide && decodeDivided(bytes, count: length, to: target, &report) {
        initialized = count.partialValue
        return
      }
      unsafe decode(bytes, count: length, size: size, to: target, &report, &status)
      // A header or a scan that breaks off is cut away, and what came before it is taken.
      if status.code == flatbed_jpeg_failed, damage == .keep,
        (header.scanOffset + 2..<max(length, header.scanOffset + 2)).contains(report.whole_bytes)
      {
        unsafe decode(bytes, count: report.whole_bytes, size: size, to: target, &report, &status)
      }
      initialized = status.code == 0 ? count.partialValue : 0
    }
    try check(status, report)
    let layout: SampleLayout = channels == 1 ? .gray : channels == 3 ? .rgb : .cmyk
    var warnings = self.warnings(report)
    if layout == .cmyk {
      let polarity = InkPolarity(header: header, samples: samples)
      if polarity.isInverted { Self.invert(&samples) }
      warnings += polarity.warnings
    }
    var picture = StoredPicture(size: size, layout: layout, samples: .eight(samples))
    picture.warnings = warnings
    if report.damaged != 0, report.data_ended != 0, report.coarse_whole == 0 {
      picture.goodRows = report.row / reduction.rawValue
    }
    return picture
  }

  private var reducedSize: PixelSize {
    func reduced(_ length: Int) -> Int { (length + reduction.rawValue - 1) / reduction.rawValue }
    return PixelSize(width: reduced(header.size.width), height: reduced(header.size.height))
  }

  private func decode(
    _ bytes: [UInt8], count: Int, size: PixelSize, to output: UnsafeMutablePointer<UInt8>,
    _ report: inout flatbed_jpeg_report, _ status: inout flatbed_status
  ) {
    var request = request(size)
    unsafe decode(bytes, count: count, &request, to: output, &report, &status)
  }

  func request(_ size: PixelSize) -> flatbed_jpeg_request {
    var request = flatbed_jpeg_request()
    request.reduction = Int32(reduction.rawValue)
    request.channels = Int32(header.components.count)
    request.assume_ycck = header.looksLikeYCCK ? 1 : 0
    request.stop_at_damage = damage == .refuse ? 1 : 0
    request.most_scans = Int32(mostScans)
    request.width = size.width
    request.height = size.height
    request.end_row = size.height
    return request
  }

  func decode(
    _ bytes: [UInt8], count: Int, _ request: inout flatbed_jpeg_request,
    to output: UnsafeMutablePointer<UInt8>, before: UnsafeMutablePointer<UInt8>? = nil,
    _ report: inout flatbed_jpeg_report, _ status: inout flatbed_status
  ) {
    unsafe bytes.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      _ = unsafe flatbed_jpeg_decode(base, count, &request, output, before, &report, &status)
    }
  }

  private var mostScans: Int {
    max(1, min(Self.mostScans, Self.mostScannedPixels / max(1, header.size.pixelCount ?? 1)))
  }
}

// MARK: - What the library reports

extension JPEGDecoder {
  private func check(_ status: flatbed_status, _ report: flatbed_jpeg_report) throws(CodecError) {
    switch Int(status.code) {
    case 0:
      return
    case flatbed_jpeg_out_of_memory:
      throw .outOfMemory(header.size)
    case flatbed_jpeg_too_many_scans:
      throw .tooComplex(.jpeg, detail: "more than \(mostScans) passes over the picture")
    case flatbed_jpeg_stopped:
      throw damageError(report)
    default:
      throw .damaged(.jpeg, detail: messageText(status))
    }
  }

  private func damageError(_ report: flatbed_jpeg_report) -> CodecError {
    let (row, height) = (Int(report.row), header.size.height)
    let pass = report.pass > 0 ? Int(report.pass) : nil
    if report.data_ended != 0 { return .truncated(.jpeg, row: row, height: height, pass: pass) }
    return .damagedAt(.jpeg, row: row, height: height, detail: messageText(report.message))
  }

  private func warnings(_ report: flatbed_jpeg_report) -> [DecodeWarning] {
    var warnings: [DecodeWarning] = []
    if report.damaged != 0 { warnings.append(DecodeWarning(damageError(report).description)) }
    if report.end_marker_missing != 0 {
      warnings.append(DecodeWarning("the JPEG file ends without its end marker, but the picture is whole"))
    }
    if report.details_missing != 0 {
      warnings.append(DecodeWarning("the JPEG file ends before the finest details of the picture"))
    }
    // What else is odd about a damaged file follows from the damage.
    if report.harmless != 0, report.damaged == 0 {
      warnings.append(
        DecodeWarning("the JPEG file is not quite regular (\(messageText(report.harmless_message)))"))
    }
    return warnings
  }

  private static func invert(_ samples: inout [UInt8]) {
    unsafe samples.withUnsafeMutableBufferPointer { samples in
      for index in samples.indices { unsafe samples[index] = ~samples[index] }
    }
  }
}
