package import Raster

/// A file whose header has been read: one or more pictures that can be decoded.
///
/// It is a value that may be shared between tasks; each decode starts afresh from the bytes.
package struct ImageSource: Sendable {
  package let format: ImageFormat
  /// Warnings about the file as a whole, such as pictures that are left out.
  package let warnings: [DecodeWarning]
  /// The size of each picture when upright, at full size.
  package let frameSizes: [PixelSize]
  private let file: any PictureFile

  /// Pictures in the file that can be pages: more than one only for a TIFF.
  package var frameCount: Int { frameSizes.count }

  /// Tells the format from the bytes and reads the header; no pixels are decoded and nothing of their size is allocated.
  ///
  /// - Throws: `emptyFile`, `notAnImage`, `tooLarge`, `unsupported`, or what is wrong with the header.
  package init(bytes: [UInt8], options: DecodeOptions = DecodeOptions()) throws(CodecError) {
    guard !bytes.isEmpty else { throw .emptyFile }
    guard let format = ImageFormat.sniff(bytes) else {
      throw .notAnImage(looksLike: ForeignFile.recognise(bytes))
    }
    switch format {
    case .jpeg: file = try JPEGFile(bytes: bytes, options: options)
    case .png: file = try PNGFile(bytes: bytes, options: options)
    case .tiff: file = try TIFFFile(bytes: bytes, options: options)
    case .heif: file = try HEIFFile(bytes: bytes, options: options)
    }
    self.format = format
    warnings = file.warnings
    frameSizes = file.frameSizes
  }

  /// Decodes one picture: upright, in sRGB, opaque.
  ///
  /// - Parameters:
  ///   - frame: 0 for the first.
  ///   - reduction: a hint; a JPEG's raster is then smaller by that factor, rounded up.
  /// - Throws: `noSuchFrame`, or what is wrong with the picture's data.
  package func decode(
    frame: Int = 0, reduction: DecodeReduction = .full
  ) throws(CodecError) -> DecodedImage {
    guard frameSizes.indices.contains(frame) else {
      throw .noSuchFrame(frame, count: frameCount)
    }
    try checkMemory(bytes: Self.memoryNeeded(frameSizes[frame], reduction), for: frameSizes[frame])
    let picture = try file.picture(frame: frame, reduction: reduction)
    // Keeping damage means to keep what is there, and here that is nothing.
    guard picture.goodRows > 0 else { throw .truncated(format, row: 0, height: picture.fullSize.height) }
    return try picture.finish()
  }

  /// Bytes of a picture as RGB and of the same picture turned upright; what codecs need beside them is theirs to check.
  private static func memoryNeeded(_ size: PixelSize, _ reduction: DecodeReduction) -> Int {
    let pixels = (size.pixelCount ?? Int.max / 8) / (reduction.rawValue * reduction.rawValue)
    return 6 * pixels
  }
}
