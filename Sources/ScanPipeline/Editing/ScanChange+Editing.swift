package import Enhancement
package import Raster
package import ScanLibrary

/// What the commands and the review change of a scan: whoever asks, the same is written.
extension ScanChange {
  /// Puts a page that was made anew into the place of the old one.
  ///
  /// - Returns: its number.
  @discardableResult
  package mutating func replacePage(_ number: Int, by page: RemadePage) throws(LibraryError) -> Int {
    try replacePage(number, png: page.png, origin: page.origin)
  }

  /// Turns pages further, by their numbers.
  package mutating func turnPages(_ numbers: [Int], by turn: QuarterTurn) throws(LibraryError) {
    for number in numbers {
      var look = try page(number).look
      look.turn = look.turn.followed(by: turn)
      try setLook(page: number, look)
    }
  }

  /// Sets the mode of some pages, or of the whole scan, whose pages then have none of their own.
  ///
  /// - Parameter numbers: `nil` for the whole scan.
  package mutating func setMode(
    _ mode: EnhancementMode, amount: Double?, pages numbers: [Int]?
  ) throws(LibraryError) {
    if numbers == nil { setMode(mode.rawValue, amount: amount, enhancement: enhancementAlgorithmVersion) }
    for number in numbers ?? record.pages.map(\.number) {
      var look = try page(number).look
      look.mode = numbers == nil ? nil : mode.rawValue
      look.amount = numbers == nil ? nil : amount
      try setLook(page: number, look)
    }
  }

  /// Moves pages together, so that the first is at `place`, counted from 0; a place beyond the end is the end.
  package mutating func movePages(_ numbers: [Int], to place: Int) throws(LibraryError) {
    for number in numbers { _ = try page(number) }
    var order = record.pages.map(\.number).filter { !numbers.contains($0) }
    order.insert(contentsOf: numbers, at: min(max(place, 0), order.count))
    try reorderPages(order)
  }

  private func page(_ number: Int) throws(LibraryError) -> PageRecord {
    guard let page = record.page(number) else { throw .noSuchPage(scan: record.id, number: number) }
    return page
  }
}
