import Glibc
package import ImageCodecs
package import PageDetection
package import Raster
import ScanPipeline

/// The answers to all photos of a folder, and what there is to say beside.
package struct DetectionRun: Sendable {
  package let folder: String
  /// The part of the folder that was taken, or all of it.
  package let part: HashPart?
  /// In the order of file names; ambiguous photos aren't among them.
  package private(set) var scores: [PhotoScore] = []
  /// Photos that are left out because people disagree on them.
  package private(set) var ambiguous = 0
  /// What else was left out, as sentences.
  package private(set) var notes: [String]
  /// Photos that couldn't be measured, with the reason; a run with one of them failed.
  package private(set) var failures: [String] = []

  /// Looks for the page in each photo, one at a time, so that the times can be compared.
  ///
  /// - Parameters:
  ///   - detect: what is measured.
  ///   - each: called with each score and the photo, in order.
  /// - Throws: `TruthError` before anything is measured, or what `each` throws.
  package init(
    over folder: TruthFolder, part: HashPart? = nil,
    detect: (DecodedImage) -> DetectionResult = { findPage(in: $0, options: DetectionOptions()) },
    each: (PhotoScore, Raster) throws -> Void = { _, _ in }
  ) throws {
    self.folder = folder.path
    self.part = part
    notes = folder.notes
    for truth in folder.truths where part?.contains(truth.file) ?? true {
      if truth.answer == .ambiguous {
        ambiguous += 1
        continue
      }
      let image: DecodedImage
      do {
        image = try OpenedPhoto(PhotoFile(path: folder.path(truth.file)), options: DecodeOptions()).source
          .decode()
      } catch {
        failures.append("can't read \(truth.file): \(error)")
        continue
      }
      if let size = truth.size, size != image.raster.size {
        failures.append(
          "\(truth.file) has \(image.raster.size) pixels when upright, and its truth is for \(size)")
        continue
      }
      let start = processorMilliseconds()
      let result = detect(image)
      let time = processorMilliseconds() - start
      let score = PhotoScore(
        truth: truth, size: image.raster.size, found: result.page?.quad,
        confidence: result.page?.confidence, reasons: result.reasons.map(\.description),
        milliseconds: time)
      scores.append(score)
      try each(score, image.raster)
    }
  }

  /// The photos with the worst answers first; among wrong ones those that were surest.
  package var worstFirst: [PhotoScore] {
    scores.sorted { one, other in
      if one.overlap != other.overlap { return one.overlap < other.overlap }
      let (sure, lessSure) = (one.confidence ?? 0, other.confidence ?? 0)
      return sure != lessSure ? sure > lessSure : one.truth.file < other.truth.file
    }
  }

  package func scores(answering answer: TrueAnswer) -> [PhotoScore] {
    scores.filter { $0.truth.answer == answer }
  }
}

/// The processor's clock for this process, so that other programs disturb little.
private func processorMilliseconds() -> Double {
  var time = timespec()
  unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1e6
}
