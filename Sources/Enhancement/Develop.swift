internal import Raster

/// Divides the light out of a page and sends every sample through a curve.
func develop(_ page: Raster, under light: LightMap, curve: ToneCurve) -> Raster {
  let channels = page.format.channels
  let stride = page.rowStride
  var gains = [Int32](repeating: 0, count: stride)
  return unsafe Raster(size: page.size, format: page.format) { output in
    unsafe page.samples.withUnsafeBufferPointer { input in
      unsafe curve.table.withUnsafeBufferPointer { table in
        for y in 0..<page.height {
          light.fillGains(&gains, row: y, width: page.width)
          unsafe gains.withUnsafeBufferPointer { gains in
            let start = y &* stride
            for index in 0..<page.width &* channels {
              let reflectance = unsafe (Int32(input[start &+ index]) &* gains[index]) &>> 14
              unsafe output[start &+ index] = table[Int(min(511, reflectance))]
            }
          }
        }
      }
    }
  }
}

extension LightMap {
  /// 255 over the paper's sample for every sample of a row, times 2¹⁴.
  func fillGains(_ gains: inout [Int32], row: Int, width: Int) {
    let y = (Float(row) + 0.5) / Float(cell) - 0.5
    let upper = max(0, min(rows - 1, Int(y.rounded(.down))))
    let lower = min(rows - 1, upper + 1)
    let share = min(1, max(0, y - Float(upper)))
    for channel in 0..<channels {
      var line = [Float](repeating: 0, count: columns)
      for column in 0..<columns {
        let (a, b) = (
          values[(upper * columns + column) * channels + channel],
          values[(lower * columns + column) * channels + channel]
        )
        line[column] = 255 * 16384 / (a + (b - a) * share)
      }
      for x in 0..<width {
        let place = (Float(x) + 0.5) / Float(cell) - 0.5
        let left = max(0, min(columns - 1, Int(place)))
        let right = min(columns - 1, left + 1)
        let part = min(1, max(0, place - Float(left)))
        gains[x * channels + channel] = Int32(line[left] + (line[right] - line[left]) * part)
      }
    }
  }
}
