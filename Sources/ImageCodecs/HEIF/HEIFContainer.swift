/// The boxes of a HEIF file that say what its primary picture is made of, read without libheif.
///
/// libheif trusts them more than it should: a grid may repeat one tile thousands of times, a coded picture may be far
/// larger than the header says, an item may be made of itself. `HEIFBudget` checks all that on what is read here.
struct HEIFContainer: Sendable {
  /// A picture, or a block of metadata, within the file.
  struct Item: Sendable {
    /// Four characters: `hvc1` is coded with HEVC, `grid` is made of tiles.
    var type: String
    /// Where the byte lies whose lowest bit hides it.
    var flagPlace: Int
    /// Where its bytes lie in the file, or would lie.
    var extents: [Range<Int>] = []
    var properties: [Property] = []
    /// The items it is made of, in order.
    var parts: [Int] = []
    /// The items that it is an auxiliary picture of.
    var masters: [Int] = []

    /// Width and height from its `ispe` property.
    var extent: (width: Int, height: Int)? {
      for case .extent(let width, let height) in properties { return (width, height) }
      return nil
    }

    var isAlpha: Bool { properties.contains { if case .alpha = $0 { true } else { false } } }
  }

  enum Property: Sendable {
    case extent(width: Int, height: Int)
    /// The range of an `hvcC` box's content.
    case hevcConfiguration(Range<Int>)
    /// Quarter turns counter-clockwise.
    case rotation(Int)
    /// 0 exchanges top and bottom, 1 left and right.
    case mirror(Int)
    case alpha
    case other
  }

  private(set) var primary: Int?
  private(set) var items: [Int: Item] = [:]

  /// An item may be in this many pieces; libheif has the same limit.
  private static let mostExtents = 32

  /// Reads the `meta` box.
  ///
  /// - Throws: `truncatedHeader`, `noPicture` for a film or an animation, `damaged` for boxes that can't be followed.
  init(bytes: [UInt8]) throws(CodecError) {
    let boxes = ByteReader(bytes: bytes, range: 0..<bytes.count).boxes()
    guard let meta = boxes.first(where: { $0.type == "meta" }) else {
      guard boxes.contains(where: { $0.type == "moov" }) else { throw .truncatedHeader(.heif) }
      throw .noPicture(.heif, detail: "it is a film or an animation")
    }
    guard !meta.isCut else { throw .truncatedHeader(.heif) }
    let children = ByteReader(bytes: bytes, range: meta.content).dropping(4).boxes()
    guard read(children, of: bytes) != nil else {
      throw .damaged(.heif, detail: "its header can't be followed")
    }
  }

  private mutating func read(_ children: [ByteReader.Box], of bytes: [UInt8]) -> Void? {
    func reader(_ type: String) -> ByteReader? {
      children.first { $0.type == type }.map { ByteReader(bytes: bytes, range: $0.content) }
    }
    if var reader = reader("pitm") {
      guard let version = reader.number(1) else { return nil }
      reader.skip(3)
      primary = reader.number(version == 0 ? 2 : 4)
    }
    guard let information = reader("iinf"), let places = reader("iloc"), let properties = reader("iprp")
    else {
      return nil
    }
    readInformation(information)
    let data = children.first { $0.type == "idat" }?.content
    guard readPlaces(places, itemData: data) != nil, readProperties(properties) != nil else { return nil }
    if let references = reader("iref") { readReferences(references) }
    return ()
  }

  private mutating func readInformation(_ box: ByteReader) {
    var reader = box
    let version = reader.number(1) ?? 0
    reader.skip(3 + (version == 0 ? 2 : 4))
    for child in reader.rest.boxes() where child.type == "infe" {
      var entry = ByteReader(bytes: box.bytes, range: child.content)
      let version = entry.number(1) ?? 0
      entry.skip(3)
      guard version >= 2, let number = entry.number(version == 2 ? 2 : 4) else { continue }
      entry.skip(2)
      guard let type = entry.text(4) else { continue }
      items[number] = Item(type: type, flagPlace: child.content.lowerBound + 3)
    }
  }

