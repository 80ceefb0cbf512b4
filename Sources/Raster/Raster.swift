/// A picture in memory: rows from top to bottom, pixels from left to right, samples interleaved, no padding.
///
/// Samples are 8-bit sRGB. A raster always has at least one pixel.
package struct Raster: Sendable, Equatable {
  package let size: PixelSize
  package let format: PixelFormat
  /// `size.width × size.height × format.channels` samples.
  package private(set) var samples: [UInt8]

  package var width: Int { size.width }
  package var height: Int { size.height }
  /// Samples in a row.
  package var rowStride: Int { size.width * format.channels }

  /// Wraps samples that are already laid out as a raster's.
  ///
  /// - Precondition: both sides are positive and the number of samples fits them.
  package init(size: PixelSize, format: PixelFormat, samples: [UInt8]) {
    precondition(size.width > 0 && size.height > 0, "a raster has at least one pixel")
    precondition(
      samples.count == size.width * size.height * format.channels,
      "the number of samples doesn't fit the size")
    self.size = size
    self.format = format
    self.samples = samples
  }

  /// A picture of one colour.
  ///
  /// - Parameter sample: the value of every sample.
  package init(size: PixelSize, format: PixelFormat, filledWith sample: UInt8) {
    precondition(size.width > 0 && size.height > 0, "a raster has at least one pixel")
    self.size = size
    self.format = format
    samples = Array(repeating: sample, count: size.width * size.height * format.channels)
  }

  /// Makes a picture by having `fill` write each of its samples.
  ///
  /// The buffer is not initialised: `fill` writes every element, else the picture shows what was in memory before.
  package init<Failure: Error>(
    size: PixelSize, format: PixelFormat,
    filling fill: (inout UnsafeMutableBufferPointer<UInt8>) throws(Failure) -> Void
  ) throws(Failure) {
    precondition(size.width > 0 && size.height > 0, "a raster has at least one pixel")
    let count = size.width * size.height * format.channels
    self.size = size
    self.format = format
    // The standard initialiser rethrows untyped errors, so the typed one is carried around it.
    var failure: Failure?
    samples = unsafe Array(unsafeUninitializedCapacity: count) { buffer, initialized in
      do throws(Failure) {
        var whole = unsafe UnsafeMutableBufferPointer(rebasing: buffer[..<count])
        try unsafe fill(&whole)
        initialized = count
      } catch {
        failure = error
        initialized = 0
      }
    }
    if let failure { throw failure }
  }

  /// The samples of one pixel, left to right as the format says.
  ///
  /// For tests and single look-ups; loops over a picture read `samples`.
  package subscript(x x: Int, y y: Int) -> ArraySlice<UInt8> {
    precondition(x >= 0 && x < width && y >= 0 && y < height, "outside of the picture")
    let start = y * rowStride + x * format.channels
    return samples[start..<start + format.channels]
  }

  /// Lets `body` change samples in place.
  package mutating func withMutableSamples<Result>(
    _ body: (UnsafeMutableBufferPointer<UInt8>) throws -> Result
  ) rethrows -> Result {
    try unsafe samples.withUnsafeMutableBufferPointer { buffer in try unsafe body(buffer) }
  }
}
