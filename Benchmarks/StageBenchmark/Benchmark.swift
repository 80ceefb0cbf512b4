import Enhancement
import Glibc
import ImageCodecs
import PageDetection
import PerspectiveCorrection
import Raster
import ScanPipeline

/// Runs after one that isn't counted.
private let runs = 7

/// Times the stages of one photo, each alone and on one thread, and prints a table.
func benchmark(_ file: PhotoFile) throws {
  let opened = try OpenedPhoto(file, options: DecodeOptions())
  let image = try opened.source.decode()
  let found = detectPage(in: image.raster).page?.quad ?? Quad(wholeOf: image.raster.size)
  let flat = try flattenPage(in: image.raster, quad: found, focalLength35mm: image.focalLength35mm)
  let enhanced = enhance(flat.raster, mode: .enhanced)

  print("\(file.name): \(image.raster.size) pixels, the page \(flat.raster.size)")
  print("milliseconds on one thread, \(runs) runs, and the median as a multiple of decoding the photo")
  let floor = try measure("decode", floor: nil) { try opened.source.decode().raster.width }
  try measure("decode at 1/4", floor: floor) { try opened.source.decode(reduction: .quarter).raster.width }
  measure("detect", floor: floor) { detectPage(in: image.raster).runnersUp.count }
  try measure("flatten", floor: floor) {
    try flattenPage(in: image.raster, quad: found, focalLength35mm: image.focalLength35mm).raster.width
  }
  for mode in [EnhancementMode.enhanced, .bw] {
    measure("enhance: \(mode.rawValue)", floor: floor) { enhance(flat.raster, mode: mode).width }
  }
  try measure("encode the flat page", floor: floor) { try encodePNG(flat.raster, resolution: nil).count }
  let stored = try encodePNG(flat.raster, resolution: nil)
  try measure("read the flat page", floor: floor) { try ImageSource(bytes: stored).decode().raster.width }
  try measure("encode it enhanced", floor: floor) { try encodePNG(enhanced, resolution: nil).count }
}

/// Times the enhancement of drawn pages of A4 at 300 dots per inch.
func benchmarkDrawnPages() {
  print("drawn pages: 2480 × 3508 pixels")
  for hasShadows in [false, true] {
    let page = drawnPage(hasShadows: hasShadows)
    for mode in [EnhancementMode.enhanced, .bw] {
      measure("\(hasShadows ? "shadows, colour" : "plain"): \(mode.rawValue)", floor: nil) {
        enhance(page, mode: mode).width
      }
    }
  }
}

/// Times `body`, prints a line, and gives the median in milliseconds.
///
/// What `body` returns is used, so that the work can't be left out.
@discardableResult
private func measure(_ name: String, floor: Double?, _ body: () throws -> Int) rethrows -> Double {
  var times: [Double] = []
  var sink = try body()
  for _ in 0..<runs {
    let start = milliseconds()
    sink &+= try body()
    times.append(milliseconds() - start)
  }
  precondition(sink != .min, "a result that no stage gives")
  times.sort()
  let median = times[runs / 2]
  let ratio = floor.map { "  \(padded(tenths(median / $0), to: 7)) ×" } ?? ""
  print(
    "  \(name.padded(to: 26)) min \(padded(tenths(times[0]), to: 7))  median \(padded(tenths(median), to: 7))\(ratio)"
  )
  return median
}

/// The processor's clock for this process, so that other programs disturb little.
private func milliseconds() -> Double {
  var time = timespec()
  unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1e6
}

private func tenths(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }

private func padded(_ text: String, to width: Int) -> String {
  String(repeating: " ", count: max(0, width - text.count)) + text
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
