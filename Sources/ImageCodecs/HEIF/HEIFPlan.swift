import Raster

/// What the primary picture is made of, found to be within reason.
struct HEIFPlan: Sendable {
  /// Tiles in rows from the top, each row from the left.
  struct Grid: Sendable {
    var columns: Int
    var size: PixelSize
    var tileSize: PixelSize
    var tiles: [Int]
    /// Bytes of the file whose lowest bit hides a tile.
    var flagPlaces: [Int]

    /// The first row of pixels that tile `index` covers.
    func firstRow(ofTile index: Int) -> Int { min(index / columns * tileSize.height, size.height) }
  }

  /// As coded, before rotation.
  var size: PixelSize
  /// `nil` for a picture in one piece.
  var grid: Grid?
  /// Places of the items that the file ends before, or within.
  var cutItems: Set<Int> = []
  /// Bytes of the items that were looked at.
  private var dataBytes = 0
  /// Where the last of all items' bytes should end.
  var end = 0
  /// How the coded picture lies, for those who put it together themselves.
  var orientation = Orientation.upright

  /// How many times the pixels of a picture its tiles may have.
  ///
  /// An honest file decodes hardly more than it shows: the edges of a phone's 512-pixel tiles add a few per cent.
  private static let mostTilePixels = 2
  /// Coded sizes are rounded up to blocks of 64 at the most.
  private static let codedMargin = 128

  /// Checks the primary picture, its tiles and its opacity.
  ///
  /// - Throws: `tooLarge`, `tooComplex`, `unsupported` or `damaged`.
  init(_ container: HEIFContainer, bytes: [UInt8], options: DecodeOptions) throws(CodecError) {
    guard let number = container.primary, let primary = container.items[number] else {
      throw .damaged(.heif, detail: "its primary picture is missing")
    }
    guard let extent = primary.extent else { throw .damaged(.heif, detail: "its picture has no size") }
    size = PixelSize(width: extent.width, height: extent.height)
    try options.check(size, of: .heif)
    try check(number, primary, in: container, bytes: bytes, options: options)
    if primary.type == "grid" { grid = try Self.grid(primary, in: container, bytes: bytes) }
    for (other, item) in container.items where item.isAlpha && item.masters.contains(number) {
      try check(other, item, in: container, bytes: bytes, options: options)
      if item.type == "grid" { _ = try Self.grid(item, in: container, bytes: bytes) }
    }
    orientation = Self.orientation(primary.properties)
    end = container.items.values.flatMap(\.extents).map(\.upperBound).max() ?? 0
  }

  /// The side from which on libheif may refuse to allocate.
  var sideLimit: Int {
    let tile = grid.map { max($0.tileSize.width, $0.tileSize.height) } ?? 0
    return max(size.width, size.height, tile) + Self.codedMargin + 1
  }

  /// Where the picture breaks off, when the file ends before its data do.
  var truncation: CodecError? {
    guard !cutItems.isEmpty else { return nil }
    let tile = grid?.tiles.firstIndex { cutItems.contains($0) } ?? 0
    return .truncated(.heif, row: grid?.firstRow(ofTile: tile) ?? 0, height: size.height)
  }

  /// A cut file filled up with zeros to where it should end, so that libheif opens it; others as they are.
  func padded(_ bytes: [UInt8]) -> [UInt8] {
    let missing = end - bytes.count
    guard missing > 0, missing <= Self.mostMissing else { return bytes }
    return bytes + Array(repeating: 0, count: missing)
  }

  /// The file with its tiles as pictures in their own right: libheif gives out no others.
  func unhidden(_ bytes: [UInt8]) -> [UInt8] {
    var other = bytes
    for place in grid?.flagPlaces ?? [] where other.indices.contains(place) { other[place] &= 0xFE }
    return other
  }

  /// No photo's tiles take more than this.
  private static let mostMissing = 256 << 20

  private mutating func check(
    _ number: Int, _ item: HEIFContainer.Item, in container: HEIFContainer, bytes: [UInt8],
    options: DecodeOptions
  ) throws(CodecError) {
    switch item.type {
    case "hvc1": try checkCoded(number, item, bytes: bytes, options: options)
    case "grid":
      var seen: Set<Int> = []
      for part in item.parts where seen.insert(part).inserted {
        guard let tile = container.items[part], tile.type == "hvc1" else {
          throw .unsupported(.heif, variant: "a HEIC whose tiles aren't coded with HEVC")
        }
        try checkCoded(part, tile, bytes: bytes, options: options)
      }
    case "av01": throw .unsupported(.heif, variant: "an AVIF picture")
    case "jpeg", "avc1", "vvc1", "j2k1", "unci":
      throw .unsupported(.heif, variant: "a HEIF file coded as “\(item.type)”")
    case "iovl", "iden": throw .unsupported(.heif, variant: "a HEIC that is put together of other pictures")
    default: throw .unsupported(.heif, variant: "a HEIF file of an unknown kind")
    }
  }

