import Raster

/// What the segments of a JPEG before its first scan tell.
///
/// Read by ourselves, so that sizes are checked, and kinds that aren't read are named, before the library sees a byte.
struct JPEGHeader: Sendable {
  var size = PixelSize(width: 0, height: 0)
  /// How the samples are coded: the second byte of the frame's marker, 0xC0 to 0xCF.
  var process: UInt8 = 0
  var bitsPerSample = 0
  var components: [Component] = []
  /// The transform that Adobe's marker names, when there is such a marker.
  var adobeTransform: UInt8?
  var hasJFIF = false
  var jfifResolution: Resolution?
  var metadata = CaptureMetadata()
  var hasEXIF = false
  var profile = ProfileParts()
  /// Where the frame's two bytes for the height are.
  var heightOffset = 0
  /// Where the first scan's marker is.
  var scanOffset = 0

  struct Component: Sendable {
    var identifier: UInt8
    var horizontal: Int
    var vertical: Int
  }

  /// An ICC profile comes in numbered pieces, in any order.
  struct ProfileParts: Sendable {
    var count = 0
    var parts: [Int: ArraySlice<UInt8>] = [:]
    var isBroken = false

    /// The whole profile; `nil` when there is none or when pieces are missing.
    var joined: [UInt8]? {
      guard count > 0, !isBroken, parts.count == count else { return nil }
      return (1...count).reduce(into: []) { $0 += parts[$1] ?? [] }
    }
  }

  /// Segments between the start and the first scan: more than any writer needs.
  private static let mostSegments = 4096

  /// - Throws: `tooLarge` as soon as the size is known, `truncatedHeader`, or `damaged` when there is no frame.
  init(_ bytes: [UInt8], options: DecodeOptions) throws(CodecError) {
    var position = 2
    for _ in 0..<Self.mostSegments {
      guard let marker = Self.nextMarker(in: bytes, from: &position) else { throw .truncatedHeader(.jpeg) }
      switch marker {
      case 0x01, 0xD0...0xD8:
        continue
      case 0xD9:
        throw .damaged(.jpeg, detail: "it ends before a picture begins")
      case 0xDA:
        guard process != 0 else { throw .damaged(.jpeg, detail: "a scan without a frame") }
        scanOffset = position - 2
        return
      default:
        break
      }
      guard position + 2 <= bytes.count else { throw .truncatedHeader(.jpeg) }
      let length = Int(bytes[position]) << 8 | Int(bytes[position + 1])
      guard length >= 2 else { throw .damaged(.jpeg, detail: "a segment of \(length) bytes") }
      guard position + length <= bytes.count else { throw .truncatedHeader(.jpeg) }
      try read(marker, bytes[position + 2..<position + length])
      if size.width > 0, size.height > 0 { try options.check(size, of: .jpeg) }
      position += length
    }
    throw .tooComplex(.jpeg, detail: "more than \(Self.mostSegments) segments before the picture")
  }

  /// The next marker; bytes before it that belong to none are skipped, as the library does.
  private static func nextMarker(in bytes: [UInt8], from position: inout Int) -> UInt8? {
    while position < bytes.count {
      guard let marker = bytes[position...].firstIndex(of: 0xFF) else { return nil }
      guard let code = bytes[marker...].firstIndex(where: { $0 != 0xFF }) else { return nil }
      position = code + 1
      if bytes[code] != 0 { return bytes[code] }
    }
    return nil
  }

  private mutating func read(_ marker: UInt8, _ body: ArraySlice<UInt8>) throws(CodecError) {
    switch marker {
    case 0xC4, 0xC8, 0xCC: return
    case 0xC0...0xCF: try readFrame(marker, body)
    case 0xE0 where body.starts(with: "JFIF\0".utf8): readJFIF(Array(body))
    case 0xE1 where body.starts(with: "Exif\0".utf8) && !hasEXIF:
      hasEXIF = true
      metadata = CaptureMetadata(exif: body)
    case 0xE2 where body.starts(with: "ICC_PROFILE\0".utf8): readProfile(body.dropFirst(12))
    case 0xEE where body.starts(with: "Adobe".utf8) && body.count >= 12:
      adobeTransform = body[body.startIndex + 11]
    default: return
    }
  }

