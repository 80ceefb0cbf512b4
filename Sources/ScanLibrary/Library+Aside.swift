private import Raster

extension Library {
  /// Where a repair puts what it takes out: nothing is ever deleted by one.
  static let asideFolderName = "aside"

  /// Puts a whole scan aside, which nothing can be made of.
  package func setAside(_ id: ScanID, at moment: Timestamp = .now()) throws(LibraryError) {
    try asWriter { _ throws(LibraryError) in
      let aside = try root.ensureFolder(Self.asideFolderName)
      try scansFolder.rename(id.text, to: aside, as: freeName(id, moment, in: aside))
      try aside.sync()
      try scansFolder.sync()
    }
  }

  /// A name that isn't taken.
  private func freeName(_ id: ScanID, _ moment: Timestamp, in aside: Folder) throws(LibraryError) -> String {
    var entry = TrashEntry(scan: id, seconds: moment.milliseconds / 1000)
    while try aside.status(of: entry.name) != nil { entry.seconds += 1 }
    return entry.name
  }

  /// Puts files of a scan aside, as they are; those that are missing are passed over.
  ///
  /// The caller holds the writer's lock.
  func setAside(_ names: [String], from folder: Folder, of id: ScanID) throws(LibraryError) {
    var present: [String] = []
    for name in names where try folder.status(of: name) != nil { present.append(name) }
    guard !present.isEmpty else { return }
    let aside = try root.ensureFolder(Self.asideFolderName)
    let target = try aside.makeFolder(try freeName(id, .now(), in: aside))
    for name in present { try folder.rename(name, to: target, as: name) }
    try target.sync()
    try aside.sync()
    try folder.sync()
  }

  /// What is wrong with the files that a scan's record names: photos and pages by their numbers.
  package func damage(
    of scan: ScanRecord
  ) throws(LibraryError) -> (photos: [Int: FileDamage], pages: [Int: FileDamage]) {
    var photos: [Int: FileDamage] = [:]
    var pages: [Int: FileDamage] = [:]
    let folder = try scansFolder.folder(scan.id.text)
    for photo in scan.photos where !photo.isLost {
      photos[photo.number] = try damage(photo.fileName, photo.file, in: folder, of: scan.id) { _ in true }
    }
    for page in scan.pages {
      pages[page.number] = try damage(page.fileName, page.file, in: folder, of: scan.id) { content in
        PageRecord.size(ofPNG: content) == page.size
      }
    }
    return (photos, pages)
  }

  private func damage(
    _ name: String, _ file: StoredFile, in folder: Folder, of id: ScanID, isFit: ([UInt8]) -> Bool
  ) throws(LibraryError) -> FileDamage? {
    do throws(LibraryError) {
      return isFit(try vault.read(name, in: folder, of: id, expecting: file)) ? nil : .altered
    } catch {
      guard let damage = Self.damage(error) else { throw error }
      return damage
    }
  }

  /// The damage of a file, if that is what an error tells of: one that isn't allowed to be read is not damaged.
  private static func damage(_ error: LibraryError) -> FileDamage? {
    switch error {
    case .damagedFile(_, _, let damage): damage
    case .notAFile, .system(_, _, symbolicLinkCode): .notAFile
    case .system(_, _, inputOutputCode): .unreadable(code: inputOutputCode)
    case .system(_, _, badMessageCode): .unreadable(code: badMessageCode)
    default: nil
    }
  }

  /// Writes a new record for a scan whose own can't be used, from the files that are there; the old one is put aside, and so is
  /// every photo and page that can't be read.
  ///
  /// Titles and corners are lost with a record. A page is taken for that of the photo with its number, else of the next one that has
  /// none; photos that have no page are given one. Pages whose photos are all lost stay.
  /// - Parameters:
  ///   - isWhole: whether a page's PNG can be read to its end; without a record nothing else tells it in an open library.
  ///   - makePage: a page for a photo that has none: its PNG, or `nil` when none can be made.
  /// - Returns: the new record, or `nil` when there is nothing to make one of, and the files that were put aside.
  package func rebuildRecord(
    _ id: ScanID, title: String, mode: String, isWhole: ([UInt8]) -> Bool,
    makePage: ([UInt8]) -> [UInt8]?
  ) throws(LibraryError) -> (record: ScanRecord?, aside: [String]) {
    try asWriter { staging throws(LibraryError) in
      let folder = try scansFolder.folder(id.text)
      var found = try recoverableFiles(in: folder, of: id, isWhole: isWhole)
      var pages = try found.matchPages()
      let origins = Set(pages.map(\.origin.photo))
      for photo in found.photos where !photo.isLost && !origins.contains(photo.number) {
        let content = try vault.read(photo.fileName, in: folder, of: id, expecting: photo.file)
        guard let png = makePage(content), let size = PageRecord.size(ofPNG: png) else { continue }
        let page = PageRecord(
          number: found.nextPage, origin: PageOrigin(photo: photo.number, found: "whole"),
          look: PageLook(), size: size, file: try StoredFile(content: png))
        found.nextPage += 1
        try vault.write(png, as: page.fileName, in: folder, of: id)
        pages.append(page)
      }
      guard !pages.isEmpty else { return (nil, []) }
      pages.sort { ($0.origin.photo, $0.number) < ($1.origin.photo, $1.number) }
      let record = ScanRecord(
        id: id, createdAt: found.oldest ?? .now(), title: title, mode: mode,
        pages: pages, photos: found.photos, nextPage: found.nextPage, nextPhoto: found.nextPhoto)
      let mark = StagingEntry.change(id).name
      try staging.removeAll(mark)
      let staged = try staging.makeFolder(mark)
      try setAside([ScanRecord.fileName] + found.damaged, from: folder, of: id)
      let new = try replaceRecord(of: folder, by: record, through: staged)
      try staging.removeAll(mark)
      return (new, found.damaged)
    }
  }

