import Raster

/// A file of one format whose header has been read: what each format gives to `ImageSource`.
///
/// A new reader is made from the bytes for each decode, so that a file can be decoded by several tasks at once.
protocol PictureFile: Sendable {
  /// Reads the header, and refuses pictures over the limits before anything of their size is allocated.
  init(bytes: [UInt8], options: DecodeOptions) throws(CodecError)

  /// The size of each picture when upright, at full size. Never empty.
  var frameSizes: [PixelSize] { get }

  /// What is odd about the file as a whole.
  var warnings: [DecodeWarning] { get }

  /// Decodes one picture, as it is stored.
  ///
  /// - Parameter frame: within `frameSizes.indices`.
  func picture(frame: Int, reduction: DecodeReduction) throws(CodecError) -> StoredPicture
}

extension DecodeOptions {
  /// Refuses a size that a header claims, when it is empty or over the limit.
  func check(_ size: PixelSize, of format: ImageFormat) throws(CodecError) {
    guard size.width > 0, size.height > 0 else {
      throw .damaged(format, detail: "a picture of \(size) pixels")
    }
    guard let pixels = size.pixelCount, pixels <= maximumPixels else {
      throw .tooLarge(size, maximumPixels: maximumPixels)
    }
  }
}
