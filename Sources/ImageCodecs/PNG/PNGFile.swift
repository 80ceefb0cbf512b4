import Raster

/// A PNG file.
struct PNGFile: PictureFile {
  let frameSizes: [PixelSize]
  let warnings: [DecodeWarning]

  init(bytes: [UInt8], options: DecodeOptions) throws(CodecError) {
    throw .unsupported(.png, variant: "a PNG file")
  }

  func picture(frame: Int, reduction: DecodeReduction) throws(CodecError) -> StoredPicture {
    throw .unsupported(.png, variant: "a PNG file")
  }
}
