private import Glibc
import Raster

extension StoredPicture {
  /// Makes sRGB of CIE L*a*b* samples with a D50 white, keeping their depth.
  ///
  /// - Parameter isICC: a and b are stored with an offset, as ICC profiles have them; TIFF's own are signed.
  mutating func convertFromLab(isICC: Bool) {
    let channels = layout.channels
    switch samples {
    case .eight(var bytes):
      samples = .eight([])
      for start in stride(from: 0, to: bytes.count, by: channels) {
        let lightness = Double(bytes[start]) * 100 / 255
        func chroma(_ byte: UInt8) -> Double {
          isICC ? Double(byte) - 128 : Double(Int8(bitPattern: byte))
        }
        let color = Self.linearRGB(lightness, chroma(bytes[start + 1]), chroma(bytes[start + 2]))
        for index in 0..<3 { bytes[start + index] = UInt8(Self.encode(color[index]) * 255 + 0.5) }
      }
      samples = .eight(bytes)
    case .sixteen(var words):
      samples = .eight([])
      for start in stride(from: 0, to: words.count, by: channels) {
        // ICC's 16-bit encoding ends at 65280, TIFF's at 65535.
        let lightness = min(Double(words[start]) * 100 / (isICC ? 65280 : 65535), 100)
        func chroma(_ word: UInt16) -> Double {
          isICC ? Double(word) / 256 - 128 : Double(Int16(bitPattern: word)) / 256
        }
        let color = Self.linearRGB(lightness, chroma(words[start + 1]), chroma(words[start + 2]))
        for index in 0..<3 { words[start + index] = UInt16(Self.encode(color[index]) * 65535 + 0.5) }
      }
      samples = .sixteen(words)
    }
  }

  /// CIE 15:2004 from Lab to XYZ, then Bradford-adapted D50 to linear sRGB (Lindbloom's matrix).
  private static func linearRGB(_ lightness: Double, _ a: Double, _ b: Double) -> [3 of Double] {
    func inverse(_ t: Double) -> Double {
      t > 6.0 / 29 ? t * t * t : 3 * (6.0 / 29) * (6.0 / 29) * (t - 4.0 / 29)
    }
    let level = (lightness + 16) / 116
    let x = 0.96422 * inverse(level + a / 500)
    let y = inverse(level)
    let z = 0.82521 * inverse(level - b / 200)
    return [
      3.1338561 * x - 1.6168667 * y - 0.4906146 * z,
      -0.9787684 * x + 1.9161415 * y + 0.0334540 * z,
      0.0719453 * x - 0.2289914 * y + 1.4052427 * z,
    ]
  }

  /// IEC 61966-2-1, with colors outside of the gamut clipped.
  private static func encode(_ light: Double) -> Double {
    let clipped = min(max(light, 0), 1)
    return clipped <= 0.0031308 ? 12.92 * clipped : 1.055 * pow(clipped, 1 / 2.4) - 0.055
  }
}
