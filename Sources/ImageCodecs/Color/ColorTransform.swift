private import CCodecShims

/// A LittleCMS transform to 8-bit sRGB: the only place that calls it.
///
/// Not shared between tasks: each decode makes its own.
@safe final class ColorTransform {
  /// Why no transform could be made.
  struct Failure: Error {
    /// LittleCMS's own words, or ours.
    var text: String
  }

  private let handle: OpaquePointer
  private let alpha: Bool

  /// Color samples of an input pixel, without alpha.
  let inputChannels: Int

  /// - Parameters:
  ///   - profile: any bytes.
  ///   - layout: how the picture's pixels are laid out; an alpha sample is skipped.
  init(profile: [UInt8], layout: SampleLayout, sixteenBits: Bool) throws(Failure) {
    guard profile.count <= Self.largestProfile else { throw Failure(text: "\(profile.count) bytes long") }
    var status = flatbed_status()
    let (channels, alpha) = Self.shape(of: layout)
    let made = unsafe profile.withUnsafeBufferPointer { bytes -> OpaquePointer? in
      guard let base = bytes.baseAddress else { return nil }
      return unsafe flatbed_lcms_create(base, bytes.count, channels, alpha, sixteenBits ? 1 : 0, &status)
    }
    guard let made = unsafe made else { throw Failure(text: messageText(status)) }
    unsafe handle = made
    self.alpha = alpha != 0
    inputChannels = unsafe Int(flatbed_lcms_input_channels(made))
  }

  /// - Precondition: the layout isn't CMYK, which has no primaries.
  init(calibration: Calibration, layout: SampleLayout, sixteenBits: Bool) throws(Failure) {
    precondition(layout != .cmyk, "inks have no primaries")
    var status = flatbed_status()
    let (channels, alpha) = Self.shape(of: layout)
    var values = flatbed_lcms_calibration()
    values.white = (calibration.white.x, calibration.white.y)
    values.red = (calibration.red.x, calibration.red.y)
    values.green = (calibration.green.x, calibration.green.y)
    values.blue = (calibration.blue.x, calibration.blue.y)
    switch calibration.transfer {
    case .power(let power): values.power = power
    // Y = (aX + b)^g from d on, else cX, as g, a, b, c, d.
    case .sRGB: values.parameters = (2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045)
    case .bt709: values.parameters = (1 / 0.45, 1 / 1.099, 0.099 / 1.099, 1 / 4.5, 0.081)
    }
    let made = unsafe flatbed_lcms_create_calibrated(&values, channels, alpha, sixteenBits ? 1 : 0, &status)
    guard let made = unsafe made else { throw Failure(text: messageText(status)) }
    unsafe handle = made
    self.alpha = alpha != 0
    inputChannels = unsafe Int(flatbed_lcms_input_channels(made))
  }

  deinit { unsafe flatbed_lcms_destroy(handle) }

  /// Converts pixels of the given layout and depth to three bytes each.
  ///
  /// - Precondition: both buffers are large enough for `pixels`; they may be the same when pixels have the same size.
  @unsafe func apply(_ input: UnsafeRawPointer, to output: UnsafeMutablePointer<UInt8>, pixels: Int) {
    unsafe flatbed_lcms_apply(handle, input, output, pixels)
  }

  /// Large press profiles have 3 MB; more is no profile.
  private static let largestProfile = 16 << 20

  private static func shape(of layout: SampleLayout) -> (channels: Int32, alpha: Int32) {
    (Int32(layout.hasAlpha ? layout.channels - 1 : layout.channels), layout.hasAlpha ? 1 : 0)
  }
}
