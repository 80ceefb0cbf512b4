import Foundation
import TestSupport
import Testing

/// What `library backup` prints, tried with a real backup program.
@Suite struct BackupTests {
  @Test("the printed rsync option copies an included library, and passes an excluded one over")
  func rsync() throws {
    let folder = try TemporaryFolder()
    let program = BuiltProgram(environment: ["FLATBED_LIBRARY": folder.path("home/library")])
    #expect(
      try program.run(["scan", "--protection", "owner-only", Samples.path("card-glare-dark-stone.jpg")])
        .status == 0)
    try Data("kept".utf8).write(to: folder.url.appendingPathComponent("home/other.txt"))

    let included = try program.run(["library", "backup", "--json"])
    #expect(try #require(included.json() as? [String: Any])["excluded"] as? Bool == false)
    try backUp(folder, to: "first", filter: "dir-merge .nobackup")
    #expect(exists(folder, "first/library/library.json") && exists(folder, "first/other.txt"))

    let excluded = try program.run(["library", "backup", "--exclude"])
    #expect(excluded.lines.contains("rsync --filter='dir-merge .nobackup' …"))
    #expect(excluded.lines.contains("restic backup --exclude-if-present .nobackup …"))
    #expect(excluded.lines.contains("borg create --exclude-if-present .nobackup …"))
    try backUp(folder, to: "second", filter: "dir-merge .nobackup")
    #expect(!exists(folder, "second/library/library.json") && !exists(folder, "second/library/scans"))
    #expect(exists(folder, "second/other.txt"))
    #expect(try program.run(["library", "info"]).text.contains("backups     passed over"))
    #expect(try program.run(["verify"]).status == 0)
  }

  private func backUp(_ folder: TemporaryFolder, to target: String, filter: String) throws {
    let rsync = try Process.run(
      URL(fileURLWithPath: "/usr/bin/rsync"),
      arguments: ["-a", "--filter=\(filter)", folder.path("home") + "/", folder.path(target)])
    rsync.waitUntilExit()
    #expect(rsync.terminationStatus == 0)
  }

  private func exists(_ folder: TemporaryFolder, _ path: String) -> Bool {
    FileManager.default.fileExists(atPath: folder.path(path))
  }
}
