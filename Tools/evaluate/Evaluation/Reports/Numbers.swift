/// A number with so many digits after the point, at most nine; `-` for none.
func fixed(_ value: Double?, _ digits: Int) -> String {
  guard let value, value.isFinite else { return "-" }
  var scale = 1
  for _ in 0..<digits { scale *= 10 }
  let whole = Int((abs(value) * Double(scale)).rounded())
  let sign = value < 0 && whole > 0 ? "-" : ""
  guard digits > 0 else { return "\(sign)\(whole)" }
  let fraction = String(whole % scale)
  return "\(sign)\(whole / scale).\(String(repeating: "0", count: digits - fraction.count))\(fraction)"
}

/// A share as per cent, with so many digits after the point.
func percent(_ share: Double?, _ digits: Int) -> String {
  share.map { "\(fixed($0 * 100, digits)) %" } ?? "-"
}

extension String {
  /// Spaces after it, up to a width.
  func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }

  /// Spaces before it, up to a width.
  func aligned(to width: Int) -> String { String(repeating: " ", count: max(0, width - count)) + self }
}
