import Raster

/// A TIFF file.
struct TIFFFile: PictureFile {
  let frameSizes: [PixelSize]
  let warnings: [DecodeWarning]

  init(bytes: [UInt8], options: DecodeOptions) throws(CodecError) {
    throw .unsupported(.tiff, variant: "a TIFF file")
  }

  func picture(frame: Int, reduction: DecodeReduction) throws(CodecError) -> StoredPicture {
    throw .unsupported(.tiff, variant: "a TIFF file")
  }
}
