import Raster

/// A PNG file; of an animation the still picture that every reader shows.
struct PNGFile: PictureFile {
  let frameSizes: [PixelSize]
  let warnings: [DecodeWarning]
  private let bytes: [UInt8]
  private let metadata: CaptureMetadata
  private let damage: DamageTolerance

  init(bytes: [UInt8], options: DecodeOptions) throws(CodecError) {
    let chunks = PNGChunks(bytes)
    guard let size = chunks.size else { throw .truncatedHeader(.png) }
    try options.check(size, of: .png)
    self.bytes = bytes
    metadata = chunks.metadata
    damage = options.damage
    frameSizes = [metadata.orientation.swapsAxes ? size.transposed : size]
    warnings =
      chunks.isAnimated ? [DecodeWarning("it is an animation, of which only the still picture is read")] : []
    // Chunks before the picture that can't be read are told here and not only when it is decoded.
    _ = try read { (_: inout PNGReader) throws(CodecError) in }
  }

  func picture(frame: Int, reduction: DecodeReduction) throws(CodecError) -> StoredPicture {
    if let own = OwnPNG(bytes), let samples = try own.samples(from: bytes) {
      var picture = StoredPicture(size: own.size, layout: own.layout, samples: .eight(samples))
      picture.resolution = own.resolution
      return picture
    }
    return try read { (reader: inout PNGReader) throws(CodecError) in
      let size = reader.size
      let expected = metadata.orientation.swapsAxes ? size.transposed : size
      guard expected == frameSizes[0] else { throw .damaged(.png, detail: "two headers") }
      var (picture, outcome) = try reader.readPicture()
      if let failure = outcome.failure {
        guard damage == .keep, failure.isDamage else { throw failure }
        picture.goodRows = outcome.goodRows
        picture.warnings.append(DecodeWarning(failure.description))
      }
      picture.warnings += outcome.warnings
      picture.orientation = metadata.orientation
      picture.resolution = reader.resolution ?? metadata.resolution
      picture.captureDate = metadata.captureDate
      picture.focalLength35mm = metadata.focalLength35mm
      return picture
    }
  }

  /// Opens the file for the time of `body`.
  private func read<Result>(
    _ body: (inout PNGReader) throws(CodecError) -> Result
  ) throws(CodecError) -> Result {
    // The standard function rethrows untyped errors, so the typed one is carried around it.
    let result = unsafe bytes.withUnsafeBufferPointer { buffer in
      Swift.Result<Result, CodecError> { () throws(CodecError) in
        var reader = try unsafe PNGReader(buffer, tolerant: damage == .keep)
        return try body(&reader)
      }
    }
    return try result.get()
  }
}
