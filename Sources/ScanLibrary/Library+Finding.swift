extension Library {
  /// A start of an id with fewer digits doesn't make an exact title ambiguous.
  private static let shortestRival = 4

  /// The scan that is meant by the start of its id, or by its title.
  ///
  /// A whole id comes first, then an exact title and the start of an id, and last a title but for the case of its letters. A
  /// title that is also the start of another scan's id is ambiguous, unless it is too short to be meant as one.
  /// - Throws: `ambiguous` when several are meant, `noSuchScan` with titles that look like it when none is.
  package func find(_ reference: String) throws(LibraryError) -> ScanRecord {
    if !isUnchecked, let id = ScanID(reference.lowercased()), let record = try currentRecord(id) {
      return record
    }
    return try scan(try id(of: reference, in: try summaries()))
  }

  /// The id that is meant, also when the scan's record is damaged: enough for deleting it.
  package func findID(_ reference: String) throws(LibraryError) -> ScanID {
    let listing = try summaries()
    do {
      return try id(of: reference, in: listing)
    } catch {
      guard let damaged = listing.damaged.first(where: { $0.error == error }) else { throw error }
      return damaged.id
    }
  }

  /// - Throws: of a damaged scan, what is wrong with it.
  private func id(of reference: String, in listing: SummaryListing) throws(LibraryError) -> ScanID {
    if let id = ScanID(reference.lowercased()) {
      if listing.scans.contains(where: { $0.id == id }) { return id }
      if let damaged = listing.damaged.first(where: { $0.id == id }) { throw damaged.error }
    }
    let prefix = reference.lowercased()
    let isPrefix =
      !prefix.isEmpty && prefix.utf8.allSatisfy { isLowerHex($0) || $0 == UInt8(ascii: "-") }
    let titled = listing.scans.contains { $0.title == reference }
    let countsAsStart = isPrefix && (!titled || prefix.utf8.count >= Self.shortestRival)
    var matches = listing.scans.filter { scan in
      scan.title == reference || countsAsStart && scan.id.text.hasPrefix(prefix)
    }
    let damaged = countsAsStart ? listing.damaged.filter { $0.id.text.hasPrefix(prefix) } : []
    if matches.isEmpty && damaged.isEmpty {
      matches = listing.scans.filter { $0.title.lowercased() == prefix }
    }
    if matches.count + damaged.count > 1 {
      throw .ambiguous(reference: reference, candidates: matches + damaged.map(\.summary))
    }
    if let damaged = damaged.first { throw damaged.error }
    guard let match = matches.first else {
      throw .noSuchScan(reference: reference, near: nearTitles(reference, listing.scans))
    }
    return match.id
  }

  /// Up to three titles that contain the reference or differ from it by a few letters, nearest first.
  private func nearTitles(_ reference: String, _ scans: [ScanSummary]) -> [String] {
    // Titles are short; comparing long ones letter by letter would take time for nothing.
    let wanted = Array(reference.lowercased().prefix(100))
    guard !wanted.isEmpty else { return [] }
    let limit = max(1, wanted.count / 3)
    var near: [(distance: Int, title: String)] = []
    var seen: Set<String> = []
    for scan in scans.reversed() where seen.insert(scan.title).inserted {
      let title = Array(scan.title.lowercased().prefix(100))
      if wanted.count >= 3, String(title).contains(String(wanted)) {
        near.append((0, scan.title))
      } else if abs(title.count - wanted.count) <= limit {
        let distance = editDistance(wanted, title)
        if distance <= limit { near.append((distance, scan.title)) }
      }
    }
    return near.sorted { $0.distance < $1.distance }.prefix(3).map(\.title)
  }
}

/// How many letters must be put in, taken out or changed to turn one text into the other (Levenshtein).
private func editDistance(_ left: [Character], _ right: [Character]) -> Int {
  var row = Array(0...right.count)
  for (i, letter) in left.enumerated() {
    var diagonal = row[0]
    row[0] = i + 1
    for (j, other) in right.enumerated() {
      let change = diagonal + (letter == other ? 0 : 1)
      diagonal = row[j + 1]
      row[j + 1] = min(change, row[j] + 1, diagonal + 1)
    }
  }
  return row[right.count]
}
