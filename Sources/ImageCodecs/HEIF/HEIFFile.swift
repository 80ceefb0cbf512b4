internal import CCodecShims
import Raster

/// A HEIF file, as phones write it: its primary picture, whole or as a grid of tiles.
///
/// The container says how the picture lies (`irot`, `imir`, `clap`), and libheif applies that. EXIF's orientation is
/// passed over: ISO/IEC 23008-12 makes the container the authority, and phones write both.
struct HEIFFile: PictureFile {
  let frameSizes: [PixelSize]
  let warnings: [DecodeWarning]
  private let bytes: [UInt8]
  private let options: DecodeOptions

  init(bytes: [UInt8], options: DecodeOptions) throws(CodecError) {
    let info = try Self.read(bytes) { (reader) throws(CodecError) in reader.info }
    let size = PixelSize(width: Int(info.width), height: Int(info.height))
    let coded = PixelSize(width: Int(info.coded_width), height: Int(info.coded_height))
    try options.check(size, of: .heif)
    try options.check(coded, of: .heif)
    frameSizes = [size]
    let others = Int(info.picture_count) - 1
    warnings =
      others > 0
      ? [
        DecodeWarning(
          others == 1
            ? "the file holds another picture beside its main one, which is left out"
            : "the file holds \(others) pictures beside its main one, which are left out")
      ] : []
    self.bytes = bytes
    self.options = options
  }

  func picture(frame: Int, reduction: DecodeReduction) throws(CodecError) -> StoredPicture {
    try Self.read(bytes) { (reader) throws(CodecError) in
      let info = reader.info
      let isDeep = info.bits > 8
      let pixels = try reader.decode(
        withAlpha: info.has_alpha, isDeep: isDeep,
        sideLimit: Int(max(info.coded_width, info.coded_height)) + 1)
      let size = PixelSize(width: pixels.width, height: pixels.height)
      var picture = StoredPicture(
        size: size, layout: info.has_alpha ? .rgba : .rgb, samples: pixels.samples)
      picture.isPremultiplied = info.has_alpha && info.is_premultiplied
      if let icc = reader.icc() {
        picture.color = .profile(icc)
      } else {
        let (color, warning) = ColorDescription.nclx(
          primaries: Int(info.primaries), transfer: Int(info.transfer))
        picture.color = color
        if let warning { picture.warnings.append(warning) }
      }
      if let exif = reader.exif() {
        let metadata = CaptureMetadata(exif: exif)
        picture.captureDate = metadata.captureDate
        picture.focalLength35mm = metadata.focalLength35mm
        picture.resolution = metadata.resolution
      }
      return picture
    }
  }

  private static func read<Result>(
    _ bytes: [UInt8], _ body: (inout HEIFReader) throws(CodecError) -> Result
  ) throws(CodecError) -> Result {
    let outcome = unsafe bytes.withUnsafeBytes { raw -> Swift.Result<Result, CodecError> in
      do throws(CodecError) {
        var reader = try unsafe HEIFReader(bytes: raw)
        return .success(try body(&reader))
      } catch {
        return .failure(error)
      }
    }
    return try outcome.get()
  }
}

extension ColorDescription {
  /// The space that an nclx box names with the numbers of ITU-T H.273; 0 stands for no box.
  static func nclx(primaries: Int, transfer: Int) -> (ColorDescription, DecodeWarning?) {
    let curve: TransferCurve
    var warning: DecodeWarning?
    switch transfer {
    case 4: curve = .power(2.2)
    case 5: curve = .power(2.8)
    case 8: curve = .power(1)
    case 16, 18:
      // Without tone mapping these come out pale or dark; the page can still be read.
      warning = DecodeWarning("its brightness is coded for HDR screens; it may come out pale")
      curve = .sRGB
    // Rec. 709's curve is what cameras claim, while their pictures are made to look right on sRGB screens.
    default: curve = .sRGB
    }
    switch primaries {
    case 9: return (.calibrated(.bt2020(curve)), warning)
    case 12: return (.calibrated(.displayP3(curve)), warning)
    case 11:
      // DCI-P3: the primaries of Display P3 with the white of cinemas.
      var cinema = Calibration.displayP3(curve)
      cinema.white = Chromaticity(x: 0.314, y: 0.351)
      return (.calibrated(cinema), warning)
    default: return curve == .sRGB ? (.standard, warning) : (.calibrated(.rec709(curve)), warning)
    }
  }
}
