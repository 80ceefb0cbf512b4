package import Enhancement
private import ImageCodecs
package import Raster
package import ScanLibrary

/// How a page is to look, where the caller wants it otherwise than its record says.
package struct LookOverride: Sendable, Hashable {
  package var mode: EnhancementMode?
  package var amount: Double?

  package init(mode: EnhancementMode? = nil, amount: Double? = nil) {
    self.mode = mode
    self.amount = amount
  }
}

/// A page as it leaves the library: enhanced, and turned for reading.
package struct RenderedPage: Sendable {
  package let raster: Raster
  package let resolution: Resolution?
}

/// A record asks for a mode that this version doesn't have.
package struct UnknownModeError: Error, CustomStringConvertible {
  package let mode: String

  package var description: String {
    "its mode is “\(mode)”, which this version of Flatbed doesn't know"
  }
}

/// The mode of a page: its own, or else the scan's.
///
/// - Throws: `UnknownModeError` when a newer Flatbed wrote it.
package func enhancementMode(
  of page: PageRecord, in scan: ScanRecord
) throws(UnknownModeError) -> EnhancementMode {
  let name = page.look.mode ?? scan.mode
  guard let mode = EnhancementMode(rawValue: name) else { throw UnknownModeError(mode: name) }
  return mode
}

/// The amount of a page: its own where it has its own mode or amount, or else the scan's.
package func enhancementAmount(of page: PageRecord, in scan: ScanRecord) -> Double {
  page.look.amount ?? (page.look.mode == nil ? scan.amount : nil) ?? defaultEnhancementAmount
}

/// The amount that is used when nobody names one.
package let defaultEnhancementAmount = 1.0

/// Makes a page as it is to be seen, always afresh from the flat page that is stored.
///
/// - Throws: `LibraryError`, `CodecError` or `UnknownModeError`.
package func renderPage(
  _ page: PageRecord, of scan: ScanRecord, in library: Library, override: LookOverride = LookOverride()
) throws -> RenderedPage {
  let mode = try override.mode ?? enhancementMode(of: page, in: scan)
  let amount =
    override.amount
    ?? (override.mode == nil ? enhancementAmount(of: page, in: scan) : defaultEnhancementAmount)
  let png = try library.pageBytes(scan, page: page.number)
  // What the library holds has passed the limits when it came in.
  let stored = try ImageSource(bytes: png, options: DecodeOptions(maximumPixels: .max)).decode()
  let look = enhance(stored.raster, mode: mode, amount: amount)
  let turn = page.look.turn
  return RenderedPage(
    raster: look.turned(turn),
    resolution: turn.swapsAxes ? stored.resolution?.transposed : stored.resolution)
}
