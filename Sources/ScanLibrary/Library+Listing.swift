private import Raster

/// All scans of a library, and those that can't be read.
package struct ScanListing: Sendable {
  /// Oldest first.
  package var scans: [ScanRecord]
  /// Scans that are there but damaged, with the reason; by id.
  package var damaged: [DamagedScan]
}

/// What tells the scans of a library from each other, and those that can't be read.
package struct SummaryListing: Sendable {
  /// Oldest first.
  package var scans: [ScanSummary]
  /// Scans that are there but damaged, with the reason; by id.
  package var damaged: [DamagedScan]
}

/// A scan whose record can't be used.
package struct DamagedScan: Sendable, Hashable {
  package var id: ScanID
  package var error: LibraryError

  /// Whether its record is damaged, and not merely of a newer version or closed to us.
  package var isDamage: Bool {
    switch error {
    case .damagedScan, .system(.read, _, inputOutputCode), .system(.read, _, badMessageCode): true
    default: false
    }
  }

  var summary: ScanSummary {
    ScanSummary(id: id, title: "damaged scan", createdAt: Timestamp(milliseconds: 0), pageCount: 0)
  }
}

extension Library {
  /// All scans with all that is in their records, oldest first; a damaged one is told of and doesn't hide the others.
  package func scans() throws(LibraryError) -> ScanListing {
    let looks = try cachedLooks()
    return ScanListing(
      scans: oldestFirst(looks.found) { ($0.createdAt, $0.id) }, damaged: looks.damaged)
  }

  /// What tells all scans apart, oldest first: much less memory than their records take.
  ///
  /// Records are read whole and checked all the same.
  package func summaries() throws(LibraryError) -> SummaryListing {
    let looks = try looks(known: cache.all) { entry, _ in entry.record.summary }
    return SummaryListing(
      scans: oldestFirst(looks.found) { ($0.createdAt, $0.id) }, damaged: looks.damaged)
  }

  /// The oldest scan that holds this very photo, and the photo, or `nil`.
  ///
  /// Records are read once and then only looked at again when they have changed, so that asking for each of a thousand photos is fine.
  package func scan(
    holdingPhoto sha256: ContentHash
  ) throws(LibraryError) -> (scan: ScanRecord, photo: PhotoRecord)? {
    var found: (scan: ScanRecord, photo: PhotoRecord)?
    for scan in try cachedLooks().found {
      if let photo = scan.photos.first(where: { $0.file.sha256 == sha256 }),
        found.map({ scan.isOlder(than: $0.scan) }) ?? true
      {
        found = (scan, photo)
      }
    }
    return found
  }

  // MARK: Reading many

  /// What was found of the scans, in no order, and those that are damaged, by id.
  private struct Looks<Found> {
    var found: [Found] = []
    var damaged: [DamagedScan] = []
  }

  private enum Look<Found: Sendable>: Sendable {
    case found(Found)
    case damaged(DamagedScan)
    /// It was deleted meanwhile.
    case gone
  }

  /// Looks at every record, and keeps them all for the next time.
  private func cachedLooks() throws(LibraryError) -> Looks<ScanRecord> {
    let looks = try looks(known: cache.all) { entry, isNew in (entry, isNew) }
    cache.keep(looks.found.filter(\.1).map(\.0))
    return Looks(found: looks.found.map(\.0.record), damaged: looks.damaged)
  }

  /// Looks at every scan, on all processors if there are many.
  ///
  /// - Parameters:
  ///   - known: records that were read before.
  ///   - finding: what is wanted of a record; its second argument tells whether it was read just now.
  private func looks<Found: Sendable>(
    known: [ScanID: RecordCache.Entry], _ finding: @Sendable (RecordCache.Entry, Bool) -> Found
  ) throws(LibraryError) -> Looks<Found> {
    let ids = try scansFolder.names().compactMap { ScanID($0) }
    let pieces = mapInParallel(pieces: (ids.count + Self.scansPerPiece - 1) / Self.scansPerPiece) { piece in
      ids[(piece * Self.scansPerPiece)...].prefix(Self.scansPerPiece).map { look(at: $0, known[$0], finding) }
    }
    var looks = Looks<Found>()
    looks.found.reserveCapacity(ids.count)
    for look in pieces.joined() {
      switch look {
      case .found(let found): looks.found.append(found)
      case .damaged(let scan): looks.damaged.append(scan)
      case .gone: break
      }
    }
    looks.damaged.sort { $0.id < $1.id }
    if isUnchecked { try checkForSealed(looks.damaged) }
    return looks
  }

  private func look<Found>(
    at id: ScanID, _ known: RecordCache.Entry?, _ finding: (RecordCache.Entry, Bool) -> Found
  ) -> Look<Found> {
    do throws(LibraryError) {
      if let known, try isCurrent(known) { return .found(finding(known, false)) }
      if let entry = quickEntry(id) { return .found(finding(entry, true)) }
      guard let entry = try currentEntry(id) else { return .gone }
      return .found(finding(entry, true))
    } catch {
      return .damaged(DamagedScan(id: id, error: error))
    }
  }

  /// The record of a scan, read with as few calls to the system as can be; `nil` when there is anything unusual about it.
  private func quickEntry(_ id: ScanID) -> RecordCache.Entry? {
    do {
      guard let file = try scansFolder.openFile(below: ScanRecord.path(of: id)) else { return nil }
      let (bytes, status) = try vault.read(
        file, ScanRecord.fileName, below: scansFolder, of: id, limit: ScanRecord.maximumBytes)
      return RecordCache.Entry(record: try ScanRecord(json: bytes, id: id), status: status)
    } catch {
      // What is wrong is found out by who takes the time.
      return nil
    }
  }
}

/// Sorted by age; what is sorted is moved only once, since records are large.
private func oldestFirst<Scan>(_ scans: [Scan], _ age: (Scan) -> (Timestamp, ScanID)) -> [Scan] {
  let keys = scans.enumerated().map { (age: age($1), place: $0) }
  return keys.sorted { $0.age < $1.age }.map { scans[$0.place] }
}