  /// What is left of a scan without its record.
  private struct FoundFiles {
    /// By number; of those that can't be read, only that they were there.
    var photos: [PhotoRecord] = []
    var pages: [(number: Int, size: PixelSize, file: StoredFile)] = []
    /// Names of photos and pages that are no use.
    var damaged: [String] = []
    var nextPhoto = 1
    var nextPage = 1
    /// When the first of the files was written, which is about when the scan was stored.
    var oldest: Timestamp?

    /// A photo of which there is nothing left.
    mutating func addLostPhoto(_ number: Int, suffix: String = "png") throws(LibraryError) {
      var photo = PhotoRecord(
        number: number, name: "", format: Library.formats[suffix] ?? suffix, fileExtension: suffix,
        file: try StoredFile(content: []))
      photo.source.set("lost", .bool(true))
      photos.append(photo)
    }

    /// The pages, each with the photo that it most likely comes from.
    mutating func matchPages() throws(LibraryError) -> [PageRecord] {
      let numbers = Set(photos.map(\.number))
      var free = photos.map(\.number).filter { number in !pages.contains { $0.number == number } }[...]
      var frames: [Int: Int] = [:]
      var matched: [PageRecord] = []
      for page in pages {
        let photo: Int
        if numbers.contains(page.number) {
          photo = page.number
        } else if let next = free.popFirst() {
          photo = next
        } else if let several = photos.last(where: { $0.format == "tiff" }) {
          photo = several.number
        } else {
          photo = nextPhoto
          try addLostPhoto(photo)
          nextPhoto += 1
        }
        let isTIFF = photos.contains { $0.number == photo && $0.format == "tiff" }
        let frame = frames[photo, default: 0]
        frames[photo] = frame + 1
        matched.append(
          PageRecord(
            number: page.number,
            origin: PageOrigin(photo: photo, frame: isTIFF ? frame : 0, found: "whole"), look: PageLook(),
            size: page.size, file: page.file))
      }
      return matched
    }
  }

  private func recoverableFiles(
    in folder: Folder, of id: ScanID, isWhole: ([UInt8]) -> Bool
  ) throws(LibraryError) -> FoundFiles {
    var found = FoundFiles()
    for name in try folder.names() {
      guard let part = ScanFileName(name) else { continue }
      switch part {
      case .photo(let number, _): found.nextPhoto = max(found.nextPhoto, number + 1)
      case .page(let number): found.nextPage = max(found.nextPage, number + 1)
      }
      var content: [UInt8] = []
      do throws(LibraryError) {
        let status: FileStatus
        (content, status) = try vault.read(name, in: folder, of: id, limit: StoredFile.maximumBytes)
        let moment = Timestamp(milliseconds: Int(status.changed / 1_000_000))
        found.oldest = min(found.oldest ?? moment, moment)
      } catch {
        guard Self.damage(error) != nil else { throw error }
      }
      let file = try StoredFile(content: content)
      switch part {
      case .photo(let number, let suffix) where !content.isEmpty:
        found.photos.append(
          PhotoRecord(
            number: number, name: name, format: Self.formats[suffix] ?? suffix, fileExtension: suffix,
            file: file))
      case .photo(let number, let suffix):
        found.damaged.append(name)
        try found.addLostPhoto(number, suffix: suffix)
      case .page(let number):
        if let size = PageRecord.size(ofPNG: content), isWhole(content) {
          found.pages.append((number, size, file))
        } else {
          found.damaged.append(name)
        }
      }
    }
    found.photos.sort { $0.number < $1.number }
    found.pages.sort { $0.number < $1.number }
    found.damaged.sort()
    return found
  }

  private static let formats = ["jpg": "jpeg", "png": "png", "tif": "tiff", "heic": "heif"]
}

/// What a file's name in a scan's folder says it is.
enum ScanFileName: Hashable {
  case photo(Int, suffix: String)
  case page(Int)

  init?(_ name: String) {
    func number(_ text: Substring) -> Int? {
      guard let value = Int(text), value > 0, value < 1_000_000_000, String(value) == text else { return nil }
      return value
    }
    if name.hasPrefix("photo-") {
      let parts = name.dropFirst(6).split(separator: ".", omittingEmptySubsequences: false)
      guard parts.count == 2, let number = number(parts[0]),
        PhotoRecord.isSafe(fileExtension: String(parts[1]))
      else { return nil }
      self = .photo(number, suffix: String(parts[1]))
    } else if name.hasPrefix("page-"), name.hasSuffix("-original.png"),
      let number = number(name.dropFirst(5).dropLast(13))
    {
      self = .page(number)
    } else {
      return nil
    }
  }
}
