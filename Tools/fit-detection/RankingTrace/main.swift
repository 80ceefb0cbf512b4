import Foundation
import ImageCodecs
import PageDetection
import Raster

// What the ranking saw of many photos, as JSON for fit.py: `RankingTrace OUT.json PHOTO…`.

/// One outline that was ranked.
struct Outline: Encodable {
  /// Corners clockwise in pixels of the upright photo.
  var corners: [[Double]]
  var features: [Double]
}

/// All photos' outlines, by file name.
struct Answer: Encodable {
  var names = DetectionTrace.featureNames
  var photos: [String: [Outline]] = [:]
}

let arguments = CommandLine.arguments
guard arguments.count > 2 else {
  print("usage: RankingTrace OUT.json PHOTO…")
  exit(2)
}
do {
  var answer = Answer()
  for path in arguments[2...] {
    let url = URL(fileURLWithPath: path)
    let photo = try ImageSource(bytes: Array(Data(contentsOf: url))).decode()
    answer.photos[url.lastPathComponent] = traceDetection(in: photo.raster).entries.map {
      Outline(corners: $0.corners.map { [$0.x, $0.y] }, features: $0.features)
    }
  }
  try JSONEncoder().encode(answer).write(to: URL(fileURLWithPath: arguments[1]))
} catch {
  print("can't trace: \(error)")
  exit(1)
}
