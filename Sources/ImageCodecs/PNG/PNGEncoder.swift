private import CCodecShims
package import Raster

/// Writes a picture as PNG: 8-bit grey or RGB, marked as sRGB, with its resolution and nothing else of its history.
///
/// - Parameter resolution: written as pHYs, rounded to whole pixels per metre; left out when it isn't positive.
/// - Throws: `encodingFailed`, for want of memory.
package func encodePNG(_ raster: Raster, resolution: Resolution?) throws(CodecError) -> [UInt8] {
  var status = flatbed_status()
  var length = 0
  let perMetre = resolution.map { pixelsPerMetre($0) } ?? (0, 0)
  let encoded = unsafe raster.samples.withUnsafeBufferPointer { samples -> UnsafeMutablePointer<UInt8>? in
    guard let base = samples.baseAddress else { return nil }
    var picture = unsafe flatbed_png_picture(
      samples: base, width: raster.width, height: raster.height, channels: Int32(raster.format.channels),
      pixels_per_metre_x: perMetre.0, pixels_per_metre_y: perMetre.1)
    return unsafe flatbed_png_encode(&picture, &length, &status)
  }
  guard let encoded = unsafe encoded else { throw .encodingFailed(detail: messageText(status)) }
  defer { unsafe flatbed_png_free(encoded) }
  return unsafe Array(UnsafeBufferPointer(start: encoded, count: length))
}

private func pixelsPerMetre(_ resolution: Resolution) -> (UInt32, UInt32) {
  func convert(_ dotsPerInch: Double) -> UInt32 {
    let value = (dotsPerInch / Resolution.millimetresPerInch * 1000).rounded()
    return (1...Double(Int32.max)).contains(value) ? UInt32(value) : 0
  }
  return (convert(resolution.horizontal), convert(resolution.vertical))
}
