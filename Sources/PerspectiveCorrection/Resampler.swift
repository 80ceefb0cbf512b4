internal import CCorrectionKernels
package import Raster

/// By what code pixels are interpolated; the pixels are the same.
package enum ResamplingKernel: Sendable, CaseIterable {
  /// Plain Swift, on any processor.
  case portable
  /// AVX2 where the processor has it, else plain Swift.
  case fastest
}

/// Draws a picture of `size` whose pixels come from where `map` takes their centres in `photo`.
///
/// Where the picture is enlarged, samples are interpolated by cubics. Where it is reduced, each pixel is the mean of several
/// points spread over the area it stands for; their spread grows from nothing, so that sharpness doesn't jump where the scale passes 1.
/// Pixels that fall outside of the photo are white.
package func resample(
  _ photo: Raster, size: PixelSize, map: Homography, kernel: ResamplingKernel = .fastest
) -> Raster {
  let weights = CubicWeights()
  return unsafe Raster(size: size, format: photo.format) { output in
    unsafe photo.samples.withUnsafeBufferPointer { input in
      unsafe weights.table.withUnsafeBufferPointer { table in
        guard let samples = input.baseAddress, let weights = table.baseAddress,
          let target = output.baseAddress
        else { return }
        let channels = photo.format.channels
        let resampler = unsafe Resampler(
          sampler: PhotoSampler(
            samples: samples, weights: weights, width: photo.width, height: photo.height, channels: channels),
          photo: flatbed_cubic_photo(
            samples: samples, stride: photo.rowStride, channels: Int32(channels), weights: weights),
          map: PageMap(map), size: size, target: target,
          // The kernel counts bytes of the photo in 32 bits.
          fast: kernel == .fastest && flatbed_cubic_available() != 0 && photo.samples.count <= Int(Int32.max))
        inParallel(pieces: (size.height + stripHeight - 1) / stripHeight) { strip in
          let top = strip * stripHeight
          resampler.draw(rows: top..<min(top + stripHeight, size.height))
        }
      }
    }
  }
}

/// Pixels in a row for which the local scale is worked out once, and which are made by one call.
private let blockWidth = 16
/// Size of the pieces in which a picture is drawn, so that what is read of the photo stays in the cache when the page is turned.
private let tileWidth = 128
private let tileHeight = 32
/// Rows that one processor draws before it takes others.
private let stripHeight = 4 * tileHeight
/// Up to this scale a picture isn't treated as reduced: the loss can't be seen.
private let negligibleReduction = 1.05
private let negligible = negligibleReduction * negligibleReduction
/// What makes cutting off round: a half, and more than the error of a product of a mean's sum and its factor, but less than one step of the sum.
private let rounding = 0.5 + 0x1p-40

/// One picture being drawn.
///
/// It goes to several threads: each writes rows of its own, and what is read stays as it is for the time of `resample`.
@safe private struct Resampler: @unchecked Sendable {
  let sampler: PhotoSampler
  /// The same for the kernel.
  let photo: flatbed_cubic_photo
  let map: PageMap
  let size: PixelSize
  let target: UnsafeMutablePointer<UInt8>
  let fast: Bool

  func draw(rows: Range<Int>) {
    unsafe withUnsafeTemporaryAllocation(of: Double.self, capacity: 4 * blockWidth) { sums in
      guard let sums = sums.baseAddress else { return }
      for top in stride(from: rows.lowerBound, to: rows.upperBound, by: tileHeight) {
        let bottom = min(top + tileHeight, rows.upperBound)
        for left in stride(from: 0, to: size.width, by: tileWidth) {
          let right = min(left + tileWidth, size.width)
          let inside = isInside(columns: left..<right, rows: top..<bottom)
          if fast && inside && (right - left) % blockWidth == 0
            && map.largestSquaredScale(columns: left..<right, rows: top..<bottom) <= negligible
          {
            drawTile(columns: left..<right, rows: top..<bottom)
            continue
          }
          for row in top..<bottom {
            for start in stride(from: left, to: right, by: blockWidth) {
              let count = min(blockWidth, right - start)
              let whole = fast && count == blockWidth
              unsafe drawBlock(
                start, row, count: count,
                fast: whole && (inside || isInside(columns: start..<start + count, rows: row..<row + 1)),
                sums: sums)
            }
          }
        }
      }
    }
  }

  /// Draws a tile that is inside of the photo and nowhere reduced, by the kernel alone.
  private func drawTile(columns: Range<Int>, rows: Range<Int>) {
    unsafe withUnsafePointer(to: photo) { photo in
      for row in rows {
        var place = unsafe target + (row &* size.width &+ columns.lowerBound) &* sampler.channels
        for start in stride(from: columns.lowerBound, to: columns.upperBound, by: blockWidth) {
          var points = map.row(x: Double(start) + 0.5, y: Double(row) + 0.5)
          unsafe flatbed_cubic_write(photo, &points, place)
          unsafe place += blockWidth &* sampler.channels
        }
      }
    }
  }

  /// Whether all points of these pixels lie so far inside of the photo that the kernel may read it.
  ///
  /// Where w is positive at the corners of a part of the page, that part is convex in the photo too.
  private func isInside(columns: Range<Int>, rows: Range<Int>) -> Bool {
    for y in [rows.lowerBound, rows.upperBound] {
      for x in [columns.lowerBound, columns.upperBound] {
        let point = map.row(x: Double(x), y: Double(y))
        guard point.w > 0 else { return false }
        let (x, y) = (point.u / point.w, point.v / point.w)
        // Pixels from 2 to the last but 6, of which 16 bytes are read from one before.
        guard x >= 2 * 256, y >= 2 * 256, x <= Double((sampler.width - 7) * 256),
          y <= Double((sampler.height - 4) * 256)
        else { return false }
      }
    }
    return true
  }

  private func drawBlock(
    _ start: Int, _ row: Int, count: Int, fast: Bool, sums: UnsafeMutablePointer<Double>
  ) {
    let channels = sampler.channels
    let place = unsafe target + (row &* size.width &+ start) &* channels
    let y = Double(row) + 0.5
    let x = Double(start) + 0.5
    let squared = map.squaredScale(x: Double(start) + Double(count) / 2, y: y)
    if squared.across <= negligible && squared.down <= negligible {
      var points = map.row(x: x, y: y)
      if fast {
        unsafe withUnsafePointer(to: photo) { photo in unsafe flatbed_cubic_write(photo, &points, place) }
      } else {
        unsafe sampler.write(points, count: count, to: place)
      }
      return
    }
    let (across, down) = Spread.pair(SIMD2(squared.across, squared.down))
    let points = across.count * down.count
    let factor = 1 / (Double(points) * 4_194_304)
    unsafe withUnsafeTemporaryAllocation(of: flatbed_cubic_row.self, capacity: points) { rows in
      for line in 0..<down.count {
        let pointY = y + down.first + Double(line) * down.spacing
        for column in 0..<across.count {
          unsafe rows[line &* across.count &+ column] = map.row(
            x: x + across.first + Double(column) * across.spacing, y: pointY)
        }
      }
      guard let first = rows.baseAddress else { return }
      if fast {
        unsafe withUnsafePointer(to: photo) { photo in
          unsafe flatbed_cubic_mean(photo, first, points, factor, rounding, place)
        }
        return
      }
      unsafe sums.update(repeating: 0, count: 4 &* blockWidth)
      for row in 0..<points { unsafe sampler.add(rows[row], count: count, to: sums) }
      unsafe sampler.finish(sums, count: count, factor: factor, bias: rounding, to: place)
    }
  }
}
