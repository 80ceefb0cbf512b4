import Raster

/// A HEIF file.
struct HEIFFile: PictureFile {
  let frameSizes: [PixelSize]
  let warnings: [DecodeWarning]

  init(bytes: [UInt8], options: DecodeOptions) throws(CodecError) {
    throw .unsupported(.heif, variant: "a HEIF file")
  }

  func picture(frame: Int, reduction: DecodeReduction) throws(CodecError) -> StoredPicture {
    throw .unsupported(.heif, variant: "a HEIF file")
  }
}