  /// Sees to it that an item's coded size is what its header says, and notes where its bytes end.
  private mutating func checkCoded(
    _ number: Int, _ item: HEIFContainer.Item, bytes: [UInt8], options: DecodeOptions
  ) throws(CodecError) {
    guard let extent = item.extent else { throw .damaged(.heif, detail: "its picture has no size") }
    let size = PixelSize(width: extent.width, height: extent.height)
    try options.check(size, of: .heif)
    let itemEnd = item.extents.map(\.upperBound).max() ?? 0
    // Items that share their bytes could cost more work than the file is worth.
    dataBytes += item.extents.reduce(0) { $0 + $1.clamped(to: 0..<bytes.count).count }
    guard dataBytes <= 2 * bytes.count else {
      throw .tooComplex(.heif, detail: "its tiles share their data")
    }
    if itemEnd > bytes.count || item.extents.isEmpty { cutItems.insert(number) }
    var sizes: [(width: Int, height: Int)] = []
    var lengthBytes = 4
    for case .hevcConfiguration(let range) in item.properties {
      let found = HEVCSequence.sizes(configuration: ByteReader(bytes: bytes, range: range))
      sizes += found.sizes
      lengthBytes = found.lengthBytes
    }
    for extent in item.extents {
      sizes += HEVCSequence.sizes(
        data: ByteReader(bytes: bytes, range: extent), lengthBytes: lengthBytes)
    }
    for coded in sizes {
      guard coded.width <= size.width + Self.codedMargin, coded.height <= size.height + Self.codedMargin
      else {
        let coded = PixelSize(width: coded.width, height: coded.height)
        throw .tooComplex(.heif, detail: "a picture of \(size) pixels is coded as \(coded)")
      }
    }
  }

  /// Reads a grid's own data (ISO/IEC 23008-12, 6.6.2.3.2).
  private static func grid(
    _ item: HEIFContainer.Item, in container: HEIFContainer, bytes: [UInt8]
  ) throws(CodecError) -> Grid {
    guard let place = item.extents.first, let extent = item.extent else {
      throw .damaged(.heif, detail: "its grid of tiles is missing")
    }
    var reader = ByteReader(bytes: bytes, range: place)
    reader.skip(1)
    guard let flags = reader.number(1), let rows = reader.number(1), let columns = reader.number(1),
      let width = reader.number(flags & 1 == 0 ? 2 : 4), let height = reader.number(flags & 1 == 0 ? 2 : 4)
    else { throw .damaged(.heif, detail: "its grid of tiles is missing") }
    guard width == extent.width, height == extent.height else {
      throw .damaged(.heif, detail: "it tells its size twice, and differently")
    }
    let count = (rows + 1) * (columns + 1)
    guard item.parts.count == count, let first = container.items[item.parts[0]]?.extent else {
      throw .damaged(.heif, detail: "\(item.parts.count) tiles, not \(count)")
    }
    let tilePixels = item.parts.reduce(0) { sum, part in
      let extent = container.items[part]?.extent ?? (0, 0)
      return sum + extent.width * extent.height
    }
    // One tile may be larger than its picture.
    guard tilePixels <= mostTilePixels * width * height + first.width * first.height else {
      throw .tooComplex(.heif, detail: "tiles of \(tilePixels) pixels for a picture of \(width * height)")
    }
    return Grid(
      columns: columns + 1, size: PixelSize(width: width, height: height),
      tileSize: PixelSize(width: first.width, height: first.height), tiles: item.parts,
      flagPlaces: item.parts.compactMap { container.items[$0]?.flagPlace })
  }

  /// Rotations and mirrorings one after the other, as a single orientation.
  private static func orientation(_ properties: [HEIFContainer.Property]) -> Orientation {
    // A picture in which no two orientations look the same is turned step by step, and then recognised.
    let probe = Raster(size: PixelSize(width: 3, height: 2), format: .gray, samples: [0, 1, 2, 3, 4, 5])
    let turned = properties.reduce(probe) { picture, property in
      switch property {
      case .rotation(let turns): picture.turned(QuarterTurn(rawValue: (4 - turns) % 4) ?? .none)
      case .mirror(0): picture.upright(from: .mirroredUpsideDown)
      case .mirror: picture.upright(from: .mirrored)
      default: picture
      }
    }
    return Orientation.allCases.first { probe.upright(from: $0) == turned } ?? .upright
  }
}
