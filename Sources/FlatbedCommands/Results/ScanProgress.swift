import CommandLineKit
import ImageCodecs
import ScanLibrary
import ScanPipeline

/// Tells what happens to photos while they are scanned, and counts it.
final class ScanProgress {
  private let reporter: Reporter
  private let bar: ProgressBar
  private(set) var storedPhotos = 0
  private(set) var duplicates = 0
  private(set) var failed = 0
  private(set) var withoutPage = 0
  private(set) var scans: [ScanRecord] = []
  private(set) var photos: [PhotoJSON] = []

  private let isDraft: Bool

  /// - Parameter isDraft: whether the scans are looked at before they are stored; they are told of by `take(stored:)` then.
  init(_ reporter: Reporter, photoCount: Int, isDraft: Bool = false) {
    self.reporter = reporter
    self.isDraft = isDraft
    bar = reporter.console.progress("Scanning", total: photoCount, unit: "photos")
  }

  func finish() { bar.finish() }

  /// The scans as they were stored after all, of which some photos may have been taken out, and pages been set right.
  func take(stored scans: [ScanRecord]) {
    self.scans = scans
    storedPhotos = scans.reduce(0) { $0 + $1.photos.count }
    withoutPage = scans.flatMap(\.pages).count { $0.origin.found == OutlineOrigin.notFound.rawValue }
    for scan in scans { reporter.print(scanLine(scan)) }
  }

  func take(_ event: ScanEvent) {
    switch event {
    case .photo(let outcome):
      bar.advance()
      take(outcome)
    case .scan(let scan):
      scans.append(scan)
      if !isDraft { reporter.print(scanLine(scan)) }
    case .nothing: break
    }
  }

  private func take(_ outcome: PhotoOutcome) {
    switch outcome {
    case .stored(let file, let pages, let warnings):
      storedPhotos += 1
      for warning in warnings { reporter.note("\(file.displayName): \(warning)") }
      for (index, page) in pages.enumerated() {
        let name = file.displayName + (pages.count > 1 ? ", picture \(index + 1)" : "")
        if page.origin == .notFound {
          withoutPage += 1
          reporter.note(notFoundText(name, reasons: page.reasons))
        }
        if page.otherSheets > 0 { reporter.note(otherSheetsText(name, count: page.otherSheets)) }
      }
      photos.append(PhotoJSON(path: file.path, status: "stored", warnings: warnings.map(\.text)))
    case .duplicate(let file, let duplicate):
      duplicates += 1
      let place =
        switch duplicate {
        case .inLibrary(let scan): "is in the library already, in \(scan.id.short) \(printable(scan.title))"
        case .givenBefore(let other): "is the same photo as \(other.displayName)"
        }
      reporter.note("\(file.displayName) \(place); passed over (--again scans it all the same)")
      let scan: String? = if case .inLibrary(let scan) = duplicate { scan.id.text } else { nil }
      photos.append(PhotoJSON(path: file.path, status: "duplicate", scan: scan))
    case .failed(let file, let error):
      failed += 1
      if let error = error as? NoPageError {
        reporter.fail(Failure.noPage(in: file, reasons: error.reasons))
      } else {
        reporter.fail(Failure(path: file.path, error: error))
      }
      photos.append(PhotoJSON(path: file.path, status: "failed"))
    }
  }

  /// What became of a photo.
  struct PhotoJSON: Encodable {
    let path: String
    let status: String
    var scan: String?
    var warnings: [String] = []
  }
}
