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
      photos[photo.number] = try damage(photo.fileName, photo.file, in: folder, of: scan.id)
    }
    for page in scan.pages {
      pages[page.number] = try damage(page.fileName, page.file, in: folder, of: scan.id)
    }
    return (photos, pages)
  }

  private func damage(
    _ name: String, _ file: StoredFile, in folder: Folder, of id: ScanID
  ) throws(LibraryError) -> FileDamage? {
    do {
      _ = try vault.read(name, in: folder, of: id, expecting: file)
      return nil
    } catch .damagedFile(_, _, let damage) {
      return damage
    }
  }

  /// Writes a new record for a scan whose own can't be used, from the files that are there; the old one is put aside.
  ///
  /// Titles and corners are lost with a record. Pages are taken in the order of their numbers, each from the photo in the same place.
  /// - Parameter makePage: a page for a scan that has photos only: its PNG, or `nil` when none can be made.
  /// - Returns: the new record, or `nil` when there is nothing to make one of.
  package func rebuildRecord(
    _ id: ScanID, title: String, mode: String, makePage: ([UInt8]) -> [UInt8]?
  ) throws(LibraryError) -> ScanRecord? {
    try asWriter { staging throws(LibraryError) in
      let folder = try scansFolder.folder(id.text)
      let found = try recoverableFiles(in: folder, of: id)
      guard !found.photos.isEmpty else { return nil }
      var pages = found.pages
      if pages.isEmpty {
        for (index, photo) in found.photos.enumerated() {
          let content = try vault.read(photo.fileName, in: folder, of: id, expecting: photo.file)
          guard let png = makePage(content), let size = PageRecord.size(ofPNG: png) else { continue }
          let page = PageRecord(
            number: found.nextPage + index, origin: PageOrigin(photo: photo.number, found: "whole"),
            look: PageLook(), size: size, file: try StoredFile(content: png))
          try vault.write(png, as: page.fileName, in: folder, of: id)
          pages.append(page)
        }
      }
      guard !pages.isEmpty else { return nil }
      let moment = try folder.status(of: found.photos[0].fileName)?.changed ?? 0
      let record = ScanRecord(
        id: id, createdAt: Timestamp(milliseconds: Int(moment / 1_000_000)), title: title, mode: mode,
        pages: pages, photos: found.photos, nextPage: (pages.map(\.number).max() ?? 0) + 1,
        nextPhoto: (found.photos.map(\.number).max() ?? 0) + 1)
      let mark = StagingEntry.change(id).name
      try staging.removeAll(mark)
      let staged = try staging.makeFolder(mark)
      try setAside([ScanRecord.fileName], from: folder, of: id)
      let new = try replaceRecord(of: folder, by: record, through: staged)
      try staging.removeAll(mark)
      return new
    }
  }

  private func recoverableFiles(
    in folder: Folder, of id: ScanID
  ) throws(LibraryError) -> (photos: [PhotoRecord], pages: [PageRecord], nextPage: Int) {
    var photos: [PhotoRecord] = []
    var sizes: [(number: Int, size: PixelSize, file: StoredFile)] = []
    var nextPage = 1
    for name in try folder.names() {
      guard let part = ScanFileName(name) else { continue }
      if case .page(let number) = part { nextPage = max(nextPage, number + 1) }
      let content: [UInt8]
      do {
        content = try vault.read(name, in: folder, of: id, limit: StoredFile.maximumBytes).bytes
      } catch .damagedFile {
        continue
      }
      guard !content.isEmpty else { continue }
      let file = try StoredFile(content: content)
      switch part {
      case .photo(let number, let suffix):
        photos.append(
          PhotoRecord(
            number: number, name: name, format: Self.formats[suffix] ?? suffix, fileExtension: suffix,
            file: file))
      case .page(let number):
        if let size = PageRecord.size(ofPNG: content) { sizes.append((number, size, file)) }
      }
    }
    photos.sort { $0.number < $1.number }
    sizes.sort { $0.number < $1.number }
    var pages: [PageRecord] = []
    for (index, page) in sizes.enumerated() where !photos.isEmpty {
      let photo = photos[min(index, photos.count - 1)]
      pages.append(
        PageRecord(
          number: page.number,
          origin: PageOrigin(
            photo: photo.number, frame: photos.count == 1 && photo.format == "tiff" ? index : 0,
            found: "whole"),
          look: PageLook(), size: page.size, file: page.file))
    }
    return (photos, pages, nextPage)
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
