import Foundation
import ScanLibrary
import TestSupport
import Testing

/// What a command costs in a library of many scans grows with their number, and by little for each.
@Suite("A large library")
struct LargeLibraryTests {
  let place: Workplace

  init() throws { place = try Workplace() }

  /// How many calls to the system that have to do with files a command takes, in all its threads.
  private func calls(_ words: [String]) throws -> Int {
    let outcome = try place.program.shell(
      #"strace -f -qq -e trace=%file,%desc -o trace flatbed "$@" </dev/null >out && grep -vc resumed trace"#,
      words)
    #expect(outcome.status == 0, "\(outcome.errors)")
    return try #require(Int(outcome.text.trimmingCharacters(in: .whitespacesAndNewlines)))
  }

  private func add(_ numbers: Range<Int>) throws {
    let library = try Library.open(at: place.library)
    for number in numbers {
      let pending = try library.beginScan()
      _ = try pending.addPhoto([1], name: "\(number).jpg", format: "jpeg", fileExtension: "jpg")
      _ = try pending.addPage(png: try Pictures.png(1), origin: PageOrigin(photo: 1, found: "whole"))
      _ = try pending.commit(title: "Scan \(number)", mode: "enhanced")
    }
  }

  @Test("a scan is opened, looked at, read and closed, once, and nothing more is done for it")
  func callsAScan() throws {
    try add(0..<40)
    let commands = [["list"], ["list", "--completions"], ["show", "Scan 7"]]
    let few = try commands.map(calls)
    try add(40..<440)
    let many = try commands.map(calls)
    for (command, (few, many)) in zip(commands, zip(few, many)) {
      // Four are what it takes; threads that begin and the list of names take a few more.
      #expect(Double(many - few) < 400 * 4.3, "\(command): \(many - few) calls for 400 scans")
    }
  }
}
