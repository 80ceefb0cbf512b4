import CommandLineKit
import ScanLibrary

/// Some pages of a scan by their place, such as `1,3-5`; places count from 1.
struct PageSelection: Sendable, Hashable {
  let ranges: [ClosedRange<Int>]

  static let option = Option("pages", type, help: "Only these pages.")
  static let argument = Argument("PAGES", type, help: "Pages by their place.")

  private static let mostPages = 1_000_000

  static let type = ValueType<PageSelection>("1,3-5") { (text: String) throws(InvalidValue) in
    var ranges: [ClosedRange<Int>] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let ends = part.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false).map { Int($0) }
      guard let first = ends.first ?? nil, let last = ends.last ?? nil, first >= 1, last <= mostPages else {
        throw InvalidValue("pages are written as numbers from 1 and ranges, such as 1,3-5")
      }
      guard first <= last else { throw InvalidValue("the range \(part) goes backwards") }
      ranges.append(first...last)
    }
    return PageSelection(ranges: ranges)
  }

  /// The pages that are meant, each once, in the order given.
  func pages(of scan: ScanRecord) throws(Failure) -> [(place: Int, page: PageRecord)] {
    var places: [Int] = []
    for range in ranges {
      guard range.upperBound <= scan.pages.count else {
        let count = scan.pages.count
        throw Failure(
          .scanPages, subject: scan.id.text,
          "\(titleText(scan)) has \(counted(count, "page")), so there is no page \(max(range.lowerBound, count + 1))"
        )
      }
      places += range.filter { !places.contains($0) }
    }
    return places.map { ($0, scan.pages[$0 - 1]) }
  }
}

extension PageSelection? {
  /// The pages that are meant; all when nothing was selected.
  func pages(of scan: ScanRecord) throws(Failure) -> [(place: Int, page: PageRecord)] {
    if let self { return try self.pages(of: scan) }
    return scan.pages.enumerated().map { ($0 + 1, $1) }
  }
}
