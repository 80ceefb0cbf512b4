private import Synchronization

/// A scan being built in the library's staging folder, which nobody else sees until it is committed.
///
/// Discarded when it goes without having been committed; what a killed program leaves, the next writer sweeps away.
/// It may be used from several threads; photos and pages are numbered in the order in which they are added.
package final class PendingScan: Sendable {
  /// The id that the scan will have.
  package let id: ScanID

  private let library: Library
  private let staging: Folder
  private let folder: Folder
  private let state: Mutex<State>

  private struct State: Sendable {
    /// Held as long as the scan is being built, so that no writer sweeps it away; `nil` when it is finished.
    var lock: FileLock?
    var photos: [PhotoRecord] = []
    var pages: [PageRecord] = []
  }

  init(id: ScanID, library: Library, staging: Folder, folder: Folder, lock: FileLock) {
    self.id = id
    self.library = library
    self.staging = staging
    self.folder = folder
    state = Mutex(State(lock: lock))
  }

  deinit { discard() }

  /// Stores a photo's bytes as they are and returns its number.
  /// - Parameters:
  ///   - name: the file's name without its folder, for people.
  ///   - format: `jpeg`, `png`, `tiff` or `heif`.
  ///   - fileExtension: what the stored file's name ends in: 1 to 8 small letters and digits.
  package func addPhoto(
    _ bytes: [UInt8], name: String, format: String, fileExtension: String
  ) throws(LibraryError) -> Int {
    guard PhotoRecord.isSafe(fileExtension: fileExtension) else {
      throw .unfit("a file name extension must be 1 to 8 small letters or digits")
    }
    let file = try StoredFile(content: bytes)
    return try state.withLock { state throws(LibraryError) in
      guard state.lock != nil else { throw .finished }
      let photo = PhotoRecord(
        number: state.photos.count + 1, name: name, format: format, fileExtension: fileExtension,
        file: file)
      try library.vault.write(bytes, as: photo.fileName, in: folder, of: id)
      state.photos.append(photo)
      return photo.number
    }
  }

  /// Stores a page's PNG as the next page and returns its number.
  /// - Parameters:
  ///   - png: the page flattened, neither enhanced nor turned.
  ///   - origin: where it comes from; the photo must have been added.
  package func addPage(
    png: [UInt8], origin: PageOrigin, look: PageLook = PageLook()
  ) throws(LibraryError) -> Int {
    guard let size = PageRecord.size(ofPNG: png) else { throw .unfit("the page is not a PNG") }
    let file = try StoredFile(content: png)
    return try state.withLock { state throws(LibraryError) in
      guard state.lock != nil else { throw .finished }
      guard (1...max(1, state.photos.count)).contains(origin.photo), !state.photos.isEmpty else {
        throw .noSuchPhoto(scan: id, number: origin.photo)
      }
      let page = PageRecord(
        number: state.pages.count + 1, origin: origin, look: look, size: size, file: file)
      try library.vault.write(png, as: page.fileName, in: folder, of: id)
      state.pages.append(page)
      return page.number
    }
  }

  /// How many pages have been added.
  package var pageCount: Int { state.withLock { $0.pages.count } }

  /// Takes the photo that was added last out again, with all of its pages.
  /// - Throws: `noSuchPhoto` for any other number, or why its files couldn't be removed.
  package func removeLastPhoto(_ number: Int) throws(LibraryError) {
    try state.withLock { state throws(LibraryError) in
      guard state.lock != nil else { throw .finished }
      guard let photo = state.photos.last, photo.number == number else {
        throw .noSuchPhoto(scan: id, number: number)
      }
      let pages = state.pages.filter { $0.origin.photo == number }
      // Forgotten first: a file that can't be removed is then only a stray one, and is swept later.
      state.photos.removeLast()
      state.pages.removeAll { $0.origin.photo == number }
      for name in pages.map(\.fileName) + [photo.fileName] { try folder.removeFile(name) }
    }
  }

  /// Makes the scan a part of the library, whole, in one step.
  ///
  /// When it throws, the scan is not in the library, and is discarded.
  package func commit(
    title: String, mode: String, amount: Double? = nil, enhancement: Int? = nil,
    createdAt: Timestamp = .now()
  ) throws(LibraryError) -> ScanRecord {
    defer { discard() }
    return try state.withLock { state throws(LibraryError) in
      guard state.lock != nil else { throw .finished }
      guard !state.pages.isEmpty else { throw .noPages }
      let record = ScanRecord(
        id: id, createdAt: createdAt, title: title, mode: mode, amount: amount,
        enhancement: enhancement, pages: state.pages, photos: state.photos,
        nextPage: state.pages.count + 1, nextPhoto: state.photos.count + 1)
      let (json, stored) = try record.encoded()
      try library.vault.write(json, as: ScanRecord.fileName, in: folder, of: id)
      try folder.sync()
      try library.asWriter { _ throws(LibraryError) in try moveIntoPlace() }
      return stored
    }
  }

  private func moveIntoPlace() throws(LibraryError) {
    try staging.rename(id.text, to: library.scansFolder, as: id.text)
    do {
      try library.scansFolder.sync()
    } catch {
      // Nobody knows whether the name is on the disk. The caller will be told that the scan isn't stored, so it must not be.
      try library.scansFolder.rename(id.text, to: staging, as: id.text)
      throw error
    }
  }

  /// Adds the pages, with their photos, to a stored scan instead; `position` is the place of the first, from 0, or `nil` for the end.
  ///
  /// All of them or, when it throws, none. Nothing is left to commit then.
  package func append(
    to target: ScanID, at position: Int? = nil
  ) throws(LibraryError) -> ScanRecord {
    defer { discard() }
    return try state.withLock { state throws(LibraryError) in
      guard state.lock != nil else { throw .finished }
      guard !state.pages.isEmpty else { throw .noPages }
      let (photos, pages) = (state.photos, state.pages)
      return try library.change(target) { change throws(LibraryError) in
        try change.insert(photos: photos, pages: pages, from: folder, of: id, at: position)
      }
    }
  }

  /// Gives the scan up and removes its files; nothing happens if it has been committed.
  package func discard() {
    let lock = state.withLock { state in
      defer { state.lock = nil }
      return state.lock
    }
    guard let lock else { return }
    do {
      try staging.removeAll(StagingEntry.building(id).name)
      try staging.removeFile(StagingEntry.mark(id).name)
    } catch {
      // What can't be removed now is swept by the next writer.
    }
    withExtendedLifetime(lock) {}
  }
}

extension Library {
  /// Begins a new scan.
  package func beginScan() throws(LibraryError) -> PendingScan {
    try asWriter { staging throws(LibraryError) in
      let id = ScanID()
      // First the mark, then the folder: a folder without its mark is taken for a dead one.
      guard let lock = try FileLock.tryTaking(StagingEntry.mark(id).name, in: staging) else {
        throw .system(.lock, path: staging.path(of: StagingEntry.mark(id).name), code: existsCode)
      }
      let folder = try staging.makeFolder(StagingEntry.building(id).name)
      return PendingScan(id: id, library: self, staging: staging, folder: folder, lock: lock)
    }
  }
}
