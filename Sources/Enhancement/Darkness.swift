internal import Raster

// How far a sample is below paper once the light is divided out, in eighths of a level: 0 is paper, 2040 black, less than 0 brighter than
// paper. With eighths, everything fits 16 bits, sums of nine included.

/// Black: the darkness of a sample of 0 where paper is at 255.
let blackest: Int16 = 2040
/// 8 · (255 + 14): what paper comes to when its gain is right.
private let paperLevel: Int16 = 2152
/// Nothing counts as brighter than 128 levels above paper.
private let brightest: Int16 = -1024

/// The upper half of a product: how much `share` 65536ths of a value are.
@inline(__always)
func part(_ value: Int16, _ share: Int16) -> Int16 {
  Int16(truncatingIfNeeded: (Int32(value) &* Int32(share)) &>> 16)
}

@inline(__always)
func darkness(_ sample: UInt8, _ gain: UInt16) -> Int16 {
  // (sample + 14) · 2⁷ · gain · 2¹² / 2¹⁶: eight times the sample as it would be in full light.
  let raised = (UInt16(sample) &+ 14) &<< 7
  let lit = UInt16(truncatingIfNeeded: (UInt32(raised) &* UInt32(gain)) &>> 16)
  return max(brightest, paperLevel &- Int16(bitPattern: lit))
}

/// One number for how much ink there is in a pixel, colours included: two parts luma, one part the darkest channel.
///
/// By luma alone yellow and light blue pens are next to nothing.
@inline(__always)
func inkiness(_ red: Int16, _ green: Int16, _ blue: Int16) -> Int16 {
  let darkest = max(red, green, blue)
  // Shares of 2¹⁴, since the values are multiplied by four to lose less: 2/3 of 0.299, 0.587 and 0.114, and 1/3.
  return part(red &<< 2, 3292) &+ part(green &<< 2, 6412) &+ part(blue &<< 2, 1240)
    &+ part(darkest &<< 2, 5440)
}

/// The darkness of all samples of a row.
func readDarkness(
  _ samples: UnsafePointer<UInt8>, count: Int, under gains: GainRows, to output: UnsafeMutablePointer<Int16>
) {
  let share = gains.share
  unsafe gains.upper.withUnsafeBufferPointer { upper in
    unsafe gains.difference.withUnsafeBufferPointer { difference in
      for index in 0..<count {
        let step = unsafe part(difference[index], share)
        let gain = unsafe upper[index] &+ UInt16(bitPattern: step)
        unsafe output[index] = darkness(samples[index], gain)
      }
    }
  }
}

/// The inkiness of all pixels of a row of colours.
///
/// - Parameter scratch: as many as there are samples.
func readInkiness(
  _ dark: UnsafePointer<Int16>, width: Int, scratch: UnsafeMutablePointer<Int16>,
  to output: UnsafeMutablePointer<Int16>
) {
  // For every sample as if it were a red one: three times the work, yet much less time than picking colours apart.
  for index in 0..<3 &* width &- 2 {
    unsafe scratch[index] = inkiness(dark[index], dark[index &+ 1], dark[index &+ 2])
  }
  for x in 0..<width { unsafe output[x] = scratch[3 &* x] }
}