  private mutating func readFrame(_ marker: UInt8, _ body: ArraySlice<UInt8>) throws(CodecError) {
    guard process == 0 else { throw .damaged(.jpeg, detail: "two frames") }
    let frame = Array(body)
    guard frame.count >= 6, frame.count >= 6 + 3 * Int(frame[5]) else {
      throw .damaged(.jpeg, detail: "a frame header of \(frame.count) bytes")
    }
    process = marker
    bitsPerSample = Int(frame[0])
    size = PixelSize(width: Int(frame[3]) << 8 | Int(frame[4]), height: Int(frame[1]) << 8 | Int(frame[2]))
    heightOffset = body.startIndex + 1
    components = (0..<Int(frame[5])).map { index in
      let factors = frame[7 + 3 * index]
      return Component(
        identifier: frame[6 + 3 * index], horizontal: Int(factors >> 4), vertical: Int(factors & 15))
    }
  }

  private mutating func readJFIF(_ body: [UInt8]) {
    hasJFIF = true
    guard body.count >= 12 else { return }
    let x = Double(Int(body[8]) << 8 | Int(body[9]))
    let y = Double(Int(body[10]) << 8 | Int(body[11]))
    switch body[7] {
    case 1: jfifResolution = Resolution(plausible: x, y)
    case 2: jfifResolution = Resolution(plausible: x * 2.54, y * 2.54)
    default: return
    }
  }

  private mutating func readProfile(_ body: ArraySlice<UInt8>) {
    guard body.count >= 2 else { return profile.isBroken = true }
    let (number, count) = (Int(body[body.startIndex]), Int(body[body.startIndex + 1]))
    if profile.count == 0 { profile.count = count }
    guard count == profile.count, (1...max(1, count)).contains(number), count > 0,
      profile.parts[number] == nil
    else { return profile.isBroken = true }
    profile.parts[number] = body.dropFirst(2)
  }
}

// MARK: - What it means

extension JPEGHeader {
  /// The kind of JPEG when it is one that isn't read, as `a 12-bit JPEG`.
  var unreadableVariant: String? {
    switch process {
    case 0xC3, 0xCB: return "a lossless JPEG"
    case 0xC5...0xC7, 0xCD...0xCF: return "a hierarchical JPEG"
    default: break
    }
    if bitsPerSample != 8 { return "a \(bitsPerSample)-bit JPEG" }
    if ![1, 3, 4].contains(components.count) { return "a JPEG with \(components.count) color channels" }
    return nil
  }

  var isProgressive: Bool { process == 0xC2 || process == 0xCA }

  var isArithmetic: Bool { process >= 0xC9 }

  /// Whether it is coded by Huffman's codes row by row, unless it has several scans.
  var isSequential: Bool { process == 0xC0 || process == 0xC1 }

  /// Whether four components without an Adobe marker are YCCK: then only the second and third are coded coarsely.
  var looksLikeYCCK: Bool {
    guard components.count == 4, adobeTransform == nil else { return false }
    let (first, second, third, fourth) = (components[0], components[1], components[2], components[3])
    func area(_ component: Component) -> Int { component.horizontal * component.vertical }
    return area(second) < area(first) && area(third) < area(first) && area(fourth) == area(first)
  }

  /// Blocks of 8 × 8 samples in the whole picture.
  ///
  /// Huffman coding takes at least a bit for each, so a file with fewer bits can't be whole.
  var blockCount: Int {
    let horizontal = max(1, components.map(\.horizontal).max() ?? 1)
    let vertical = max(1, components.map(\.vertical).max() ?? 1)
    return components.reduce(0) { sum, component in
      let width = (size.width * component.horizontal + 8 * horizontal - 1) / (8 * horizontal)
      let height = (size.height * component.vertical + 8 * vertical - 1) / (8 * vertical)
      return sum + width * height
    }
  }

  /// The height that a DNL segment behind the first scan tells, for a frame that leaves it open.
  func heightBehindScan(in bytes: [UInt8]) -> Int? {
    var position = scanOffset + 2
    while let marker = bytes[position...].firstIndex(of: 0xFF), marker + 5 < bytes.count {
      if bytes[marker + 1] == 0xDC, bytes[marker + 2] == 0, bytes[marker + 3] == 4 {
        return Int(bytes[marker + 4]) << 8 | Int(bytes[marker + 5])
      }
      position = marker + 1
    }
    return nil
  }
}
