/// Whether one name comes before another as people count: `page 2` before `page 10`, letters without regard to case.
///
/// A run of digits is compared as a number, whatever its length. Names that are equal in this sense are put in order by
/// their characters, so that the order is the same on every run.
package func precedesNaturally(_ left: String, _ right: String) -> Bool {
  var (first, second) = (left.unicodeScalars[...], right.unicodeScalars[...])
  while let a = first.first, let b = second.first {
    if isDigit(a), isDigit(b) {
      let (one, other) = (takeNumber(from: &first), takeNumber(from: &second))
      if one.count != other.count { return one.count < other.count }
      if !one.elementsEqual(other) { return one.lexicographicallyPrecedes(other) }
    } else {
      let (one, other) = (folded(a), folded(b))
      if one != other { return one < other }
      first.removeFirst()
      second.removeFirst()
    }
  }
  guard first.isEmpty && second.isEmpty else { return first.isEmpty }
  return left.unicodeScalars.lexicographicallyPrecedes(right.unicodeScalars)
}

private func isDigit(_ scalar: Unicode.Scalar) -> Bool { scalar >= "0" && scalar <= "9" }

private func folded(_ scalar: Unicode.Scalar) -> String { scalar.properties.lowercaseMapping }

/// Takes a run of digits off the front, without its leading zeros.
private func takeNumber(from text: inout Substring.UnicodeScalarView) -> Substring.UnicodeScalarView {
  let run = text.prefix(while: isDigit)
  text = text[run.endIndex...]
  return run.drop { $0 == "0" }
}
