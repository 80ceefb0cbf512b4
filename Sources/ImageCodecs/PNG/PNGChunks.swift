import Raster

/// What is read of a PNG's chunks before the library sees them.
struct PNGChunks: Sendable {
  /// From the header; `nil` when the file doesn't begin with one.
  private(set) var size: PixelSize?
  private(set) var metadata = CaptureMetadata()
  /// Whether there is an animation, of which only the still picture is read.
  private(set) var isAnimated = false

  /// More chunks than any writer makes: a 256-megapixel picture in chunks of 8 KB has some 100,000.
  private static let mostChunks = 1_000_000

  /// Walks over the chunks, wherever they are; EXIF may stand behind the picture.
  init(_ bytes: [UInt8]) {
    func number(at position: Int) -> Int {
      bytes[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
    }
    var position = 8
    var hasEXIF = false
    for _ in 0..<Self.mostChunks {
      guard position + 8 <= bytes.count else { return }
      let length = number(at: position)
      let body = position + 8
      guard length <= bytes.count - body else { return }
      switch String(decoding: bytes[position + 4..<body], as: UTF8.self) {
      case "IHDR" where size == nil && length >= 8:
        size = PixelSize(width: number(at: body), height: number(at: body + 4))
      case "eXIf" where !hasEXIF:
        hasEXIF = true
        metadata = CaptureMetadata(exif: bytes[body..<body + length])
      case "acTL":
        isAnimated = true
      case "IEND":
        return
      default:
        break
      }
      position = body + length + 4
    }
  }
}
