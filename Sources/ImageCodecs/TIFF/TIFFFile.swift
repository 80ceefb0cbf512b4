import Raster

/// A TIFF file.
///
/// Each page of its chain of directories is a frame; thumbnails and masks are not.
struct TIFFFile: PictureFile {
  let frameSizes: [PixelSize]
  let warnings: [DecodeWarning]
  private let bytes: [UInt8]
  private let options: DecodeOptions
  private let pages: [TIFFDirectory]

  init(bytes: [UInt8], options: DecodeOptions) throws(CodecError) {
    let chain = try TIFFDirectories(bytes: bytes)
    var warnings: [DecodeWarning] = []
    if chain.isCut {
      let detail = "the file ends before the directory of picture \(chain.directories.count + 1)"
      guard options.damage == .keep else { throw .damaged(.tiff, detail: detail) }
      warnings.append(DecodeWarning(detail))
    }
    var pages = try Self.pages(among: chain.directories)
    if options.damage == .keep {
      // A chain that runs on into other bytes ends in directories without a size.
      let count = pages.count
      pages.removeAll { $0.width == 0 || $0.height == 0 }
      guard !pages.isEmpty else { throw .noPicture(.tiff, detail: "no directory tells a size") }
      if pages.count < count {
        warnings.append(
          DecodeWarning("\(count - pages.count) of its directories tell no size and are left out"))
      }
    }
    for page in pages {
      let size = PixelSize(width: page.width, height: page.height)
      try options.check(size, of: .tiff)
      guard page.width * page.height <= Self.mostPixels else {
        throw .tooLarge(size, maximumPixels: Self.mostPixels)
      }
    }
    self.pages = pages
    frameSizes = pages.map { page in
      let stored = PixelSize(width: page.width, height: page.height)
      return Self.orientation(page.orientation).swapsAxes ? stored.transposed : stored
    }
    self.warnings = warnings
    self.bytes = bytes
    self.options = options
  }

  /// Whatever limit is asked for: products of a page's numbers stay within 64 bits below it.
  private static let mostPixels = 1 << 40

  func picture(frame: Int, reduction: DecodeReduction) throws(CodecError) -> StoredPicture {
    let directory = pages[frame]
    var failure: CodecError?
    let picture = unsafe bytes.withUnsafeBytes { (raw) -> StoredPicture? in
      do throws(CodecError) {
        return unsafe try decode(directory, of: raw)
      } catch {
        failure = error
        return nil
      }
    }
    if let failure { throw failure }
    guard var picture else { throw .damaged(.tiff, detail: "no picture") }
    if frame == 0 {
      // A TIFF file has the structure of an EXIF block; the container's own tags for the rest win.
      let metadata = CaptureMetadata(exif: bytes)
      picture.captureDate = metadata.captureDate
      picture.focalLength35mm = metadata.focalLength35mm
    }
    return picture
  }

  /// What libtiff may allocate at a time beside the samples of a page, for its own state.
  private static let libraryAllowance = 64 << 20

  private func decode(
    _ directory: TIFFDirectory, of raw: UnsafeRawBufferPointer
  ) throws(CodecError) -> StoredPicture {
    let samples = directory.width * directory.height * TIFFLayout.maximumSamplesPerPixel
    var reader = unsafe try TIFFReader(
      bytes: raw, allocationLimit: samples + raw.count + Self.libraryAllowance)
    let page = try reader.readPage(at: directory.offset)
    // Both read the same bytes; a file with doubled tags could make them differ, and the limits were checked on one.
    guard page.width == directory.width, page.height == directory.height else {
      throw .damaged(.tiff, detail: "it tells its size twice, and differently")
    }
    let layout = try TIFFLayout(page)
    var decoder = TIFFPageDecoder(page: page, layout: layout, damage: options.damage)
    var picture = try decoder.decode(&reader)
    picture.isPremultiplied = layout.isPremultiplied
    if let icc = page.icc, layout.color != .convertedByLibrary, !layout.isLab {
      picture.color = .profile(icc)
    }
    picture.orientation = Self.orientation(directory.orientation)
    picture.resolution = Self.resolution(of: page)
    return picture
  }

  /// The directories that are pages, or the only one when it isn't said to be one.
  private static func pages(among directories: [TIFFDirectory]) throws(CodecError) -> [TIFFDirectory] {
    let pages = directories.filter(\.isPage)
    if !pages.isEmpty { return pages }
    // Some writers mark a lone picture as reduced. In raw files it is the thumbnail of a picture that isn't read.
    guard let only = directories.first, directories.count == 1, !only.isMask, !only.hasChildren else {
      throw .noPicture(.tiff, detail: "only thumbnails and masks")
    }
    return [only]
  }

  private static func orientation(_ tag: Int) -> Orientation { Orientation(rawValue: tag) ?? .upright }

  private static func resolution(of page: TIFFPage) -> Resolution? {
    switch page.resolutionUnit {
    case 2: Resolution(plausible: page.xResolution, page.yResolution)
    case 3: Resolution(plausible: page.xResolution * 2.54, page.yResolution * 2.54)
    default: nil
    }
  }
}
