private import Glibc
import Raster

/// Decodes the strips or tiles of one page into a picture, and sees to what is damaged.
struct TIFFPageDecoder {
  let page: TIFFPage
  let layout: TIFFLayout
  let damage: DamageTolerance

  /// The uppermost damage, when what is damaged is to be left white.
  private var firstDamage: CodecError?
  private var keptRows = 0
  private var row: TIFFSampleRow

  init(page: TIFFPage, layout: TIFFLayout, damage: DamageTolerance) {
    self.page = page
    self.layout = layout
    self.damage = damage
    row = TIFFSampleRow(kind: layout.samples, fullScale: Self.nominalScale(layout.samples))
  }

  /// Decodes the page as stored: neither orientation nor profile are applied.
  mutating func decode(_ reader: inout TIFFReader) throws(CodecError) -> StoredPicture {
    try checkBlocks()
    var warnings: [DecodeWarning] = []
    if layout.hasOpenRange, let odd = try measureRange(&reader) { warnings.append(odd) }
    let count = page.width * page.height * layout.output.channels
    let samples: StoredSamples
    if layout.color == .convertedByLibrary {
      samples = .eight(
        try unsafe Self.fill(count) { (output) throws(CodecError) in
          unsafe try decodeConverted(&reader, into: output)
        })
    } else if layout.isDeep {
      samples = .sixteen(
        try unsafe Self.fill(count) { (output) throws(CodecError) in
          let placement = TIFFPlacement<UInt16>(page: page, layout: layout, white: 65535)
          unsafe try decodeBlocks(&reader, into: output, placement)
        })
    } else {
      samples = .eight(
        try unsafe Self.fill(count) { (output) throws(CodecError) in
          let placement = TIFFPlacement<UInt8>(page: page, layout: layout, white: 255)
          unsafe try decodeBlocks(&reader, into: output, placement)
        })
    }
    if let firstDamage {
      guard keptRows > 0 else { throw firstDamage }
      warnings.append(DecodeWarning("\(firstDamage); what is missing is left white"))
    }
    if reader.badLines > 0 {
      warnings.append(DecodeWarning("some of its fax lines are broken, as on a noisy telephone line"))
    }
    let size = PixelSize(width: page.width, height: page.height)
    var picture = StoredPicture(size: size, layout: layout.output, samples: samples)
    if case .lab(let isICC) = layout.color { picture.convertFromLab(isICC: isICC) }
    picture.warnings = warnings
    return picture
  }

  // MARK: Blocks

  /// Planes of the page that hold samples of the picture.
  private var planes: Int { page.isPlanar ? layout.colorSamples : 1 }

  private var blocksAcross: Int { (page.width + page.blockWidth - 1) / page.blockWidth }

  /// Refuses blocks whose size differs from what follows from the tags: rows are read on the strength of it.
  private func checkBlocks() throws(CodecError) {
    guard page.blockWidth > 0, page.blockHeight > 0, page.blockRowBytes > 0 else {
      throw .damaged(.tiff, detail: "strips or tiles without a size")
    }
    guard layout.color != .convertedByLibrary else { return }
    guard TIFFReader.decodes(compression: page.compression) else {
      throw .unsupported(.tiff, variant: "a TIFF compressed by \(TIFFCompression.name(page.compression))")
    }
    let bits = page.blockWidth * (page.isPlanar ? 1 : page.samplesPerPixel) * page.bitsPerSample
    guard page.blockRowBytes == (bits + 7) / 8 else {
      throw .unsupported(.tiff, variant: "a TIFF whose rows are of an unusual length")
    }
    // A tile may be larger than its picture, but not by much in any honest file.
    let limit = 4 * (page.width + 1024) * (page.height + 1024)
    guard page.blockWidth <= limit / page.blockHeight else {
      throw .tooComplex(.tiff, detail: "tiles of \(page.blockWidth) × \(page.blockHeight) pixels")
    }
    let down = (page.height + page.blockHeight - 1) / page.blockHeight
    guard page.blocksPerPlane == blocksAcross * down else {
      throw .damaged(.tiff, detail: "\(page.blocksPerPlane) strips or tiles, not \(blocksAcross * down)")
    }
  }

