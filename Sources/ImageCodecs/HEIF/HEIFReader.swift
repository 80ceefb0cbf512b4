internal import CCodecShims

/// libheif's handle on a file in memory: the only place that calls it.
///
/// It borrows the bytes, so it lives inside of a `withUnsafeBytes`.
@safe struct HEIFReader: ~Copyable {
  private let handle: OpaquePointer

  /// The samples of a decoded picture: RGB or RGBA, rows without padding.
  struct Pixels {
    var width: Int
    var height: Int
    /// Samples deeper than 8 bits are stretched to 0…65535.
    var samples: StoredSamples
  }

  /// Opens the file (`heif_context_read_from_memory_without_copy`) and selects its primary picture.
  init(bytes: UnsafeRawBufferPointer) throws(CodecError) {
    var status = flatbed_status()
    let start = unsafe bytes.bindMemory(to: UInt8.self).baseAddress
    guard let start = unsafe start, let handle = unsafe flatbed_heif_open(start, bytes.count, &status) else {
      throw Self.error(status)
    }
    unsafe self.handle = handle
  }

  deinit { unsafe flatbed_heif_close(handle) }

  /// What the header says about the selected picture.
  var info: flatbed_heif_info {
    var info = flatbed_heif_info()
    unsafe flatbed_heif_read_info(handle, &info)
    return info
  }

  /// Selects another item, a tile for example (`heif_context_get_image_handle`).
  mutating func select(item: Int) throws(CodecError) {
    var status = flatbed_status()
    guard unsafe flatbed_heif_select(handle, UInt32(truncatingIfNeeded: item), &status) else {
      throw Self.error(status)
    }
  }

  /// The embedded ICC profile (`heif_image_handle_get_raw_color_profile`).
  func icc() -> [UInt8]? {
    unsafe copy(info.icc_size) { unsafe flatbed_heif_copy_icc(handle, $0) }
  }

  /// The EXIF block, from its TIFF header on (`heif_image_handle_get_metadata`).
  func exif() -> ArraySlice<UInt8>? {
    guard let item = unsafe copy(info.exif_size, with: { unsafe flatbed_heif_copy_exif(handle, $0) }),
      item.count > 4
    else { return nil }
    // ISO/IEC 23008-12, A.2.1: the item begins with the offset of the TIFF header.
    let offset = item.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    return offset <= item.count - 4 ? item[(4 + offset)...] : item[4...]
  }

  private func copy(_ count: Int, with fill: (UnsafeMutablePointer<UInt8>) -> Bool) -> [UInt8]? {
    guard count > 0 else { return nil }
    var isFilled = false
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      guard let start = buffer.baseAddress else { return }
      isFilled = unsafe fill(start)
      initialized = isFilled ? count : 0
    }
    return isFilled ? bytes : nil
  }

  /// Decodes the selected picture (`heif_decode_image`).
  ///
  /// - Parameters:
  ///   - isDeep: whether samples come out with 16 bits.
  ///   - isRaw: leaves out the container's rotation, mirroring and cropping.
  ///   - sideLimit: the side from which on libheif refuses to allocate, in pixels.
  mutating func decode(
    withAlpha: Bool, isDeep: Bool, isRaw: Bool = false, sideLimit: Int
  ) throws(CodecError) -> Pixels {
    var status = flatbed_status()
    var pixels = unsafe flatbed_heif_pixels()
    guard
      unsafe flatbed_heif_decode(
        handle, withAlpha, isDeep, isRaw, Int32(clamping: sideLimit), &pixels, &status),
      let start = unsafe pixels.samples
    else { throw Self.error(status) }
    let (width, height) = (Int(unsafe pixels.width), Int(unsafe pixels.height))
    let (stride, bits) = (unsafe pixels.stride, Int(unsafe pixels.bits))
    let row = width * (withAlpha ? 4 : 3)
    let samples: StoredSamples
    if isDeep {
      guard (8...16).contains(bits) else { throw .damaged(.heif, detail: "\(bits) bits per sample") }
      let largest = (UInt32(1) << UInt32(bits)) - 1
      samples = .sixteen(
        unsafe [UInt16](unsafeUninitializedCapacity: row * height) { output, initialized in
          for y in 0..<height {
            let line = unsafe UnsafeRawPointer(start + y * stride)
            for x in 0..<row {
              let value = unsafe UInt32(line.loadUnaligned(fromByteOffset: 2 &* x, as: UInt16.self))
              unsafe output[y &* row &+ x] = UInt16(
                truncatingIfNeeded: (min(value, largest) &* 65535 &+ largest / 2) / largest)
            }
          }
          initialized = row * height
        })
    } else {
      samples = .eight(
        unsafe [UInt8](unsafeUninitializedCapacity: row * height) { output, initialized in
          guard let target = output.baseAddress else { return }
          for y in 0..<height { unsafe (target + y * row).update(from: start + y * stride, count: row) }
          initialized = row * height
        })
    }
    return Pixels(width: width, height: height, samples: samples)
  }

  private static func error(_ status: flatbed_status) -> CodecError {
    let detail = messageText(status)
    return switch Int(status.code) {
    case flatbed_heif_unsupported: .unsupported(.heif, variant: "a HEIC of another kind (\(detail))")
    case flatbed_heif_too_large: .tooComplex(.heif, detail: detail)
    default: .damaged(.heif, detail: detail)
    }
  }
}
