import Glibc
import ImageCodecs
import LibraryKeys
import Raster
import ScanLibrary

/// Fills a new library with scans whose records are like real ones, and whose pictures are as small as can be.
///
/// - Parameters:
///   - isMixed: whether scans have from 1 to 100 pages, 3.6 on average, instead of one each.
///   - passphraseFile: holds the passphrase of a protected library; `nil` makes an owner-only one.
func makeLibrary(at folder: String, scans: Int, isMixed: Bool, passphraseFile: String?) throws {
  let library = try newLibrary(at: folder, passphraseFile: passphraseFile)
  let blank = PixelSize(width: 8, height: 11)
  let page = try encodePNG(
    Raster(size: blank, format: .gray, samples: [UInt8](repeating: 255, count: 88)), resolution: nil)
  let start = Timestamp(iso8601: "2020-01-01T08:00:00Z")?.milliseconds ?? 0
  for scan in 0..<scans {
    let pending = try library.beginScan()
    for number in 0..<(isMixed ? pages(ofScan: scan) : 1) {
      let name = "IMG_\(20_000 + scan)-\(number).JPG"
      // What differs makes another photo of it, which no look for duplicates passes over.
      let photo = try pending.addPhoto(
        page + Array(name.utf8), name: name, format: "jpeg", fileExtension: "jpg")
      let shift = Double((scan + number) % 97) * 1.37
      _ = try pending.addPage(
        png: page,
        origin: PageOrigin(
          photo: photo,
          quad: Quad(corners: [
            Point(x: 212.25 + shift, y: 180.5 + shift), Point(x: 2810.125 - shift, y: 201.75 + shift),
            Point(x: 2790.875 - shift, y: 3870.5 - shift), Point(x: 190.625 + shift, y: 3851.25 - shift),
          ]),
          found: "detected", confidence: 0.9 + shift / 2000, paper: "a4"))
    }
    _ = try pending.commit(
      title: "\(["Invoice", "Receipt", "Letter", "Lecture notes", "Contract"][scan % 5]) \(scan + 1)",
      mode: "enhanced", enhancement: 1, createdAt: Timestamp(milliseconds: start + scan * 17_123_457))
  }
}

private func newLibrary(at folder: String, passphraseFile: String?) throws -> Library {
  guard let passphraseFile else { return try Library.openOrCreate(at: folder) }
  let keys = try NewKeys(passphrase: Passphrase(file: passphraseFile), recovery: nil)
  return try Library.openOrCreate(at: folder, making: .passphrase(keys))
}

/// Seven scans in ten have a page, two have up to 5, nine in a hundred up to 20, and one in a hundred has 100.
private func pages(ofScan scan: Int) -> Int {
  switch scan % 100 {
  case ..<70: 1
  case ..<90: 2 + scan % 4
  case ..<99: 6 + scan % 15
  default: 100
  }
}
