private import CSystemDeflate
private import Raster

/// Some rows of a picture, filtered and packed.
struct PackedStrip: Sendable {
  /// Whole bytes of a deflate stream, which go on from any other strip.
  let bytes: [UInt8]
  /// Of the filtered rows: their number of bytes and Adler-32.
  let count: Int
  let sum: UInt32
}

/// Bytes of filtered rows in a strip: few enough to stay in the cache with what they are packed to, and so many that a code of their own, a
/// hundred bytes, weighs nothing.
private let stripLength = 128 << 10

/// Packs a picture in strips, which depend on its size only, on all processors that are idle.
func packStrips(of content: PNGContent) -> [PackedStrip] {
  let rows = max(1, stripLength / (content.rowLength + 1))
  let strips = (content.height + rows - 1) / rows
  return mapInParallel(pieces: strips) { strip in
    let range = strip * rows..<min((strip + 1) * rows, content.height)
    let tried = content.filters.map { pack(range, of: content, filter: $0) }
    return tried.dropFirst().reduce(tried[0]) { $1.bytes.count < $0.bytes.count ? $1 : $0 }
  }
}

private func pack(_ rows: Range<Int>, of content: PNGContent, filter: RowFilter) -> PackedStrip {
  let length = content.rowLength
  let count = rows.count * (length + 1)
  // What is above the first row.
  let zeros = [UInt8](repeating: 0, count: rows.lowerBound == 0 ? length : 0)
  return unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count + StripDeflater.bound(count)) {
    memory in
    unsafe content.samples.withUnsafeBufferPointer { samples in
      unsafe zeros.withUnsafeBufferPointer { zeros in
        guard let filtered = memory.baseAddress, let samples = samples.baseAddress,
          let zeros = zeros.baseAddress
        else { return PackedStrip(bytes: [], count: 0, sum: 1) }
        for (index, row) in rows.enumerated() {
          let target = unsafe filtered + index * (length + 1)
          unsafe target.initialize(to: filter.rawValue)
          let here = unsafe samples + row * length
          unsafe filter.apply(
            here, above: row == 0 ? zeros : here - length, count: length, pixel: content.bytesPerPixel,
            to: target + 1)
        }
        let packed = unsafe filtered + count
        let written = unsafe StripDeflater.pack(
          filtered, count: count, isLast: rows.upperBound == content.height, to: packed)
        return unsafe PackedStrip(
          bytes: Array(UnsafeBufferPointer(start: packed, count: written)), count: count,
          sum: libdeflate_adler32(1, filtered, count))
      }
    }
  }
}