  private mutating func readPlaces(_ box: ByteReader, itemData: Range<Int>?) -> Void? {
    var reader = box
    guard let version = reader.number(1), version < 3 else { return nil }
    reader.skip(3)
    guard let sizes = reader.number(2), let count = reader.number(version == 2 ? 4 : 2) else { return nil }
    let (offsetSize, lengthSize, baseSize) = (sizes >> 12, sizes >> 8 & 15, sizes >> 4 & 15)
    let indexSize = version == 0 ? 0 : sizes & 15
    for _ in 0..<count {
      guard let number = reader.number(version == 2 ? 4 : 2) else { return nil }
      let method = version == 0 ? 0 : (reader.number(2) ?? 0) & 15
      reader.skip(2)
      guard let base = reader.number(baseSize), let extents = reader.number(2), extents <= Self.mostExtents
      else { return nil }
      for _ in 0..<extents {
        reader.skip(indexSize)
        guard let offset = reader.number(offsetSize), let length = reader.number(lengthSize) else {
          return nil
        }
        let start = method == 1 ? itemData?.lowerBound ?? 0 : 0
        let (place, isTooFar) = base.addingReportingOverflow(offset)
        let (from, isFarther) = place.addingReportingOverflow(start)
        let (end, isFarthest) = from.addingReportingOverflow(length)
        guard !isTooFar, !isFarther, !isFarthest else { return nil }
        // A length of 0 stands for the rest of the file.
        items[number]?.extents.append(from..<(length == 0 ? max(from, box.bytes.count) : end))
      }
    }
    return ()
  }

  private mutating func readReferences(_ box: ByteReader) {
    var reader = box
    let size = reader.number(1) == 0 ? 2 : 4
    reader.skip(3)
    for link in reader.rest.boxes() where link.type == "dimg" || link.type == "auxl" {
      var reader = ByteReader(bytes: box.bytes, range: link.content)
      guard let from = reader.number(size), let count = reader.number(2) else { continue }
      var targets: [Int] = []
      for _ in 0..<count {
        guard let target = reader.number(size) else { break }
        targets.append(target)
      }
      if link.type == "dimg" { items[from]?.parts = targets } else { items[from]?.masters = targets }
    }
  }

  private mutating func readProperties(_ box: ByteReader) -> Void? {
    let children = box.boxes()
    guard let container = children.first(where: { $0.type == "ipco" })?.content else { return nil }
    let properties = ByteReader(bytes: box.bytes, range: container).boxes().map { child in
      Self.property(child.type, ByteReader(bytes: box.bytes, range: child.content))
    }
    for child in children where child.type == "ipma" {
      var reader = ByteReader(bytes: box.bytes, range: child.content)
      guard let version = reader.number(1), let flags = reader.number(3), let count = reader.number(4) else {
        return nil
      }
      for _ in 0..<count {
        guard let number = reader.number(version == 0 ? 2 : 4), let own = reader.number(1) else { return nil }
        for _ in 0..<own {
          guard let word = reader.number(flags & 1 == 0 ? 1 : 2) else { return nil }
          let index = (flags & 1 == 0 ? word & 0x7F : word & 0x7FFF) - 1
          guard properties.indices.contains(index) else { continue }
          items[number]?.properties.append(properties[index])
        }
      }
    }
    return ()
  }

  private static func property(_ type: String, _ content: ByteReader) -> Property {
    var reader = content
    switch type {
    case "ispe":
      reader.skip(4)
      guard let width = reader.number(4), let height = reader.number(4) else { return .other }
      return .extent(width: width, height: height)
    case "hvcC": return .hevcConfiguration(content.range)
    case "irot": return reader.number(1).map { .rotation($0 & 3) } ?? .other
    case "imir": return reader.number(1).map { .mirror($0 & 1) } ?? .other
    case "auxC":
      // urn:mpeg:mpegB:cicp:systems:auxiliary:alpha, or the older urn:mpeg:hevc:2015:auxid:1.
      let name = String(decoding: content.bytes[content.range].dropFirst(4).prefix { $0 != 0 }, as: UTF8.self)
      return name.hasSuffix(":alpha") || name.hasSuffix("auxid:1") ? .alpha : .other
    default: return .other
    }
  }
}
