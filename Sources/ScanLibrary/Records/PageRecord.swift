package import Raster

/// Where a page comes from: which part of which photo, and how that was found.
package struct PageOrigin: Sendable, Hashable {
  /// The number of the photo in the scan.
  package var photo: Int
  /// Which picture of the photo's file, counted from 0: a TIFF may hold several.
  package var frame: Int
  /// The page's corners in pixels of the upright photo at full size, or `nil` for the whole photo.
  package var quad: Quad?
  /// How the corners came about: `detected`, `whole`, `manual`, or a word that later versions may add.
  package var found: String
  /// How sure detection was, 0 to 1.
  package var confidence: Double?
  /// Why no page was found, a sentence each; empty when one was.
  package var reasons: [String]
  /// The paper size whose proportions the page has or was given, such as `a4`.
  package var paper: String?

  package init(
    photo: Int, frame: Int = 0, quad: Quad? = nil, found: String, confidence: Double? = nil,
    reasons: [String] = [], paper: String? = nil
  ) {
    self.photo = photo
    self.frame = frame
    self.quad = quad
    self.found = found
    self.confidence = confidence
    self.reasons = reasons
    self.paper = paper
  }
}

/// How a page is to look when it comes out; applied to the stored page each time, never stored in it.
package struct PageLook: Sendable, Hashable {
  /// How the page is turned for reading.
  package var turn: QuarterTurn
  /// The page's own mode, or `nil` for the scan's.
  package var mode: String?
  /// The page's own amount, or `nil` for the scan's.
  package var amount: Double?

  package init(turn: QuarterTurn = .none, mode: String? = nil, amount: Double? = nil) {
    self.turn = turn
    self.mode = mode
    self.amount = amount
  }
}

/// One page of a scan: flattened, not enhanced and not turned.
package struct PageRecord: Sendable, Hashable {
  /// The number in the file's name, from 1; never given to another content.
  ///
  /// The place in the scan is the place in the list.
  package internal(set) var number: Int
  package internal(set) var origin: PageOrigin
  package var look: PageLook
  /// Pixels of the stored page, before any turn.
  package let size: PixelSize
  package let file: StoredFile
  /// Fields that this version doesn't know, kept for the one that does.
  var source = KeptFields()

  /// The name in the scan's folder.
  package var fileName: String { "page-\(number)-original.png" }

  /// Width and height in a PNG's header, or `nil` when the bytes don't begin as one (PNG specification, 5.2 and 11.2.1).
  static func size(ofPNG bytes: [UInt8]) -> PixelSize? {
    let start: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
    guard bytes.count >= 24, bytes.starts(with: start) else { return nil }
    func number(at offset: Int) -> Int {
      bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
    }
    let size = PixelSize(width: number(at: 16), height: number(at: 20))
    guard (1...0x7FFF_FFFF).contains(size.width), (1...0x7FFF_FFFF).contains(size.height) else {
      return nil
    }
    return size
  }
}
