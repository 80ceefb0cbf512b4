/// Inks to sRGB when there is no profile: each light is `(1 − ink) × (1 − black)`.
///
/// It is what PostScript's DeviceCMYK and most viewers do; brighter than print, with white and black in the right places.
enum InkFormula {
  @inline(__always)
  @unsafe static func mix<Sample: FixedWidthInteger>(
    _ input: UnsafePointer<Sample>, to output: UnsafeMutablePointer<UInt8>, pixels: Int,
    _ eightBits: (Sample) -> UInt8
  ) {
    for index in 0..<pixels {
      let light = unsafe 255 &- UInt32(eightBits(input[4 &* index &+ 3]))
      for channel in 0..<3 {
        let paper = unsafe 255 &- UInt32(eightBits(input[4 &* index &+ channel]))
        unsafe output[3 &* index &+ channel] = UInt8(truncatingIfNeeded: (paper &* light &+ 127) / 255)
      }
    }
  }
}
