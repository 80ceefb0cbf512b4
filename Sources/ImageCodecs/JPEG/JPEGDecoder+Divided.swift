internal import CCodecShims
private import Glibc
import Raster

extension JPEGDecoder {
  /// The share of the rows that the first processor makes: the second has to read the data of those, too, which takes more than half
  /// of the time of decoding them.
  private static let firstShare = 0.68
  /// Pixels below which starting another thread isn't worth it.
  private static let leastPixels = 2_000_000
  /// Rows that both make, to see that they agree: those of a block of the coarsest sampling.
  private static let sharedRows = 32

  /// Decodes the upper and the lower part of a picture at the same time.
  ///
  /// Only a picture of one scan can be taken apart in this way, and only one without any fault: else nothing is said, and it has to be decoded as a
  /// whole, which tells what is wrong.
  /// - Returns: whether all of `output` is written.
  func decodeDivided(
    _ bytes: [UInt8], count: Int, to output: UnsafeMutablePointer<UInt8>, _ report: inout flatbed_jpeg_report
  ) -> Bool {
    let size = header.size
    guard flatbed_available_processors() > 1, reduction == .full, header.isSequential,
      (size.pixelCount ?? 0) >= Self.leastPixels,
      size.height >= 8 * Self.sharedRows
    else { return false }
    let cut = Int(Double(size.height) * Self.firstShare) / Self.sharedRows * Self.sharedRows
    let stride = size.width * header.components.count
    var parts = [request(size), request(size)]
    parts[0].end_row = cut
    parts[1].first_row = cut
    parts[1].rows_before = Self.sharedRows
    let before = UnsafeMutablePointer<UInt8>.allocate(capacity: Self.sharedRows * stride)
    defer { unsafe before.deallocate() }
    let work = unsafe Halves(
      decoder: self, bytes: bytes, count: count, parts: parts, output: output, before: before)
    let reports = mapInParallel(pieces: 2) { work.decode($0) }
    guard reports.count == 2, reports[0] != nil, let second = reports[1] else { return false }
    guard unsafe memcmp(before, output + (cut - Self.sharedRows) * stride, Self.sharedRows * stride) == 0
    else { return false }
    report = second
    return true
  }
}

/// The two parts of a picture, each decoded on a thread of its own into rows of its own.
@safe private struct Halves: @unchecked Sendable {
  let decoder: JPEGDecoder
  let bytes: [UInt8]
  let count: Int
  let parts: [flatbed_jpeg_request]
  let output: UnsafeMutablePointer<UInt8>
  /// Where the second part's rows before its first go.
  let before: UnsafeMutablePointer<UInt8>

  /// The report of a part in which nothing is amiss.
  func decode(_ part: Int) -> flatbed_jpeg_report? {
    var request = parts[part]
    var report = flatbed_jpeg_report()
    var status = flatbed_status()
    unsafe decoder.decode(bytes, count: count, &request, to: output, before: before, &report, &status)
    let isFaultless =
      status.code == 0 && report.damaged == 0 && report.harmless == 0 && report.end_marker_missing == 0
    return isFaultless ? report : nil
  }
}
