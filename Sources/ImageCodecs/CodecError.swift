package import Raster

/// Why a file can't be decoded, or a picture not be encoded.
package enum CodecError: Error, Sendable, Hashable {
  /// The file has no bytes at all.
  case emptyFile
  /// The bytes are no picture of a format that is read; what they look like instead, when that can be told.
  case notAnImage(looksLike: ForeignFile?)
  /// A kind of the format that isn't read, named so that a user can search for it: `a 12-bit JPEG`.
  case unsupported(ImageFormat, variant: String)
  /// The header claims more pixels than allowed; nothing was allocated.
  case tooLarge(PixelSize, maximumPixels: Int)
  /// Decoding would take more work or memory than any honest file needs; says what there is too much of.
  case tooComplex(ImageFormat, detail: String)
  /// The file ends before its picture's data begin.
  case truncatedHeader(ImageFormat)
  /// The data end early: `row` rows of `height` are there, counted as stored in the file.
  ///
  /// `pass` is the scan of a progressive JPEG or the pass of an interlaced PNG they end in, from 1.
  case truncated(ImageFormat, row: Int, height: Int, pass: Int? = nil)
  /// The data are damaged from `row` of `height` on, counted as stored in the file.
  case damagedAt(ImageFormat, row: Int, height: Int, detail: String)
  /// The file is damaged, in the words of the library that reads it.
  case damaged(ImageFormat, detail: String)
  /// The file is sound, and has no picture in it that could be a page.
  case noPicture(ImageFormat, detail: String)
  /// A frame was asked for that the file doesn't have.
  case noSuchFrame(Int, count: Int)
  /// The system has no memory for a picture of this size.
  case outOfMemory(PixelSize)
  /// A picture could not be written as PNG.
  case encodingFailed(detail: String)
}

extension CodecError: CustomStringConvertible {
  /// The reason as a lower-case sentence without file name and full stop.
  package var description: String {
    switch self {
    case .emptyFile:
      "the file is empty"
    case .notAnImage(nil):
      "it is not an image that Flatbed reads (JPEG, PNG, TIFF, HEIC)"
    case .notAnImage(let other?):
      "it is not an image that Flatbed reads (JPEG, PNG, TIFF, HEIC); it looks like \(other)"
    case .unsupported(_, let variant):
      "it is \(variant), which Flatbed doesn't read"
    case .tooLarge(let size, let limit):
      "it is \(size) pixels large, more than the limit of \(Self.megapixels(limit)) megapixels"
    case .tooComplex(let format, let detail):
      "the \(format.displayName) file asks for too much work: \(detail)"
    case .truncatedHeader(let format):
      "the \(format.displayName) file ends before its picture begins"
    case .truncated(let format, let row, let height, nil):
      "the \(format.displayName) data ends at row \(row) of \(height)"
    case .truncated(let format, let row, let height, let pass?):
      "the \(format.displayName) data ends at row \(row) of \(height) in pass \(pass) over the picture"
    case .damagedAt(let format, let row, let height, let detail):
      "the \(format.displayName) data is damaged at row \(row) of \(height) (\(detail))"
    case .damaged(let format, let detail):
      "the \(format.displayName) file is damaged (\(detail))"
    case .noPicture(let format, let detail):
      "the \(format.displayName) file has no picture to read (\(detail))"
    case .noSuchFrame(let frame, let count):
      "there is no picture \(frame + 1) in it, it has \(count)"
    case .outOfMemory(let size):
      "there is not enough memory for a picture of \(size) pixels"
    case .encodingFailed(let detail):
      "the picture can't be written as PNG (\(detail))"
    }
  }

  /// Whether the picture, or a part of it, can be had by decoding with `DamageTolerance.keep`.
  package var isDamage: Bool {
    switch self {
    case .truncated, .damagedAt, .damaged: true
    default: false
    }
  }

  private static func megapixels(_ pixels: Int) -> String {
    let (whole, tenth) = (pixels / 1_000_000, pixels % 1_000_000 / 100_000)
    return tenth == 0 ? "\(whole)" : "\(whole).\(tenth)"
  }
}
