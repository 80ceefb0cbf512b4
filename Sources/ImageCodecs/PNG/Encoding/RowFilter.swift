/// PNG's filters: what each byte of a row is stored as the difference from.
enum RowFilter: UInt8, CaseIterable {
  case none = 0
  /// The byte of the pixel to the left.
  case sub = 1
  /// The byte above.
  case up = 2
  /// The mean of both.
  case average = 3
  /// Whichever of left, above and above-left is nearest to left + above − above-left.
  case paeth = 4

  /// Writes the filtered row, without the byte that tells the filter.
  ///
  /// - Parameters:
  ///   - row: `count` bytes.
  ///   - above: the row before, or as many zeros.
  ///   - pixel: bytes a pixel.
  func apply(
    _ row: UnsafePointer<UInt8>, above: UnsafePointer<UInt8>, count: Int, pixel: Int,
    to target: UnsafeMutablePointer<UInt8>
  ) {
    // To the left of the first pixel are zeros.
    let first = min(pixel, count)
    switch self {
    case .none:
      unsafe target.update(from: row, count: count)
    case .sub:
      unsafe target.update(from: row, count: first)
      for index in first..<count { unsafe target[index] = row[index] &- row[index &- pixel] }
    case .up:
      for index in 0..<count { unsafe target[index] = row[index] &- above[index] }
    case .average:
      for index in 0..<first { unsafe target[index] = row[index] &- (above[index] &>> 1) }
      for index in first..<count {
        let (left, up) = unsafe (row[index &- pixel], above[index])
        // The mean rounded down, without a ninth bit.
        unsafe target[index] = row[index] &- ((left & up) &+ ((left ^ up) &>> 1))
      }
    case .paeth:
      for index in 0..<first { unsafe target[index] = row[index] &- above[index] }
      for index in first..<count {
        let (left, up, corner) = unsafe (row[index &- pixel], above[index], above[index &- pixel])
        unsafe target[index] = row[index] &- Self.paeth(left, up, corner)
      }
    }
  }

  /// Writes the row that was filtered.
  ///
  /// - Parameters:
  ///   - filtered: `count` bytes, without the one that tells the filter.
  ///   - above: the row before, or as many zeros.
  ///   - pixel: bytes a pixel.
  func undo(
    _ filtered: UnsafePointer<UInt8>, above: UnsafePointer<UInt8>, count: Int, pixel: Int,
    to row: UnsafeMutablePointer<UInt8>
  ) {
    let first = min(pixel, count)
    switch self {
    case .none:
      unsafe row.update(from: filtered, count: count)
    case .sub:
      unsafe row.update(from: filtered, count: first)
      for index in first..<count { unsafe row[index] = filtered[index] &+ row[index &- pixel] }
    case .up:
      for index in 0..<count { unsafe row[index] = filtered[index] &+ above[index] }
    case .average:
      for index in 0..<first { unsafe row[index] = filtered[index] &+ (above[index] &>> 1) }
      for index in first..<count {
        let (left, up) = unsafe (row[index &- pixel], above[index])
        unsafe row[index] = filtered[index] &+ ((left & up) &+ ((left ^ up) &>> 1))
      }
    case .paeth:
      for index in 0..<first { unsafe row[index] = filtered[index] &+ above[index] }
      for index in first..<count {
        let (left, up, corner) = unsafe (row[index &- pixel], above[index], above[index &- pixel])
        unsafe row[index] = filtered[index] &+ Self.paeth(left, up, corner)
      }
    }
  }

  /// Paeth's choice in bytes alone, so that a vector holds as many pixels as it can.
  ///
  /// The distances from left + up − corner are |up − corner| for left, |left − corner| for up, and for the corner their sum when
  /// both differ from it in the same direction, else their difference.
  @inline(__always)
  private static func paeth(_ left: UInt8, _ up: UInt8, _ corner: UInt8) -> UInt8 {
    let forLeft = max(up, corner) &- min(up, corner)
    let forUp = max(left, corner) &- min(left, corner)
    let sameWay = (up > corner) == (left > corner)
    let difference = max(forLeft, forUp) &- min(forLeft, forUp)
    // A sum is never the smallest; 255 isn't either, unless all are equal, and then left comes first.
    let forCorner = sameWay ? 255 : difference
    let sideways = forLeft <= forUp ? left : up
    return min(forLeft, forUp) <= forCorner ? sideways : corner
  }
}