  private mutating func decodeBlocks<Sample: FixedWidthInteger>(
    _ reader: inout TIFFReader, into output: UnsafeMutableBufferPointer<Sample>,
    _ placement: TIFFPlacement<Sample>
  ) throws(CodecError) {
    let scratch = try Scratch(bytes: page.blockRowBytes * page.blockHeight)
    let values = UnsafeMutableBufferPointer<UInt16>.allocate(
      capacity: page.blockWidth * page.samplesPerPixel)
    defer { unsafe values.deallocate() }
    for top in stride(from: 0, to: page.height, by: page.blockHeight) {
      for across in 0..<blocksAcross {
        let block = top / page.blockHeight * blocksAcross + across
        let left = across * page.blockWidth
        let (rows, columns) = (
          min(page.blockHeight, page.height - top), min(page.blockWidth, page.width - left)
        )
        var good = rows
        for plane in placement.planes {
          let whole = unsafe try decodeRows(
            rows, of: block + plane.index * page.blocksPerPlane, top: top, &reader, into: scratch.bytes)
          good = min(good, whole)
          for y in 0..<good {
            let bytes = unsafe UnsafeRawBufferPointer(
              rebasing: scratch.bytes[y * page.blockRowBytes..<(y + 1) * page.blockRowBytes])
            let pixel = (top + y) * page.width + left
            unsafe placement.place(bytes, plane, row, columns: columns, at: pixel, values, into: output)
          }
        }
        keptRows = max(keptRows, good > 0 ? top + good : 0)
        for y in good..<rows {
          unsafe placement.whiten(columns: columns, at: (top + y) * page.width + left, of: output)
        }
      }
    }
  }

  /// Decodes a strip or tile, and tells how many of its rows from the top are sound.
  ///
  /// - Throws: what is wrong with it, unless damage is to be kept.
  private mutating func decodeRows(
    _ rows: Int, of block: Int, top: Int, _ reader: inout TIFFReader,
    into bytes: UnsafeMutableRawBufferPointer
  ) throws(CodecError) -> Int {
    // A tile is always whole; a strip ends with the picture.
    let wanted = page.isTiled ? page.blockHeight : rows
    func decode(_ count: Int, _ reader: inout TIFFReader) -> TIFFReader.Outcome {
      unsafe reader.decodeBlock(
        block, into: UnsafeMutableRawBufferPointer(rebasing: bytes[..<(count * page.blockRowBytes)]))
    }
    let outcome = decode(wanted, &reader)
    if case .whole = outcome { return rows }
    // Where it breaks is found by asking for fewer rows: decoders tell only that they failed.
    var (good, bad) = (0, wanted)
    while bad - good > 1 {
      let middle = (good + bad) / 2
      if case .whole = decode(middle, &reader) { good = middle } else { bad = middle }
    }
    let error: CodecError =
      switch outcome {
      case .cut: .truncated(.tiff, row: top + good, height: page.height)
      case .damaged(let detail):
        .damagedAt(.tiff, row: top + good, height: page.height, detail: detail)
      case .whole: .damaged(.tiff, detail: "")
      }
    guard damage == .keep else { throw error }
    if firstDamage == nil { firstDamage = error }
    if good > 0 { _ = decode(good, &reader) }
    return min(good, rows)
  }

  /// Lets libtiff make RGB of the page, strip by strip.
  private mutating func decodeConverted(
    _ reader: inout TIFFReader, into output: UnsafeMutableBufferPointer<UInt8>
  ) throws(CodecError) {
    let step = min(page.blockHeight, page.height)
    let scratch = try Scratch(bytes: page.width * step * 4)
    let words = unsafe scratch.bytes.bindMemory(to: UInt32.self)
    for top in stride(from: 0, to: page.height, by: step) {
      let rows = min(step, page.height - top)
      let start = top * page.width
      if let problem = unsafe reader.decodeRGBA(firstRow: top, rows: rows, into: words) {
        let error = CodecError.damagedAt(.tiff, row: top, height: page.height, detail: problem)
        guard damage == .keep else { throw error }
        if firstDamage == nil { firstDamage = error }
        unsafe UnsafeMutableBufferPointer(rebasing: output[(3 * start)..<(3 * (start + rows * page.width))])
          .update(repeating: 255)
        continue
      }
      keptRows = top + rows
      for index in 0..<(rows * page.width) {
        let word = unsafe words[index]
        let place = 3 &* (start &+ index)
        unsafe output[place] = UInt8(truncatingIfNeeded: word)
        unsafe output[place &+ 1] = UInt8(truncatingIfNeeded: word &>> 8)
        unsafe output[place &+ 2] = UInt8(truncatingIfNeeded: word &>> 16)
      }
    }
  }

