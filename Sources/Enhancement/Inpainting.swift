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
  unsafe plane.withUnsafeBufferPointer { plane in
    unsafe weights.withUnsafeBufferPointer { weights in
      unsafe coarse.withUnsafeMutableBufferPointer { coarse in
        unsafe coarseWeights.withUnsafeMutableBufferPointer { coarseWeights in
          for y in 0..<rows {
            for x in 0..<columns {
              let (index, half) = (y &* columns &+ x, (y / 2) &* halfColumns &+ x / 2)
              unsafe coarse[half] += plane[index] * weights[index]
              unsafe coarseWeights[half] += weights[index]
            }
          }
        }
      }
    }
  }
  for index in coarse.indices where coarseWeights[index] > 0 {
    coarse[index] /= coarseWeights[index]
    coarseWeights[index] = min(1, coarseWeights[index])
  }
  fill(&coarse, &coarseWeights, columns: halfColumns, rows: halfRows)
  unsafe plane.withUnsafeMutableBufferPointer { plane in
    unsafe weights.withUnsafeMutableBufferPointer { weights in
      unsafe coarse.withUnsafeBufferPointer { coarse in
        for y in 0..<rows {
          let nearY = y / 2
          let farY = min(halfRows - 1, max(0, y % 2 == 0 ? nearY - 1 : nearY + 1))
          for x in 0..<columns {
            let index = y &* columns &+ x
            let weight = unsafe weights[index]
            guard weight < 1 else { continue }
            let nearX = x / 2
            let farX = min(halfColumns - 1, max(0, x % 2 == 0 ? nearX - 1 : nearX + 1))
            let (near, far) = (nearY &* halfColumns, farY &* halfColumns)
            let upper = unsafe 0.75 * coarse[near &+ nearX] + 0.25 * coarse[near &+ farX]
            let lower = unsafe 0.75 * coarse[far &+ nearX] + 0.25 * coarse[far &+ farX]
            let around = 0.75 * upper + 0.25 * lower
            unsafe plane[index] = plane[index] * weight + around * (1 - weight)
            unsafe weights[index] = 1
          }
        }
      }
    }
  }
}
