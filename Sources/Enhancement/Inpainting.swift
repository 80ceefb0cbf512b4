/// Fills in the cells that aren't known from those that are: the farther away, the smoother (push–pull, Gortler 1996).
///
/// With nothing known, all cells become `fallback`.
func filled(_ plane: [Float], known: [Bool], columns: Int, rows: Int, fallback: Float) -> [Float] {
  var weights = known.map { $0 ? Float(1) : 0 }
  guard weights.contains(1) else { return Array(repeating: fallback, count: plane.count) }
  var result = plane
  fill(&result, &weights, columns: columns, rows: rows)
  return result
}

private func fill(_ plane: inout [Float], _ weights: inout [Float], columns: Int, rows: Int) {
  guard columns > 1 || rows > 1, weights.contains(where: { $0 < 1 }) else { return }
  let (halfColumns, halfRows) = ((columns + 1) / 2, (rows + 1) / 2)
  var coarse = [Float](repeating: 0, count: halfColumns * halfRows)
  var coarseWeights = coarse
  for y in 0..<rows {
    for x in 0..<columns {
      let (index, half) = (y * columns + x, (y / 2) * halfColumns + x / 2)
      coarse[half] += plane[index] * weights[index]
      coarseWeights[half] += weights[index]
    }
  }
  for index in coarse.indices where coarseWeights[index] > 0 {
    coarse[index] /= coarseWeights[index]
    coarseWeights[index] = min(1, coarseWeights[index])
  }
  fill(&coarse, &coarseWeights, columns: halfColumns, rows: halfRows)
  for y in 0..<rows {
    let nearY = y / 2
    let farY = min(halfRows - 1, max(0, y % 2 == 0 ? nearY - 1 : nearY + 1))
    for x in 0..<columns {
      let index = y * columns + x
      guard weights[index] < 1 else { continue }
      let nearX = x / 2
      let farX = min(halfColumns - 1, max(0, x % 2 == 0 ? nearX - 1 : nearX + 1))
      let upper = 0.75 * coarse[nearY * halfColumns + nearX] + 0.25 * coarse[nearY * halfColumns + farX]
      let lower = 0.75 * coarse[farY * halfColumns + nearX] + 0.25 * coarse[farY * halfColumns + farX]
      let around = 0.75 * upper + 0.25 * lower
      plane[index] = plane[index] * weights[index] + around * (1 - weights[index])
      weights[index] = 1
    }
  }
}
