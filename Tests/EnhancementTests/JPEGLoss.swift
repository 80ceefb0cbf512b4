import Glibc
import Raster

/// What JPEG at a quality, with colour at half resolution, takes from a picture.
///
/// Colours to YCbCr, eight by eight cosines, rounding to the steps of ITU-T T.81's tables K.1 and K.2, and back. The entropy coding of a real
/// file loses nothing, so it is left out.
struct JPEGLoss {
  private let lumaSteps: [Double]
  private let chromaSteps: [Double]

  /// - Parameter quality: 1…100, as libjpeg counts it.
  init(quality: Int) {
    let scale = quality < 50 ? 5000 / quality : 200 - 2 * quality
    func scaled(_ table: [Int]) -> [Double] {
      table.map { Double(max(1, min(255, ($0 * scale + 50) / 100))) }
    }
    lumaSteps = scaled(Self.luma)
    chromaSteps = scaled(Self.chroma)
  }

  func callAsFunction(_ picture: Raster) -> Raster {
    precondition(picture.format == .rgb, "colour pictures only")
    let (width, height) = (picture.width, picture.height)
    var planes = [[Double]](repeating: Array(repeating: 0, count: width * height), count: 3)
    for index in 0..<width * height {
      let (red, green, blue) = (
        Double(picture.samples[3 * index]), Double(picture.samples[3 * index + 1]),
        Double(picture.samples[3 * index + 2])
      )
      planes[0][index] = (0.299 * red + 0.587 * green + 0.114 * blue).rounded() - 128
      planes[1][index] = -0.168736 * red - 0.331264 * green + 0.5 * blue
      planes[2][index] = 0.5 * red - 0.418688 * green - 0.081312 * blue
    }
    planes[0] = coded(planes[0], width, height, lumaSteps)
    let (halfWidth, halfHeight) = ((width + 1) / 2, (height + 1) / 2)
    for channel in 1...2 {
      var half = [Double](repeating: 0, count: halfWidth * halfHeight)
      for y in 0..<halfHeight {
        for x in 0..<halfWidth {
          let (right, below) = (min(width - 1, 2 * x + 1), min(height - 1, 2 * y + 1))
          let four = [
            2 * y * width + 2 * x, 2 * y * width + right, below * width + 2 * x, below * width + right,
          ]
          half[y * halfWidth + x] = (four.reduce(0) { $0 + planes[channel][$1] } / 4).rounded()
        }
      }
      half = coded(half, halfWidth, halfHeight, chromaSteps)
      for y in 0..<height {
        for x in 0..<width { planes[channel][y * width + x] = half[y / 2 * halfWidth + x / 2] }
      }
    }
    var samples: [UInt8] = []
    samples.reserveCapacity(width * height * 3)
    for index in 0..<width * height {
      let (luma, blue, red) = (planes[0][index] + 128, planes[1][index], planes[2][index])
      for value in [luma + 1.402 * red, luma - 0.344136 * blue - 0.714136 * red, luma + 1.772 * blue] {
        samples.append(UInt8(max(0, min(255, value.rounded()))))
      }
    }
    return Raster(size: picture.size, format: .rgb, samples: samples)
  }

  /// A plane whose blocks have been rounded to steps; at the rim its last row and column are repeated.
  private func coded(_ plane: [Double], _ width: Int, _ height: Int, _ steps: [Double]) -> [Double] {
    var result = plane
    var block = [Double](repeating: 0, count: 64)
    for top in stride(from: 0, to: height, by: 8) {
      for left in stride(from: 0, to: width, by: 8) {
        for y in 0..<8 {
          for x in 0..<8 {
            block[8 * y + x] = plane[min(height - 1, top + y) * width + min(width - 1, left + x)]
          }
        }
        transform(&block, inverse: false)
        for index in 0..<64 { block[index] = (block[index] / steps[index]).rounded() * steps[index] }
        transform(&block, inverse: true)
        for y in 0..<min(8, height - top) {
          for x in 0..<min(8, width - left) {
            result[(top + y) * width + left + x] = block[8 * y + x].rounded()
          }
        }
      }
    }
    return result
  }

  /// The cosine transform of a block along its rows and its columns, or back.
  private func transform(_ block: inout [Double], inverse: Bool) {
    var other = [Double](repeating: 0, count: 64)
    for _ in 0..<2 {
      // Rows, and transposed on the way out: twice is rows and columns.
      for line in 0..<8 {
        for place in 0..<8 {
          var sum = 0.0
          for index in 0..<8 {
            sum +=
              block[8 * line + index]
              * (inverse ? Self.cosines[8 * index + place] : Self.cosines[8 * place + index])
          }
          other[8 * place + line] = sum
        }
      }
      swap(&block, &other)
    }
  }

  /// A row for each frequency.
  private static let cosines: [Double] = (0..<64).map { index in
    let (frequency, place) = (Double(index / 8), Double(index % 8))
    return cos((2 * place + 1) * frequency * .pi / 16) * (frequency == 0 ? sqrt(1.0 / 8) : 0.5)
  }

  private static let luma = [
    16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, 14, 13, 16, 24, 40, 57, 69, 56, 14, 17,
    22, 29,
    51, 87, 80, 62, 18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92, 49, 64, 78, 87, 103,
    121,
    120, 101, 72, 92, 95, 98, 112, 100, 103, 99,
  ]
  private static let chroma =
    [
      17, 18, 24, 47, 99, 99, 99, 99, 18, 21, 26, 66, 99, 99, 99, 99, 24, 26, 56, 99, 99, 99, 99, 99, 47, 66,
      99, 99,
      99, 99, 99, 99,
    ] + Array(repeating: 99, count: 32)
}
