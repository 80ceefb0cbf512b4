import Foundation
import ScanPipeline
import TestSupport
import Testing

@Suite struct PhotoPlanTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The first bytes of a JPEG: enough for a file to be taken for one.
  static let jpeg = Data([0xFF, 0xD8, 0xFF, 0xE0, 0, 16, 0x4A, 0x46, 0x49, 0x46, 0])

  private func write(_ name: String, _ bytes: Data = jpeg) throws {
    let url = folder.url.appendingPathComponent(name)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try bytes.write(to: url)
  }

  private func names(_ job: ScanJob) -> [String] { job.photos.map(\.name) }

  @Test("a folder is one scan in natural order, named after it; other files are counted")
  func oneFolder() throws {
    for name in ["Trip/10.jpg", "Trip/9.jpg", "Trip/notes.txt", "Trip/.hidden.jpg", "Trip/old/1.jpg"] {
      try write(name, name.hasSuffix("txt") ? Data("milk".utf8) : Self.jpeg)
    }
    let plan = PhotoPlan(paths: [folder.path("Trip")], options: GroupingOptions())
    #expect(plan.jobs.map(\.title) == ["Trip"])
    #expect(plan.jobs.map(names) == [["9.jpg", "10.jpg"]])
    #expect(plan.passedOverFiles == 2)
    #expect(plan.passedOverFolders == 1)
    #expect(plan.faults.isEmpty)
  }

  @Test("contents decide, but what is called a picture is never passed over silently")
  func contentsDecide() throws {
    try write("in/photo-without-suffix")
    try write("in/letter.jpg", Data("Dear Sir".utf8))
    try write("in/empty.heic", Data())
    let plan = PhotoPlan(paths: [folder.path("in")], options: GroupingOptions())
    #expect(plan.jobs.map(names) == [["empty.heic", "letter.jpg", "photo-without-suffix"]])
  }

  @Test("--recursive makes a scan of each sub-folder, and never looks into the library")
  func recursive() throws {
    for name in ["a/1.jpg", "a/x/2.jpg", "a/y/deep/3.jpg", "a/library/scans/photo-1.jpg"] {
      try write(name)
    }
    let options = GroupingOptions(recursive: true, excludedFolder: folder.path("a/library"))
    let plan = PhotoPlan(paths: [folder.path("a")], options: options)
    #expect(plan.jobs.map(\.title) == ["a", "x", "deep"])
    #expect(plan.passedOverFolders == 1)
  }

  @Test("the library is never scanned into itself, whatever leads there")
  func library() throws {
    try write("library/scans/one/photo-1.jpg")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link"), withDestinationPath: folder.path("library/scans"))
    let options = GroupingOptions(recursive: true, excludedFolder: folder.path("library"))
    for path in ["library", "library/", "library/scans", "link/one"] {
      let plan = PhotoPlan(paths: [folder.path(path)], options: options)
      #expect(plan.jobs.isEmpty)
      #expect(
        plan.faults.map(\.error.description) == ["it is the library itself, whose photos are scans already"])
    }
    try write("library-2/1.jpg")
    #expect(PhotoPlan(paths: [folder.path("library-2")], options: options).jobs.count == 1)
  }

  @Test("links to folders are not followed, so a circle of them ends")
  func circle() throws {
    try write("a/1.jpg")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("a/again"), withDestinationPath: folder.path("a"))
    let plan = PhotoPlan(paths: [folder.path("a")], options: GroupingOptions(recursive: true))
    #expect(plan.jobs.count == 1)
  }

  @Test("files given by themselves are one scan, or one each with --separate")
  func files() throws {
    try write("a.jpg")
    try write("b.tar.jpg")
    let paths = [folder.path("b.tar.jpg"), folder.path("a.jpg")]
    let together = PhotoPlan(paths: paths, options: GroupingOptions())
    #expect(together.jobs.map(\.title) == ["b.tar"])
    #expect(together.jobs.map(names) == [["b.tar.jpg", "a.jpg"]])
    let separate = PhotoPlan(paths: paths, options: GroupingOptions(separate: true))
    #expect(separate.jobs.map(\.title) == ["b.tar", "a"])
  }

  @Test("a folder without pictures is a fault, and so is one that can't be opened")
  func emptyFolder() throws {
    try write("in/notes.txt", Data("milk".utf8))
    let plan = PhotoPlan(paths: [folder.path("in")], options: GroupingOptions())
    #expect(plan.jobs.isEmpty)
    #expect(plan.faults.map(\.error.description) == ["no picture is in this folder"])
  }

  @Test("a path that leads nowhere, to a folder or to a device is told apart when read")
  func reading() throws {
    #expect(throws: PhotoFileError.missing) { try PhotoFile(path: folder.path("no.jpg")).read() }
    #expect(throws: PhotoFileError.isFolder) { try PhotoFile(path: folder.path).read() }
    #expect(throws: PhotoFileError.isDevice) { try PhotoFile(path: "/dev/zero").read() }
    try write("three", Data([1, 2, 3]))
    #expect(try PhotoFile(path: folder.path("three")).read() == [1, 2, 3])
    #expect(try PhotoFile(path: folder.path("three")).read(first: 2) == [1, 2])
  }
}
