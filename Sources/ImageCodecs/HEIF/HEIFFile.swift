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
  private let plan: HEIFPlan

  init(bytes: [UInt8], options: DecodeOptions) throws(CodecError) {
    plan = try HEIFPlan(HEIFContainer(bytes: bytes), bytes: bytes, options: options)
    if let error = plan.truncation, options.damage == .refuse || plan.grid == nil { throw error }
    if options.damage == .keep { self.bytes = plan.padded(bytes) } else { self.bytes = bytes }
    let info = try Self.read(self.bytes) { (reader) throws(CodecError) in reader.info }
    let size = PixelSize(width: Int(info.width), height: Int(info.height))
    try options.check(size, of: .heif)
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
    self.options = options
  }

  func picture(frame: Int, reduction: DecodeReduction) throws(CodecError) -> StoredPicture {
    try Self.read(bytes) { (reader) throws(CodecError) in
      let info = reader.info
      let (color, colorWarning) = Self.color(of: reader, info)
      let metadata = reader.exif().map { CaptureMetadata(exif: $0) }
      var picture = try decode(&reader, info)
      picture.color = color
      if let colorWarning { picture.warnings.append(colorWarning) }
      picture.captureDate = metadata?.captureDate
      picture.focalLength35mm = metadata?.focalLength35mm
      picture.resolution = metadata?.resolution
      return picture
    }
  }

  private func decode(
    _ reader: inout HEIFReader, _ info: flatbed_heif_info
  ) throws(CodecError) -> StoredPicture {
    let isDeep = info.bits > 8
    if plan.truncation != nil, let grid = plan.grid { return try keepTiles(of: grid, isDeep: isDeep) }
    do throws(CodecError) {
      let pixels = try reader.decode(withAlpha: info.has_alpha, isDeep: isDeep, sideLimit: plan.sideLimit)
      var picture = StoredPicture(
        size: PixelSize(width: pixels.width, height: pixels.height), layout: info.has_alpha ? .rgba : .rgb,
        samples: pixels.samples)
      picture.isPremultiplied = info.has_alpha && info.is_premultiplied
      return picture
    } catch {
      guard case .damaged(_, let detail) = error, let grid = plan.grid else { throw error }
      if options.damage == .keep { return try keepTiles(of: grid, isDeep: isDeep) }
      guard let tile = try firstBadTile(of: grid, isDeep: isDeep) else { throw error }
      throw .damagedAt(.heif, row: grid.firstRow(ofTile: tile), height: grid.size.height, detail: detail)
    }
  }

  // MARK: Damaged grids

  /// libheif doesn't say which tile is bad, so that each is tried.
  private func firstBadTile(of grid: HEIFPlan.Grid, isDeep: Bool) throws(CodecError) -> Int? {
    try Self.read(plan.unhidden(bytes)) { (reader) throws(CodecError) in
      for (index, tile) in grid.tiles.enumerated() where decodeTile(tile, &reader, isDeep: isDeep) == nil {
        return index
      }
      return nil
    }
  }

  /// Puts the tiles that can be decoded together, and leaves the others white.
  private func keepTiles(of grid: HEIFPlan.Grid, isDeep: Bool) throws(CodecError) -> StoredPicture {
    var canvas = HEIFCanvas(size: grid.size, isDeep: isDeep)
    var missing: [Int] = []
    try Self.read(plan.unhidden(bytes)) { (reader) throws(CodecError) in
      for (index, tile) in grid.tiles.enumerated() {
        if !plan.cutItems.contains(tile), let pixels = decodeTile(tile, &reader, isDeep: isDeep) {
          let left = index % grid.columns * grid.tileSize.width
          canvas.place(pixels, left: left, top: index / grid.columns * grid.tileSize.height)
        } else {
          missing.append(index)
        }
      }
    }
    let firstRow = missing.first.map(grid.firstRow(ofTile:)) ?? 0
    guard missing.count < grid.tiles.count else {
      throw .truncated(.heif, row: firstRow, height: grid.size.height)
    }
    var picture = StoredPicture(size: grid.size, layout: .rgb, samples: canvas.samples)
    picture.orientation = plan.orientation
    picture.warnings.append(
      DecodeWarning(
        "\(missing.count) of its \(grid.tiles.count) tiles are missing or damaged, the first at row \(firstRow) "
          + "of \(grid.size.height); they are left white"))
    return picture
  }

  /// A tile's pixels, or `nil` when it can't be decoded, for whatever reason.
  private func decodeTile(_ tile: Int, _ reader: inout HEIFReader, isDeep: Bool) -> HEIFReader.Pixels? {
    do throws(CodecError) {
      try reader.select(item: tile)
      return try reader.decode(withAlpha: false, isDeep: isDeep, isRaw: true, sideLimit: plan.sideLimit)
    } catch {
      return nil
    }
  }

  // MARK: Reading

  private static func color(
    of reader: borrowing HEIFReader, _ info: flatbed_heif_info
  ) -> (ColorDescription, DecodeWarning?) {
    if let icc = reader.icc() { return (.profile(icc), nil) }
    return ColorDescription.nclx(primaries: Int(info.primaries), transfer: Int(info.transfer))
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
