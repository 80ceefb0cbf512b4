internal import CCodecShims

/// libtiff's handle on a file in memory: the only place that calls it.
///
/// It borrows the bytes, so it lives inside of a `withUnsafeBytes`.
@safe struct TIFFReader: ~Copyable {
  private let handle: OpaquePointer

  /// How the decoding of a strip or tile ended.
  enum Outcome {
    case whole
    /// The file ends before the block's data do.
    case cut
    case damaged(String)
  }

  /// Opens the file (`TIFFClientOpenExt`).
  ///
  /// - Parameter allocationLimit: bytes that libtiff may allocate at a time.
  init(bytes: UnsafeRawBufferPointer, allocationLimit: Int) throws(CodecError) {
    var status = flatbed_status()
    let start = unsafe bytes.bindMemory(to: UInt8.self).baseAddress
    guard let start = unsafe start,
      let handle = unsafe flatbed_tiff_open(start, bytes.count, UInt64(max(allocationLimit, 0)), &status)
    else { throw .damaged(.tiff, detail: messageText(status)) }
    unsafe self.handle = handle
  }

  deinit { unsafe flatbed_tiff_close(handle) }

  /// Whether the system's libtiff was built with a decoder for a compression tag.
  static func decodes(compression: Int) -> Bool {
    UInt16(exactly: compression).map { flatbed_tiff_decodes($0) } ?? false
  }

  /// Makes a directory the current page (`TIFFSetSubDirectory`) and tells its tags.
  mutating func readPage(at offset: Int) throws(CodecError) -> TIFFPage {
    var status = flatbed_status()
    var page = unsafe flatbed_tiff_page()
    guard unsafe flatbed_tiff_read_page(handle, UInt64(max(offset, 0)), &page, &status) else {
      throw .damaged(.tiff, detail: messageText(status))
    }
    return unsafe TIFFPage(page)
  }

  /// Decodes the first rows of a strip or tile (`TIFFReadFromUserBuffer`), as many as fill `output`.
  mutating func decodeBlock(_ block: Int, into output: UnsafeMutableRawBufferPointer) -> Outcome {
    guard let block = UInt32(exactly: block) else { return .damaged("no such block") }
    var status = flatbed_status()
    let start = unsafe output.bindMemory(to: UInt8.self).baseAddress
    guard let start = unsafe start else { return .whole }
    return switch unsafe flatbed_tiff_decode_block(handle, block, start, output.count, &status) {
    case flatbed_tiff_block_whole: .whole
    case flatbed_tiff_block_cut: .cut
    default: .damaged(messageText(status))
    }
  }

  /// Lines that the fax decoder found broken and went on behind.
  var badLines: Int { Int(unsafe flatbed_tiff_bad_lines(handle)) }

  /// Decodes rows to RGBA by libtiff's own color conversion (`TIFFRGBAImageGet`).
  ///
  /// - Parameter output: a word a pixel, red in the lowest byte.
  /// - Returns: what went wrong, or `nil`.
  mutating func decodeRGBA(
    firstRow: Int, rows: Int, into output: UnsafeMutableBufferPointer<UInt32>
  ) -> String? {
    var status = flatbed_status()
    guard let start = output.baseAddress, let firstRow = UInt32(exactly: firstRow),
      let rows = UInt32(exactly: rows)
    else { return "no such rows" }
    let isDecoded = unsafe flatbed_tiff_decode_rgba(handle, firstRow, rows, start, &status)
    return isDecoded ? nil : messageText(status)
  }
}

/// The tags of one page that decoding depends on, with TIFF's defaults where the file is silent.
struct TIFFPage: Sendable {
  var width: Int
  var height: Int
  var bitsPerSample: Int
  var samplesPerPixel: Int
  /// Raw tag values, see the TIFF 6.0 specification.
  var photometric: Int
  var compression: Int
  var sampleFormat: Int
  var orientation: Int
  var inkSet: Int
  var isPlanar: Bool
  var isTiled: Bool
  /// JPEG in YCbCr that libtiff hands over as RGB.
  var isConvertedToRGB: Bool
  /// Columns and rows of a strip or tile; the last strip may have fewer rows.
  var blockWidth: Int
  var blockHeight: Int
  var blocksPerPlane: Int
  var blockRowBytes: Int
  var blockBytes: Int
  /// What each sample behind the color is: 0 unknown, 1 premultiplied alpha, 2 plain alpha.
  var extraSamples: [Int]
  /// In `resolutionUnit`, 0 when not given.
  var xResolution: Double
  var yResolution: Double
  /// 1 none, 2 inch, 3 centimetre.
  var resolutionUnit: Int
  var icc: [UInt8]?
  /// Red, green and blue of each palette entry, 0…65535.
  var palette: [UInt16]?

  fileprivate init(_ page: flatbed_tiff_page) {
    width = Int(unsafe page.width)
    height = Int(unsafe page.height)
    bitsPerSample = Int(unsafe page.bits_per_sample)
    samplesPerPixel = Int(unsafe page.samples_per_pixel)
    photometric = Int(unsafe page.photometric)
    compression = Int(unsafe page.compression)
    sampleFormat = Int(unsafe page.sample_format)
    orientation = Int(unsafe page.orientation)
    inkSet = Int(unsafe page.ink_set)
    isPlanar = unsafe page.is_planar
    isTiled = unsafe page.is_tiled
    isConvertedToRGB = unsafe page.is_converted_to_rgb
    blockWidth = Int(unsafe page.block_width)
    blockHeight = Int(unsafe page.block_height)
    blocksPerPlane = Int(unsafe page.blocks_per_plane)
    blockRowBytes = Int(clamping: unsafe page.block_row_bytes)
    blockBytes = Int(clamping: unsafe page.block_bytes)
    var kinds = unsafe page.extra_kinds
    let told = min(Int(unsafe page.extra_count), Int(FLATBED_TIFF_MAX_EXTRA))
    extraSamples = unsafe withUnsafeBytes(of: &kinds) { bytes in
      unsafe bytes.bindMemory(to: UInt16.self).prefix(told).map(Int.init)
    }
    xResolution = Double(unsafe page.x_resolution)
    yResolution = Double(unsafe page.y_resolution)
    resolutionUnit = Int(unsafe page.resolution_unit)
    if let start = unsafe page.icc, unsafe page.icc_size > 0 {
      icc = unsafe Array(UnsafeBufferPointer(start: start, count: Int(page.icc_size)))
    }
    if let red = unsafe page.palette_red, let green = unsafe page.palette_green,
      let blue = unsafe page.palette_blue, bitsPerSample <= 16
    {
      var entries: [UInt16] = []
      entries.reserveCapacity(3 << bitsPerSample)
      for index in 0..<(1 << bitsPerSample) {
        unsafe entries.append(red[index])
        unsafe entries.append(green[index])
        unsafe entries.append(blue[index])
      }
      palette = entries
    }
  }
}
