package import ImageCodecs

/// A photo whose bytes are in memory and whose header has been read.
package struct OpenedPhoto: Sendable {
  package let file: PhotoFile
  package let bytes: [UInt8]
  package let source: ImageSource

  /// Reads a photo's file and header; no pixels are decoded.
  ///
  /// - Throws: `PhotoFileError` or `CodecError`.
  package init(_ file: PhotoFile, options: DecodeOptions) throws {
    self.file = file
    // A wrong file can be huge, and its first bytes tell.
    if !file.isStream {
      let start = try file.read(first: ImageFormat.sniffedBytes)
      if start.isEmpty { throw CodecError.emptyFile }
      if ImageFormat.sniff(start) == nil {
        throw CodecError.notAnImage(looksLike: ForeignFile.recognise(start))
      }
    }
    bytes = try file.read()
    source = try ImageSource(bytes: bytes, options: options)
  }
}
