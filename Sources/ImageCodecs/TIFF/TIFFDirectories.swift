/// The tags of one directory (IFD) that say whether it is a page, and how large it is.
struct TIFFDirectory: Sendable, Hashable {
  /// Where the directory begins in the file.
  var offset: Int
  var width = 0
  var height = 0
  /// As stored; anything outside of 1…8 counts as 1.
  var orientation = 1
  var isReduced = false
  var isMask = false
  /// Other pictures hang below this directory, as in camera raw files.
  var hasChildren = false

  /// Whether it is a picture in its own right, and not a thumbnail or a mask of another.
  var isPage: Bool { !isReduced && !isMask }
}

/// The chain of directories of a TIFF file, walked without libtiff.
///
/// Doing it here costs little and keeps every bound in one place: the chain may be a loop, may lead out of the file,
/// or may be long, and all of that is known before libtiff sees a byte.
struct TIFFDirectories: Sendable {
  /// In the order of the chain, thumbnails and masks included.
  var directories: [TIFFDirectory] = []
  /// The chain leads to a place where the file doesn't hold a whole directory.
  var isCut = false

  /// More than any scanner writes, and few enough to walk through in a few milliseconds.
  static let maximumDirectories = 10_000
  /// TIFF defines a few hundred tags; classic TIFF can't count further than this.
  static let maximumEntries = 65_535

  /// Walks the chain.
  ///
  /// - Throws: `truncatedHeader` without a first directory, `tooComplex` for an endless number of them.
  init(bytes: [UInt8]) throws(CodecError) {
    guard let layout = TIFFByteLayout(bytes: bytes), let first = layout.firstDirectory(in: bytes) else {
      throw .truncatedHeader(.tiff)
    }
    var next = first
    var seen: Set<Int> = []
    while next != 0, seen.insert(next).inserted {
      guard directories.count < Self.maximumDirectories else {
        throw .tooComplex(.tiff, detail: "more than \(Self.maximumDirectories) directories")
      }
      guard let (directory, following) = layout.directory(at: next, in: bytes) else {
        isCut = true
        break
      }
      directories.append(directory)
      next = following
    }
    guard !directories.isEmpty else { throw .truncatedHeader(.tiff) }
  }
}

/// How numbers are written in a TIFF file: byte order, and the widths of classic TIFF or BigTIFF.
private struct TIFFByteLayout {
  var isBigEndian: Bool
  var isBig: Bool

  private enum Tag {
    static let newSubfileType = 254
    static let subfileType = 255
    static let imageWidth = 256
    static let imageLength = 257
    static let photometric = 262
    static let orientation = 274
    static let subIFDs = 330
  }

  /// Reads the first four bytes: byte order and version.
  init?(bytes: [UInt8]) {
    switch bytes.prefix(4) {
    case [0x49, 0x49, 42, 0]: (isBigEndian, isBig) = (false, false)
    case [0x4D, 0x4D, 0, 42]: (isBigEndian, isBig) = (true, false)
    case [0x49, 0x49, 43, 0]: (isBigEndian, isBig) = (false, true)
    case [0x4D, 0x4D, 0, 43]: (isBigEndian, isBig) = (true, true)
    default: return nil
    }
  }

  func firstDirectory(in bytes: [UInt8]) -> Int? {
    guard isBig else { return number(at: 4, count: 4, in: bytes) }
    guard number(at: 4, count: 2, in: bytes) == 8 else { return nil }
    return number(at: 8, count: 8, in: bytes)
  }

  /// A directory and the place of the next one (0 for the last), or `nil` when it isn't wholly in the file.
  func directory(at offset: Int, in bytes: [UInt8]) -> (TIFFDirectory, next: Int)? {
    let countSize = isBig ? 8 : 2
    let entrySize = isBig ? 20 : 12
    guard let count = number(at: offset, count: countSize, in: bytes),
      count <= TIFFDirectories.maximumEntries
    else { return nil }
    let start = offset + countSize
    guard let next = number(at: start + count * entrySize, count: isBig ? 8 : 4, in: bytes) else {
      return nil
    }
    var directory = TIFFDirectory(offset: offset)
    for index in 0..<count {
      let entry = start + index * entrySize
      guard let tag = number(at: entry, count: 2, in: bytes) else { return nil }
      switch tag {
      case Tag.newSubfileType:
        let flags = value(ofEntry: entry, in: bytes) ?? 0
        directory.isReduced = flags & 1 != 0
        directory.isMask = directory.isMask || flags & 4 != 0
      case Tag.subfileType where value(ofEntry: entry, in: bytes) == 2:
        directory.isReduced = true
      case Tag.imageWidth: directory.width = value(ofEntry: entry, in: bytes) ?? 0
      case Tag.imageLength: directory.height = value(ofEntry: entry, in: bytes) ?? 0
      case Tag.photometric where value(ofEntry: entry, in: bytes) == 4: directory.isMask = true
      case Tag.orientation: directory.orientation = value(ofEntry: entry, in: bytes) ?? 1
      case Tag.subIFDs: directory.hasChildren = true
      default: break
      }
    }
    return (directory, next)
  }

  /// The first value of an entry, when it is a whole number kept in the entry itself.
  private func value(ofEntry entry: Int, in bytes: [UInt8]) -> Int? {
    guard let type = number(at: entry + 2, count: 2, in: bytes) else { return nil }
    let place = entry + (isBig ? 12 : 8)
    switch type {
    case 1: return number(at: place, count: 1, in: bytes)
    case 3: return number(at: place, count: 2, in: bytes)
    case 4: return number(at: place, count: 4, in: bytes)
    case 16 where isBig: return number(at: place, count: 8, in: bytes)
    default: return nil
    }
  }

  /// An unsigned number, or `nil` outside of the file and beyond `Int`'s range.
  private func number(at offset: Int, count: Int, in bytes: [UInt8]) -> Int? {
    guard offset >= 0, offset <= bytes.count - count else { return nil }
    var result: UInt64 = 0
    for index in 0..<count {
      let byte = UInt64(bytes[offset + (isBigEndian ? index : count - 1 - index)])
      result = result << 8 | byte
    }
    return Int(exactly: result)
  }
}
