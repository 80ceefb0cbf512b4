private import CPNGKernels
private import CSystemDeflate
import Raster

extension OwnPNG {
  /// The samples, one or three for each pixel; `nil` when the packed rows aren't exactly those of the picture.
  ///
  /// - Parameter bytes: those that it was made of.
  /// - Throws: `outOfMemory`.
  package func samples(from bytes: [UInt8]) throws(CodecError) -> [UInt8]? {
    let stride = size.width * channels
    let count = (stride + 1).multipliedReportingOverflow(by: size.height)
    guard !count.overflow else { throw .outOfMemory(size) }
    let packed = pieces.reduce(0) { $0 + $1.count }
    try checkMemory(bytes: count.partialValue + packed + rowEnd, for: size)
    guard var samples = inflate(bytes, to: count.partialValue), undoFilters(&samples, stride: stride) else {
      return nil
    }
    samples.removeLast(samples.count - stride * size.height)
    guard let palette else { return samples }
    return Self.colors(of: samples, in: palette)
  }

  /// Unpacks the rows; behind them is room for the three bytes that are read beyond the last.
  private func inflate(_ bytes: [UInt8], to count: Int) -> [UInt8]? {
    guard let first = pieces.first else { return nil }
    let packed =
      pieces.count == 1 ? bytes[first] : Array(pieces.map { bytes[$0] }.joined())[...]
    guard let decompressor = unsafe libdeflate_alloc_decompressor() else { return nil }
    defer { unsafe libdeflate_free_decompressor(decompressor) }
    var isWhole = false
    let filtered = unsafe [UInt8](unsafeUninitializedCapacity: count + rowEnd) { output, initialized in
      unsafe packed.withUnsafeBytes { input in
        var (read, written) = (0, 0)
        let result = unsafe libdeflate_zlib_decompress_ex(
          decompressor, input.baseAddress, input.count, output.baseAddress, count, &read, &written)
        isWhole = result == LIBDEFLATE_SUCCESS && read == input.count && written == count
      }
      guard isWhole else { return }
      for place in count..<count + rowEnd { unsafe output[place] = 0 }
      initialized = count + rowEnd
    }
    return isWhole ? filtered : nil
  }

  /// Undoes the filters, and moves the rows together, without the bytes that tell the filters.
  ///
  /// - Returns: whether each row has a filter that there is.
  private func undoFilters(_ rows: inout [UInt8], stride: Int) -> Bool {
    let height = size.height
    // Some rows as they come out; their place still holds others.
    var fresh = [UInt8](repeating: 0, count: Int(flatbed_paeth_rows) * stride)
    let nothing = [UInt8](repeating: 0, count: stride + rowEnd)
    var row = 0
    unsafe nothing.withUnsafeBufferPointer { nothing in
      unsafe fresh.withUnsafeMutableBufferPointer { fresh in
        unsafe rows.withUnsafeMutableBufferPointer { rows in
          guard let start = rows.baseAddress, let zeros = nothing.baseAddress, let made = fresh.baseAddress
          else {
            return
          }
          while row < height {
            let here = unsafe UnsafePointer(start + row * (stride + 1))
            let above = unsafe row == 0 ? zeros : UnsafePointer(start + (row - 1) * stride)
            guard let filter = unsafe RowFilter(rawValue: here[0]) else { return }
            var count = 1
            while unsafe count < flatbed_paeth_rows && row + count < height
              && here[count * (stride + 1)] == here[0]
            { count += 1 }
            if filter == .paeth && count == flatbed_paeth_rows {
              unsafe flatbed_undo_paeth(here + 1, stride + 1, above, size.width, Int32(channels), made)
            } else {
              count = 1
              unsafe filter.undo(here + 1, above: above, count: stride, pixel: channels, to: made)
            }
            unsafe (start + row * stride).update(from: made, count: count * stride)
            row += count
          }
        }
      }
    }
    return row == height
  }

  /// Colours for their numbers; `nil` when there is a number without one.
  private static func colors(of numbers: [UInt8], in palette: [UInt8]) -> [UInt8]? {
    guard let highest = numbers.max(), 3 * (Int(highest) + 1) <= palette.count else { return nil }
    return unsafe [UInt8](unsafeUninitializedCapacity: 3 * numbers.count) { output, initialized in
      unsafe numbers.withUnsafeBufferPointer { numbers in
        unsafe palette.withUnsafeBufferPointer { palette in
          for index in 0..<numbers.count {
            let color = unsafe 3 &* Int(numbers[index])
            unsafe output[3 &* index] = palette[color]
            unsafe output[3 &* index &+ 1] = palette[color &+ 1]
            unsafe output[3 &* index &+ 2] = palette[color &+ 2]
          }
        }
      }
      initialized = 3 * numbers.count
    }
  }
}

/// What may be read beyond the end of a row.
private let rowEnd = 3
