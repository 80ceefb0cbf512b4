import Foundation
import ScanLibrary
import TestSupport
import Testing

/// Many scans and many pages at once.
@Suite("Many pages")
struct BulkTests {
  let place: Workplace

  init() throws { place = try Workplace() }

  @Test("of 20 scans exported at once are each what they are when their scan is exported alone")
  func bulkExport() throws {
    for scan in 1...20 {
      for page in 1...5 {
        try place.write("in/\(scan)/\(page).png", try Pictures.png(100 * scan + page))
      }
    }
    try place.succeed("scan", "--whole", "--recursive", place.path("in"))
    #expect(try place.titles().count == 20)
    let together = try place.answer("export", "--all", "-o", place.path("all")).array
    #expect(together.count == 100 && Set(together.map { $0["path"].string }).count == 100)
    var contents: Set<ContentHash> = []
    for scan in Set(together.map { $0["scan"].string }) {
      let alone = try place.answer("export", scan, "-o", place.path("alone/\(scan)")).array
      let same = together.filter { $0["scan"].string == scan }
      #expect(
        alone.map { $0["page"].int } == [1, 2, 3, 4, 5] && same.map { $0["page"].int } == [1, 2, 3, 4, 5])
      for (one, other) in zip(alone, same) {
        let content = ContentHash(of: try place.read(one["path"].string))
        #expect(content == ContentHash(of: try place.read(other["path"].string)), "\(other["path"].string)")
        contents.insert(content)
      }
    }
    // None is another's, nor blank.
    #expect(contents.count == 100)
  }

  @Test("of a scan of 300 take no room on the disk but where they stay: no temporary file is made")
  func noTemporaryFiles() throws {
    for page in 1...300 { try place.write("in/\(page).png", try Pictures.png(page)) }
    // There is no temporary folder to use, either.
    let outcome = try place.program.shell(
      """
      export TMPDIR=/nowhere
      strace -f -qq -e trace=open,openat,creat,memfd_create -o trace-scan flatbed scan --whole in &&
      strace -f -qq -e trace=open,openat,creat,memfd_create -o trace-export flatbed export in -o out
      """)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let scan = try place.answer("show", "in")["id"].string
    // What is made while scanning is what stays, and locks.
    let made = try created("trace-scan")
    let kept = Set(try place.names(in: "library/scans/\(scan)"))
    #expect(kept.count == 601)
    let others = made.map { ($0 as NSString).lastPathComponent }.filter { !kept.contains($0) }
    #expect(Set(others) == ["lock", "\(scan).lock"], "\(others)")
    #expect(made.filter { $0.hasSuffix(".png") }.count == 600)
    // An export makes its files, nameless at first, in their folder.
    #expect(try place.names(in: "out").count == 300)
    #expect(try Set(created("trace-export")) == ["out"])
  }

  /// The paths of files that a traced program has made, or has had made without a name.
  private func created(_ trace: String) throws -> [String] {
    String(decoding: try place.read(trace), as: UTF8.self).split(separator: "\n").compactMap { line in
      guard line.contains("O_CREAT") || line.contains("O_TMPFILE") || line.contains("memfd_create") else {
        return nil
      }
      return line.firstMatch(of: /"([^"]*)"/).map { String($0.output.1) }
    }
  }
}
