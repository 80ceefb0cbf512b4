private import FoundationEssentials
private import Glibc
private import LibraryKeys
package import ScanLibrary
private import Synchronization

/// A library for scans that aren't decided on yet: sealed with a key that nobody knows, and gone with the last reference.
///
/// What a killed program leaves of it can't be read by anybody.
package final class ScratchLibrary: Sendable {
  package let library: Library
  private let folder: String
  private let kept = Mutex<[Kept]>([])

  /// A scan that has been stored in another library: as it was here then, and as it is there.
  private struct Kept: Sendable {
    let draft: ScanRecord
    let record: ScanRecord
  }

  /// Makes one in a new folder under `$TMPDIR`, or under `/var/tmp`, where there is room for photos.
  ///
  /// - Throws: `LibraryError` when it can't be made.
  package init(environment: [String: String]) throws(LibraryError) {
    let place = environment["TMPDIR"] ?? "/var/tmp"
    var template = Array("\(place)/flatbed-scan-XXXXXX".utf8CString)
    let isMade = unsafe template.withUnsafeMutableBufferPointer { buffer in
      unsafe buffer.baseAddress.flatMap { unsafe mkdtemp($0) } != nil
    }
    guard isMade else { throw .system(.makeFolder, path: place, code: errno) }
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    do {
      var generator = SystemRandomNumberGenerator()
      var words = (0..<64).map { _ in UInt8.random(in: 0x21...0x7E, using: &generator) }
      library = try Library.openOrCreate(
        at: folder, making: .passphrase(try NewKeys(passphrase: Passphrase(taking: &words), recovery: nil)))
    } catch {
      Self.remove(folder)
      throw (error as? LibraryError) ?? (error as? KeyError).map(LibraryError.key) ?? .noPages
    }
  }

  deinit { Self.remove(folder) }

  private static func remove(_ folder: String) {
    do {
      try FileManager.default.removeItem(atPath: folder)
    } catch {
      // What stays is sealed, and its key is gone.
    }
  }

  /// The scans that have been stored in another library, in the order in which that was asked for.
  package var stored: [ScanRecord] { kept.withLock { $0.map(\.record) } }

  /// Stores scans in another library, as they are now; each is there whole or not at all.
  ///
  /// May be asked again after a failure: those that are there already are passed over, or replaced if they have been changed since.
  /// - Throws: why one couldn't be stored; those before it have been.
  package func store(_ ids: [ScanID], in target: Library) throws(LibraryError) {
    try kept.withLock { kept throws(LibraryError) in
      for id in ids {
        let draft = try library.scan(id)
        let old = kept.firstIndex { $0.draft.id == id }
        if let old, kept[old].draft == draft { continue }
        let new = Kept(draft: draft, record: try copy(draft, to: target))
        guard let old else {
          kept.append(new)
          continue
        }
        let before = kept[old].record.id
        kept[old] = new
        try target.delete(before)
      }
    }
  }

  /// - Returns: the scan there, which has another id.
  private func copy(_ scan: ScanRecord, to target: Library) throws(LibraryError) -> ScanRecord {
    let pending = try target.beginScan()
    var numbers: [Int: Int] = [:]
    for photo in scan.photos {
      numbers[photo.number] = try pending.addPhoto(
        library.photoBytes(scan, photo: photo.number), name: photo.name, format: photo.format,
        fileExtension: photo.fileExtension)
    }
    for page in scan.pages {
      var origin = page.origin
      guard let photo = numbers[origin.photo] else {
        throw .noSuchPhoto(scan: scan.id, number: origin.photo)
      }
      origin.photo = photo
      _ = try pending.addPage(
        png: library.pageBytes(scan, page: page.number), origin: origin, look: page.look)
    }
    return try pending.commit(
      title: scan.title, mode: scan.mode, amount: scan.amount, enhancement: scan.enhancement)
  }
}
