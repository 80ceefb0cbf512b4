private import ImageCodecs
private import PerspectiveCorrection
private import Raster
package import ScanLibrary

/// Something that a repair did, as the rest of a sentence that begins with the file.
package struct RepairAction: Sendable, Hashable {
  /// `nil` of what belongs to the library as a whole.
  package var scan: ScanID?
  /// The path within the library's folder.
  package var file: String
  package var text: String
  /// Whether something of the scan is gone with what was put aside: it could not be made again.
  package var isLoss: Bool
}

/// Makes again what can be made again, and puts aside what can't: a page from its photo, a record from its files.
///
/// Nothing is deleted. `library.json` and its copy are made to agree, too.
/// - Parameters:
///   - mode: of scans whose record is lost.
///   - report: told of each thing that was done.
/// - Throws: `LibraryError` when the library as a whole can't be read or written.
package func repair(
  _ library: Library, mode: String, report: (RepairAction) -> Void
) throws(LibraryError) {
  if let file = try library.healHeader() {
    report(RepairAction(scan: nil, file: file, text: "was made again from its twin", isLoss: false))
  }
  for damaged in try library.scans().damaged where damaged.isDamage {
    try repairRecord(damaged.id, in: library, mode: mode, report)
  }
  for scan in try library.scans().scans where scan.format <= ScanRecord.currentFormat {
    try repairFiles(of: scan, in: library, report)
  }
}

private func repairRecord(
  _ id: ScanID, in library: Library, mode: String, _ report: (RepairAction) -> Void
) throws(LibraryError) {
  let rebuilt = try library.rebuildRecord(id, title: "Recovered", mode: mode) { page in
    decoded(page, damage: .refuse) != nil
  } makePage: { photo in
    do {
      return try decoded(photo, damage: .keep).map { try encodePNG($0, resolution: nil) }
    } catch {
      // A photo that can't be read makes no page; the others may.
      return nil
    }
  }
  guard rebuilt.record != nil else {
    try library.setAside(id)
    return report(
      RepairAction(
        scan: id, file: "scans/\(id)", text: "has nothing that a scan could be made of, and is put aside",
        isLoss: true))
  }
  report(
    RepairAction(
      scan: id, file: "scans/\(id)/record.json",
      text: "was made again from the scan's files, without its title, corners and turns", isLoss: false))
  for name in rebuilt.aside {
    report(RepairAction(scan: id, file: "scans/\(id)/\(name)", text: putAside, isLoss: true))
  }
}

private func decoded(_ picture: [UInt8], damage: DamageTolerance) -> Raster? {
  do {
    return try ImageSource(bytes: picture, options: DecodeOptions(maximumPixels: .max, damage: damage))
      .decode().raster
  } catch {
    return nil
  }
}

private let putAside = "can't be made again, and is put aside"

private func repairFiles(
  of scan: ScanRecord, in library: Library, _ report: (RepairAction) -> Void
) throws(LibraryError) {
  let damage = try library.damage(of: scan)
  for photo in scan.photos where damage.photos[photo.number] != nil {
    try library.change(scan.id) { change throws(LibraryError) in try change.setAside(photo: photo.number) }
    report(
      RepairAction(
        scan: scan.id, file: "scans/\(scan.id)/\(photo.fileName)", text: putAside, isLoss: true))
  }
  var left = scan.pages.count
  for page in scan.pages where damage.pages[page.number] != nil {
    var action = RepairAction(
      scan: scan.id, file: "scans/\(scan.id)/\(page.fileName)", text: "was made again from its photo",
      isLoss: false)
    if damage.photos[page.origin.photo] == nil, let png = madeAgain(page, of: scan, in: library) {
      try library.change(scan.id) { change throws(LibraryError) in
        try change.repairPage(page.number, png: png)
      }
    } else if left > 1 {
      try library.change(scan.id) { change throws(LibraryError) in try change.setAside(page: page.number) }
      left -= 1
      action.text = putAside
      action.isLoss = true
    } else {
      try library.setAside(scan.id)
      action.file = "scans/\(scan.id)"
      action.text = "has no page left that can be read, and is put aside"
      action.isLoss = true
    }
    report(action)
  }
}

/// The page with the same corners, or `nil` when its photo can't be read either.
private func madeAgain(_ page: PageRecord, of scan: ScanRecord, in library: Library) -> [UInt8]? {
  // Without a paper none was wanted, or none fits.
  let paper = page.origin.paper.flatMap(PaperSize.init(rawValue:)).map(PaperChoice.size) ?? .none
  do {
    return try remakePage(
      page, of: scan, in: library, outline: .same, correction: CorrectionOptions(paper: paper)
    ).png
  } catch {
    return nil
  }
}
