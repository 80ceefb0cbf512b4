/// The candidate that was probably meant by a word, or `nil` when none is near.
///
/// Near is: a candidate that begins with the word (at least two characters of it), or one that differs by few
/// typing slips: one in a word up to four characters, two up to eight, three beyond. Ties go to the first.
package func nearest(to word: String, among candidates: [String]) -> String? {
  let typed = Array(word.lowercased())
  guard !typed.isEmpty, typed.count <= longestWord else { return nil }
  if typed.count >= 2, let begun = candidates.first(where: { $0.lowercased().hasPrefix(String(typed)) }) {
    return begun
  }
  let allowed = typed.count <= 4 ? 1 : typed.count <= 8 ? 2 : 3
  let scored = candidates.map { (name: $0, distance: editDistance(typed, Array($0.lowercased()))) }
  guard let best = scored.min(by: { $0.distance < $1.distance }), best.distance <= allowed,
    best.distance < typed.count
  else { return nil }
  return best.name
}

/// Words beyond this length are no slip of a name, and comparing them would only take time.
private let longestWord = 64

/// How many slips make one word of another: a character more, less, wrong, or two swapped.
///
/// This is the optimal string alignment distance (Damerau 1964, with each part edited once at most).
package func editDistance(_ from: [Character], _ to: [Character]) -> Int {
  var beforeLast: [Int] = []
  var last = Array(0...to.count)
  for row in 0..<from.count {
    var current = [row + 1]
    current.reserveCapacity(to.count + 1)
    for column in 0..<to.count {
      let cost = from[row] == to[column] ? 0 : 1
      var best = min(last[column + 1] + 1, current[column] + 1, last[column] + cost)
      if row > 0, column > 0, from[row] == to[column - 1], from[row - 1] == to[column] {
        best = min(best, beforeLast[column - 1] + 1)
      }
      current.append(best)
    }
    beforeLast = last
    last = current
  }
  return last[to.count]
}
