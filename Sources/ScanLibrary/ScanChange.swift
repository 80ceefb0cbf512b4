/// A stored scan while it is being changed: what is set here is written all at once at the end.
///
/// Pages are named by their file number, which stays the same when others are moved or removed.
package struct ScanChange {
  /// The scan as it will be.
  package private(set) var record: ScanRecord

  private let library: Library
  private let folder: Folder

  init(record: ScanRecord, library: Library, folder: Folder) {
    self.record = record
    self.library = library
    self.folder = folder
  }

  package mutating func setTitle(_ title: String) { record.title = title }

  /// Sets the mode of the scan; pages that have a mode of their own keep it.
  package mutating func setMode(_ mode: String, amount: Double? = nil, enhancement: Int? = nil) {
    record.mode = mode
    record.amount = amount
    record.enhancement = enhancement
  }

  /// Sets how one page is to look.
  package mutating func setLook(page number: Int, _ look: PageLook) throws(LibraryError) {
    record.pages[try index(ofPage: number)].look = look
  }

  /// Puts another flattened picture in a page's place, such as one with other corners; its look stays.
  ///
  /// The page gets a new number, which is returned, since a number never stands for another content.
  @discardableResult
  package mutating func replacePage(
    _ number: Int, png: [UInt8], origin: PageOrigin
  ) throws(LibraryError) -> Int {
    let index = try index(ofPage: number)
    guard record.photo(origin.photo) != nil else {
      throw .noSuchPhoto(scan: record.id, number: origin.photo)
    }
    guard let size = PageRecord.size(ofPNG: png) else { throw .unfit("the page is not a PNG") }
    let old = record.pages[index]
    let page = PageRecord(
      number: record.nextPage, origin: origin, look: old.look, size: size,
      file: try StoredFile(content: png), source: old.source)
    try library.vault.write(png, as: page.fileName, in: folder, of: record.id)
    record.nextPage += 1
    record.pages[index] = page
    dropPhotos(of: [old])
    return page.number
  }

  /// Takes pages out, and with them photos that no page comes from any more.
  /// - Throws: `noPages` when none would be left.
  package mutating func removePages(_ numbers: Set<Int>) throws(LibraryError) {
    for number in numbers.sorted() { _ = try index(ofPage: number) }
    guard record.pages.count > numbers.count else { throw .noPages }
    let removed = record.pages.filter { numbers.contains($0.number) }
    record.pages.removeAll { numbers.contains($0.number) }
    dropPhotos(of: removed)
  }

  /// Takes a page out whose file is damaged, and puts that aside; its photo stays.
  package mutating func setAside(page number: Int) throws(LibraryError) {
    let index = try index(ofPage: number)
    guard record.pages.count > 1 else { throw .noPages }
    try library.setAside([record.pages[index].fileName], from: folder, of: record.id)
    record.pages.remove(at: index)
  }

  /// Puts a damaged photo aside: pages made from it stay, and can't be made anew.
  package mutating func setAside(photo number: Int) throws(LibraryError) {
    guard let index = record.photos.firstIndex(where: { $0.number == number }) else {
      throw .noSuchPhoto(scan: record.id, number: number)
    }
    try library.setAside([record.photos[index].fileName], from: folder, of: record.id)
    record.photos[index].source.set("lost", .bool(true))
  }

  /// Puts another picture in the place of a page whose file is damaged, and puts that aside.
  package mutating func repairPage(_ number: Int, png: [UInt8]) throws(LibraryError) {
    let page = record.pages[try index(ofPage: number)]
    try library.setAside([page.fileName], from: folder, of: record.id)
    try replacePage(number, png: png, origin: page.origin)
  }

  /// Puts the pages in the order of these numbers.
  /// - Throws: `badOrder` unless each page is named once.
  package mutating func reorderPages(_ numbers: [Int]) throws(LibraryError) {
    guard numbers.count == record.pages.count,
      Set(numbers) == Set(record.pages.map(\.number))
    else { throw .badOrder }
    var pages: [PageRecord] = []
    for number in numbers { pages.append(record.pages[try index(ofPage: number)]) }
    record.pages = pages
  }

  /// Moves staged photos and pages in, with numbers of this scan; a photo that it has already is not stored a second time.
  mutating func insert(
    photos: [PhotoRecord], pages: [PageRecord], from source: Folder, of sourceScan: ScanID,
    at position: Int?
  ) throws(LibraryError) {
    let position = position ?? record.pages.count
    guard (0...record.pages.count).contains(position) else {
      throw .unfit("the scan has \(record.pages.count) pages, so no page can be put at place \(position + 1)")
    }
    var photoNumbers: [Int: Int] = [:]
    for photo in photos {
      // As when a page comes back whose photo has stayed for another one.
      if let same = record.photos.first(where: {
        !$0.isLost && $0.file == photo.file && $0.name == photo.name
      }) {
        photoNumbers[photo.number] = same.number
        continue
      }
      var moved = photo
      moved.number = record.nextPhoto
      photoNumbers[photo.number] = moved.number
      record.nextPhoto += 1
      try library.vault.move(
        photo.fileName, photo.file, from: source, of: sourceScan, to: folder, of: record.id,
        as: moved.fileName)
      record.photos.append(moved)
    }
    var inserted: [PageRecord] = []
    for page in pages {
      var moved = page
      moved.number = record.nextPage
      record.nextPage += 1
      guard let photo = photoNumbers[page.origin.photo] else {
        throw .noSuchPhoto(scan: sourceScan, number: page.origin.photo)
      }
      moved.origin.photo = photo
      try library.vault.move(
        page.fileName, page.file, from: source, of: sourceScan, to: folder, of: record.id, as: moved.fileName)
      inserted.append(moved)
    }
    record.pages.insert(contentsOf: inserted, at: position)
  }

  private func index(ofPage number: Int) throws(LibraryError) -> Int {
    guard let index = record.pages.firstIndex(where: { $0.number == number }) else {
      throw .noSuchPage(scan: record.id, number: number)
    }
    return index
  }

  /// Forgets photos of removed pages that no page needs; a photo that never had a page stays.
  private mutating func dropPhotos(of removed: [PageRecord]) {
    let needed = Set(record.pages.map(\.origin.photo))
    let unneeded = Set(removed.map(\.origin.photo)).subtracting(needed)
    record.photos.removeAll { unneeded.contains($0.number) }
  }
}