  // MARK: Samples without a fixed range

  /// What full light is by the book: 1 for floating point, the largest number for whole ones.
  private static func nominalScale(_ kind: TIFFLayout.SampleKind) -> Double {
    switch kind {
    case .float: 1
    case .unsigned(24): 16_777_215
    case .unsigned: 4_294_967_295
    }
  }

  /// Looks at the color samples for their largest, and chooses the range that it must be meant for.
  ///
  /// Programs write floating point as 0…1, as 0…255 or as 0…65535, and put small numbers in 32 bits. Taking one for
  /// the other gives a white or a black page.
  private mutating func measureRange(_ reader: inout TIFFReader) throws(CodecError) -> DecodeWarning? {
    let scratch = try Scratch(bytes: page.blockRowBytes * page.blockHeight)
    let samples = page.isPlanar ? page.blockWidth : page.blockWidth * page.samplesPerPixel
    var largest = 0.0
    for block in 0..<page.blocksPerPlane * planes {
      let rows = min(
        page.blockHeight, page.height - block % page.blocksPerPlane / blocksAcross * page.blockHeight)
      let count = (page.isTiled ? page.blockHeight : rows) * page.blockRowBytes
      let bytes = unsafe UnsafeMutableRawBufferPointer(rebasing: scratch.bytes[..<count])
      // Damage is dealt with when the picture itself is decoded.
      guard case .whole = unsafe reader.decodeBlock(block, into: bytes) else { continue }
      for y in 0..<rows {
        let line = unsafe UnsafeRawBufferPointer(bytes)[(y * page.blockRowBytes)...]
        largest = max(
          largest,
          unsafe TIFFSampleRow.largest(
            layout.samples, in: UnsafeRawBufferPointer(rebasing: line), count: samples))
      }
    }
    let isFloat = row.fullScale == 1
    switch largest {
    case ...1 where isFloat: return nil
    case 65536... where !isFloat: return nil
    case ...255: row.fullScale = 255
    case ...65535: row.fullScale = 65535
    default: row.fullScale = largest
    }
    let range = row.fullScale < Double(Int32.max) ? "0…\(Int(row.fullScale))" : "far above 65535"
    return DecodeWarning("its samples don't say their range; taken for \(range)")
  }

  // MARK: Memory

  /// Zeroed memory that is only touched where it is written: a header may claim more than the file holds.
  @safe private struct Scratch: ~Copyable {
    let bytes: UnsafeMutableRawBufferPointer

    init(bytes count: Int) throws(CodecError) {
      guard let start = unsafe calloc(max(count, 1), 1) else {
        throw .tooComplex(.tiff, detail: "a strip or tile of \(count) bytes")
      }
      unsafe bytes = UnsafeMutableRawBufferPointer(start: start, count: count)
    }

    deinit { unsafe free(bytes.baseAddress) }
  }

  /// An array whose every element `body` writes.
  private static func fill<Sample: FixedWidthInteger>(
    _ count: Int, _ body: (UnsafeMutableBufferPointer<Sample>) throws(CodecError) -> Void
  ) throws(CodecError) -> [Sample] {
    var failure: CodecError?
    let samples = unsafe [Sample](unsafeUninitializedCapacity: count) { buffer, initialized in
      do throws(CodecError) {
        try unsafe body(UnsafeMutableBufferPointer(rebasing: buffer[..<count]))
        initialized = count
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return samples
  }
}
