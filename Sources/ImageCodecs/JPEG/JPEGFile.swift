import Raster

/// A JPEG file: its first picture, whatever else follows it (other pictures of an MPO, a phone's video).
struct JPEGFile: PictureFile {
  let frameSizes: [PixelSize]
  let warnings: [DecodeWarning]
  private let bytes: [UInt8]
  private let header: JPEGHeader
  private let damage: DamageTolerance
  private let isAlone: Bool

  init(bytes: [UInt8], options: DecodeOptions) throws(CodecError) {
    var header = try JPEGHeader(bytes, options: options)
    if let variant = header.unreadableVariant { throw .unsupported(.jpeg, variant: variant) }
    var bytes = bytes
    if header.size.height == 0, let height = header.heightBehindScan(in: bytes), height > 0 {
      // The library doesn't know of heights that come late, so it gets a header that has it.
      bytes[header.heightOffset] = UInt8(height >> 8)
      bytes[header.heightOffset + 1] = UInt8(height & 255)
      header.size.height = height
    }
    try options.check(header.size, of: .jpeg)
    guard max(header.size.width, header.size.height) <= JPEGDecoder.longestSide else {
      throw .unsupported(.jpeg, variant: "a JPEG more than \(JPEGDecoder.longestSide) pixels wide or high")
    }
    if header.isArithmetic && !JPEGDecoder.readsArithmetic {
      throw .unsupported(.jpeg, variant: "a JPEG with arithmetic coding")
    }
    if !header.isArithmetic, header.blockCount / 8 > bytes.count, options.damage == .refuse {
      throw .truncated(.jpeg, row: 0, height: header.size.height)
    }
    var warnings: [DecodeWarning] = []
    if header.profile.count > 0, header.profile.joined == nil {
      warnings.append(DecodeWarning("parts of the color profile are missing; colors are taken as sRGB"))
    }
    self.bytes = bytes
    self.header = header
    self.warnings = warnings
    damage = options.damage
    isAlone = options.isAlone
    let orientation = header.metadata.orientation
    frameSizes = [orientation.swapsAxes ? header.size.transposed : header.size]
  }

  func picture(frame: Int, reduction: DecodeReduction) throws(CodecError) -> StoredPicture {
    let decoder = JPEGDecoder(header: header, reduction: reduction, damage: damage, mayDivide: isAlone)
    var picture = try decoder.decode(bytes, count: Self.countWithoutZeros(bytes))
    picture.fullSize = header.size
    picture.orientation = header.metadata.orientation
    picture.resolution = header.metadata.resolution ?? header.jfifResolution
    picture.captureDate = header.metadata.captureDate
    picture.focalLength35mm = header.metadata.focalLength35mm
    if let profile = header.profile.joined { picture.color = .profile(profile) }
    return picture
  }

  /// Zero bytes at the end from which on they count as data that never reached the disk.
  private static let emptyTail = 32

  /// How many bytes there are before a tail of zeros.
  ///
  /// A file that was copied in part often has its full length, with zeros for the rest. They can be read as flat blocks
  /// without any error, so they are kept from the library, which then finds that the data end.
  private static func countWithoutZeros(_ bytes: [UInt8]) -> Int {
    let count = (bytes.lastIndex { $0 != 0 } ?? 0) + 1
    return bytes.count - count >= emptyTail ? count : bytes.count
  }
}
