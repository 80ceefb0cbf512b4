import CommandLineKit
import ImageCodecs
import PerspectiveCorrection
import Raster
import ScanPipeline

extension Failure {
  /// The failure of a photo or folder at a path.
  init(path: String, error: any Error & CustomStringConvertible) {
    let name = PhotoFile(path: path).displayName
    let (code, hints): (Code, [String]) =
      switch error {
      case let error as PhotoFileError: Self.kind(of: error, at: path)
      case let error as FolderFault: Self.kind(of: error)
      case let error as CodecError: Self.kind(of: error)
      case is CorrectionError:
        (.pageCorners, ["give the four corners in pixels of the upright photo, or --whole"])
      default: (.internalFault, [])
      }
    self.init(code, subject: path, "can't read \(name): \(error)", hints: hints)
  }

  private static func kind(of error: PhotoFileError, at path: String) -> (Code, [String]) {
    switch error {
    case .missing: (.inputMissing, [Self.missingHint(path)])
    case .isFolder: (.inputUnreadable, ["'flatbed scan' takes folders"])
    case .isDevice, .tooLarge, .stopped, .system: (.inputUnreadable, [])
    }
  }

  /// A limit is raised for large photos, not for what no memory could hold.
  private static func limitHints(_ size: PixelSize) -> [String] {
    guard let pixels = size.pixelCount, pixels <= 10_000_000_000 else { return [] }
    return ["if it is meant to be that large, allow it with --max-pixels \(pixels)"]
  }

  private static func missingHint(_ path: String) -> String {
    path.contains("*") || path.hasPrefix("~")
      ? "the shell has not expanded this; write it without quotes, and check that something matches"
      : "check the path; quote it if it has spaces"
  }

  private static func kind(of error: FolderFault) -> (Code, [String]) {
    switch error {
    case .noPictures: (.inputNoPictures, ["--recursive looks into its sub-folders too"])
    case .nameNotUTF8: (.inputUnreadable, [])
    case .isLibrary: (.inputUnreadable, ["'flatbed list' shows what is in it"])
    }
  }

  private static func kind(of error: CodecError) -> (Code, [String]) {
    switch error {
    case .emptyFile: (.imageNotRecognised, ["copy it again; the photo may still be on the phone"])
    case .notAnImage, .noPicture: (.imageNotRecognised, [])
    case .unsupported: (.imageUnsupported, ["save it as an ordinary JPEG or PNG first"])
    case .tooLarge(let size, _):
      (.imageTooLarge, Self.limitHints(size))
    case .tooComplex, .outOfMemory: (.imageTooLarge, [])
    case .truncated, .damagedAt, .damaged, .truncatedHeader:
      (
        .imageDamaged,
        error.isDamage ? ["copy it again, or take what is there with --damaged keep"] : ["copy it again"]
      )
    case .noSuchFrame, .encodingFailed: (.internalFault, [])
    }
  }
}
