import ScanLibrary

/// A page that was taken out of its scan, with its photo: all it takes to put it back.
///
/// It is held in memory, where a protected page may be.
struct RemovedPage: Sendable {
  let photo: PhotoRecord
  let photoBytes: [UInt8]
  let origin: PageOrigin
  let look: PageLook
  let png: [UInt8]

  init(_ page: PageRecord, of scan: ScanRecord, in library: Library) throws(LibraryError) {
    guard let photo = scan.photo(page.origin.photo) else {
      throw .noSuchPhoto(scan: scan.id, number: page.origin.photo)
    }
    self.photo = photo
    photoBytes = try library.photoBytes(scan, photo: photo.number)
    origin = page.origin
    look = page.look
    png = try library.pageBytes(scan, page: page.number)
  }

  /// Adds the page to a scan again, at a place from 0 or at the end when there are fewer.
  ///
  /// - Returns: the scan as it is then.
  func putBack(into id: ScanID, of library: Library, at place: Int) throws(LibraryError) -> ScanRecord {
    let pending = try library.beginScan()
    var origin = origin
    origin.photo = try pending.addPhoto(
      photoBytes, name: photo.name, format: photo.format, fileExtension: photo.fileExtension)
    _ = try pending.addPage(png: png, origin: origin, look: look)
    let count = try library.scan(id).pages.count
    return try pending.append(to: id, at: min(max(place, 0), count))
  }
}
