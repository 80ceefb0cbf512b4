/// Size and hash of a file's content, by which `verify` and every read tell whether it is still what was stored.
package struct StoredFile: Sendable, Hashable {
  package let bytes: Int
  package let sha256: ContentHash

  /// Far above any picture, and low enough that a false record can't make a reader take all memory.
  static let maximumBytes = 4 << 30

  init(bytes: Int, sha256: ContentHash) {
    self.bytes = bytes
    self.sha256 = sha256
  }

  /// Size and hash of a content that is to be stored.
  init(content: [UInt8]) throws(LibraryError) {
    guard content.count <= Self.maximumBytes else {
      throw .unfit("a file of \(content.count) bytes is too large to be stored")
    }
    self.init(bytes: content.count, sha256: ContentHash(of: content))
  }
}

/// One photo of a scan: the file as it was given, byte for byte.
package struct PhotoRecord: Sendable, Hashable {
  /// The number in the file's name, from 1; never given to another photo of the scan.
  package internal(set) var number: Int
  /// The file's name when it was scanned, without its folder; for people only.
  package let name: String
  /// What the content is: `jpeg`, `png`, `tiff`, `heif`.
  package let format: String
  /// What the stored file's name ends in, without the dot.
  package let fileExtension: String
  package let file: StoredFile
  /// Fields that this version doesn't know, kept for the one that does.
  var source = KeptFields()

  /// Whether its file was damaged, and was put aside by a repair: there is nothing of it in the scan's folder.
  package var isLost: Bool { source.isTrue("lost") }

  /// The name in the scan's folder.
  package var fileName: String { "photo-\(number).\(fileExtension)" }

  /// 1 to 8 small letters and digits: nothing that could lead out of the folder.
  static func isSafe(fileExtension: String) -> Bool {
    (1...8).contains(fileExtension.utf8.count)
      && fileExtension.utf8.allSatisfy { byte in
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      }
  }
}
