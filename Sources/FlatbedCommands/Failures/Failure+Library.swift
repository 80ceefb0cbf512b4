import CommandLineKit
import ScanLibrary
import ScanPipeline

extension Failure {
  /// A failure of the library, with the path it is about when there is one.
  init(library error: LibraryError) {
    let place = error.path.map { " (\(printable($0)))" } ?? ""
    switch error {
    case .noSuchScan:
      self.init(.scanNotFound, "\(error)", hints: ["'flatbed list' shows what there is"])
    case .ambiguous:
      self.init(.scanAmbiguous, "\(error)", hints: ["give more of the id"])
    case .noSuchPage, .noSuchPhoto, .noPages, .badOrder:
      self.init(.scanPages, "\(error)")
    case .noLibrary(let path):
      self.init(
        .libraryUnusable, subject: path, "\(error)\(place)",
        hints: ["'flatbed scan PHOTO' makes one; --library names another place"])
    case .damagedFile(_, let file, _) where file.hasPrefix("page-"):
      self.init(
        .libraryFaulty, "\(error)",
        hints: ["'flatbed adjust' makes a page again from its photo; 'flatbed verify' looks at every file"])
    case .damagedLibrary:
      self.init(
        .libraryFaulty, subject: error.path, "\(error)\(place)",
        hints: [
          "restore library.json from a backup; without it, the next 'flatbed scan' makes it anew and scans are back"
        ])
    case .damagedScan, .damagedFile:
      self.init(
        .libraryFaulty, subject: error.path, "\(error)\(place)",
        hints: ["'flatbed verify' looks at every file; a backup has what is lost"])
    case .notALibrary(_, holdsOtherFiles: false):
      self.init(
        .libraryUnusable, subject: error.path, "can't use the library\(place): \(error)",
        hints: ["if scans are in it, the next 'flatbed scan' makes library.json anew and they are back"])
    case .notALibrary:
      self.init(
        .libraryUnusable, subject: error.path, "can't use the library\(place): \(error)",
        hints: ["choose an empty or a new folder with --library"])
    case .busy:
      self.init(
        .libraryUnusable, subject: error.path, "\(error)\(place)", hints: ["try again when it has ended"])
    case .system, .noPlace, .newerFormat, .unknownProtection, .notAFile, .tooLarge, .unfit:
      self.init(.libraryUnusable, subject: error.path, "can't use the library\(place): \(error)")
    case .finished:
      self.init(.internalFault, "\(error)")
    }
  }
}

extension Failure {
  /// A page that couldn't be rendered.
  init(scan: ScanRecord, page place: Int, rendering error: any Error) {
    switch error {
    case let error as LibraryError: self.init(library: error)
    default:
      self.init(
        .libraryFaulty, subject: scan.id.text,
        "can't render page \(place) of \(titleText(scan)): \(describable(error))")
    }
  }
}
