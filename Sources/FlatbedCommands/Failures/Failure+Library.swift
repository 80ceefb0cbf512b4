import CommandLineKit
import LibraryKeys
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
        hints: ["'flatbed library init' or 'flatbed scan PHOTO' makes one; --library names another place"])
    case .damagedFile(_, let file, _) where file.hasPrefix("page-"):
      self.init(
        .libraryFaulty, "\(error)",
        hints: ["'flatbed adjust' makes a page again from its photo; 'flatbed verify' looks at every file"])
    case .damagedLibrary:
      self.init(
        .libraryFaulty, subject: error.path, "\(error)\(place)",
        hints: [
          "restore library.json from a backup; if the scans are not protected, 'flatbed library init --protection owner-only' makes it anew"
        ])
    case .damagedScan, .damagedFile:
      self.init(
        .libraryFaulty, subject: error.path, "\(error)\(place)",
        hints: ["'flatbed verify' looks at every file; a backup has what is lost"])
    case .notALibrary(_, holdsOtherFiles: false):
      self.init(
        .libraryUnusable, subject: error.path, "can't use the library\(place): \(error)",
        hints: [
          "if there are scans in it that are not protected, 'flatbed library init --protection owner-only' makes library.json anew"
        ])
    case .notALibrary:
      self.init(
        .libraryUnusable, subject: error.path, "can't use the library\(place): \(error)",
        hints: ["choose an empty or a new folder with --library"])
    case .busy:
      self.init(
        .libraryUnusable, subject: error.path, "\(error)\(place)", hints: ["try again when it has ended"])
    case .locked(let path):
      self.init(
        .libraryLocked, subject: path, "\(error)\(place)",
        hints: [
          "'flatbed unlock' unlocks it for a while; scripts give --passphrase-file or FLATBED_PASSPHRASE_COMMAND"
        ])
    case .wrongKey:
      self.init(.libraryFaulty, subject: error.path, "\(error)\(place)")
    case .sealedBesideOpen:
      self.init(
        .libraryFaulty, subject: error.path, "\(error)\(place)",
        hints: ["restore library.json, or library.json.copy, from a backup"])
    case .protectionChanged:
      self.init(.libraryUnusable, subject: error.path, "\(error)\(place)", hints: ["run it again"])
    case .key(let error):
      self.init(key: error)
    case .system, .noPlace, .newerFormat, .unknownProtection, .notAFile, .tooLarge, .unfit:
      self.init(.libraryUnusable, subject: error.path, "can't use the library\(place): \(error)")
    case .finished:
      self.init(.internalFault, "\(error)")
    }
  }
}

extension Failure {
  /// A failure of a key or a passphrase.
  init(key error: KeyError) {
    switch error {
    case .wrongPassphrase, .wrongRecoveryKey: self.init(.libraryPassphrase, "\(error)")
    case .badRecoveryKey, .unfitPassphrase, .passphraseCommand: self.init(.passphraseUnusable, "\(error)")
    case .passphraseFile(let path, _):
      self.init(
        .passphraseUnusable, subject: path, "can't take the passphrase from \(printable(path)): \(error)")
    case .unfitCost, .foreignState: self.init(.libraryFaulty, "\(error)")
    case .outOfMemory: self.init(.libraryUnusable, "\(error)")
    case .noPlace:
      self.init(
        .libraryUnusable, "can't keep the library unlocked: \(error)",
        hints: ["scripts give --passphrase-file or FLATBED_PASSPHRASE_COMMAND to each command"])
    case .system: self.init(.libraryUnusable, "can't keep the library unlocked: \(error)")
    }
  }

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
