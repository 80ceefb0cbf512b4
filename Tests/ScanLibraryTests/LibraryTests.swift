import Foundation
import Raster
import ScanLibrary
import TestSupport
import Testing

@Suite("A library")
struct LibraryTests {
  let folder: TemporaryFolder
  let library: Library

  init() throws {
    folder = try TemporaryFolder()
    library = try Library.openOrCreate(at: folder.path("deep/er/library"))
  }

  @Test("gives back what was stored, also when opened anew")
  func roundTrip() throws {
    let stored = try library.addSample("Kassenbon", seeds: [1, 2])
    let again = try Library.open(at: library.path)
    #expect(again.id == library.id)
    let listing = try again.scans()
    #expect(listing.damaged.isEmpty)
    let scan = try #require(listing.scans.first)
    #expect(scan.id == stored.id)
    #expect(scan.title == "Kassenbon")
    #expect(scan.mode == "enhanced")
    #expect(scan.createdAt == stored.createdAt)
    #expect(scan.pages.map(\.number) == [1, 2])
    #expect(scan.pages[1].origin.quad == sampleQuad)
    #expect(scan.pages[1].size == PixelSize(width: 3, height: 2))
    #expect(try again.photoBytes(scan, photo: 2) == samplePhoto(2))
    #expect(try again.pageBytes(scan, page: 1) == samplePNG(1))
  }

  @Test("lists scans oldest first")
  func order() throws {
    for day in [3, 1, 2] {
      try library.addSample("Day \(day)", createdAt: Timestamp(milliseconds: day * 86_400_000))
    }
    #expect(try library.scans().scans.map(\.title) == ["Day 1", "Day 2", "Day 3"])
  }

  @Test("finds scans by the start of an id and by title")
  func find() throws {
    let receipt = try library.addSample("Receipt")
    let rent = try library.addSample("Rent")
    #expect(try library.find(receipt.id.text) == receipt)
    #expect(try library.find(String(receipt.id.text.prefix(6)).uppercased()) == receipt)
    #expect(try library.find("Rent").id == rent.id)
    #expect(try library.find("rENT").id == rent.id)
    #expect(throws: LibraryError.noSuchScan(reference: "Reciept", near: ["Receipt"])) {
      try library.find("Reciept")
    }
  }

  @Test("changes, reorders and removes pages, and deletes scans")
  func change() throws {
    let scan = try library.addSample(seeds: [1, 2, 3])
    let changed = try library.change(scan.id) { change throws(LibraryError) in
      change.setTitle("Other")
      try change.removePages([2])
      try change.reorderPages([3, 1])
      try change.replacePage(1, png: samplePNG(9), origin: PageOrigin(photo: 1, found: "whole"))
    }
    #expect(changed.pages.map(\.number) == [3, 4])
    #expect(changed.photos.map(\.number) == [1, 3])
    #expect(try library.pageBytes(changed, page: 4) == samplePNG(9))
    #expect(try Library.open(at: library.path).scan(scan.id).title == "Other")
    try library.delete(scan.id)
    #expect(try library.scans().scans.isEmpty)
  }

  @Test("takes appended pages in at their place")
  func append() throws {
    let scan = try library.addSample(seeds: [1, 2])
    let pending = try library.beginScan()
    _ = try pending.addPhoto(samplePhoto(7), name: "x.jpg", format: "jpeg", fileExtension: "jpg")
    _ = try pending.addPage(png: samplePNG(7), origin: PageOrigin(photo: 1, found: "whole"))
    let longer = try pending.append(to: scan.id, at: 1)
    #expect(longer.pages.map(\.number) == [1, 3, 2])
    #expect(try library.pageBytes(longer, page: 3) == samplePNG(7))
    #expect(try library.photoBytes(longer, photo: 3) == samplePhoto(7))
    #expect(try library.scans().scans.count == 1)
    #expect(try library.scan(holdingPhoto: ContentHash(of: samplePhoto(7)))?.photo.number == 3)
  }
}
