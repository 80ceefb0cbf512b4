import Raster

/// A JPEG file.
struct JPEGFile: PictureFile {
  let frameSizes: [PixelSize]
  let warnings: [DecodeWarning]

  init(bytes: [UInt8], options: DecodeOptions) throws(CodecError) {
    throw .unsupported(.jpeg, variant: "a JPEG file")
  }

  func picture(frame: Int, reduction: DecodeReduction) throws(CodecError) -> StoredPicture {
    throw .unsupported(.jpeg, variant: "a JPEG file")
  }
}
