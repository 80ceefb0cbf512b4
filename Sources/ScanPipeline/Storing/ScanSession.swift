package import ImageCodecs
package import ScanLibrary

private import Enhancement
private import Raster

/// How photos become scans of a library.
package struct ScanOptions: Sendable {
  package var reading: DecodeOptions
  package var page: PageOptions
  /// Mode and amount of the new scans; the library doesn't interpret them.
  package var mode: String
  package var amount: Double?
  /// Take photos that the library holds already, too.
  package var again: Bool
  /// A photo without a page is a fault.
  package var isStrict: Bool

  package init(
    reading: DecodeOptions, page: PageOptions, mode: String, amount: Double?, again: Bool,
    isStrict: Bool
  ) {
    self.reading = reading
    self.page = page
    self.mode = mode
    self.amount = amount
    self.again = again
    self.isStrict = isStrict
  }
}

/// A photo's way into the library ended here.
package enum PhotoOutcome: Sendable {
  /// It is stored, and these are its pages.
  case stored(PhotoFile, pages: [StoredPage], warnings: [DecodeWarning])
  /// The library, or an earlier photo of this run, has the same bytes.
  case duplicate(PhotoFile, of: Duplicate)
  /// It can't be read, or has no page under `isStrict`.
  case failed(PhotoFile, any Error & CustomStringConvertible)
}

/// A page on its way into the library, without its pixels.
package struct StoredPage: Sendable {
  package var origin: OutlineOrigin
  package var confidence: Double?
  package var reasons: [String]
  /// How many other sheets the detector saw beside the page.
  package var otherSheets: Int
}

/// Where the same photo is already.
package enum Duplicate: Sendable, Hashable {
  case inLibrary(ScanSummary)
  case givenBefore(PhotoFile)
}

/// A photo in which no page was found although one was demanded.
package struct NoPageError: Error, CustomStringConvertible {
  package let reasons: [String]

  package var description: String { "no page found: \(reasons.joined(separator: "; "))" }
}

/// What becomes known while photos are scanned, in the order of the photos.
package enum ScanEvent: Sendable {
  case photo(PhotoOutcome)
  /// All photos of a job are done, and those that could be used are this scan.
  case scan(ScanRecord)
  /// All photos of a job are done, and none could be used.
  case nothing(ScanJob)
}

/// Scans photos into a library, a scan for each job.
///
/// Pages are prepared on all processors, within `limits`; they are stored in order. A photo is in its scan with all of its pages or not
/// at all, and a scan in the library whole or not at all: scans that are told of by `report` stay, whatever happens after.
/// - Parameter known: a library whose photos are passed over, when it is another one.
/// - Throws: `LibraryError` when the library can't be written, `CancellationError`.
package func scan(
  _ jobs: [ScanJob], into library: Library, passingOver known: Library? = nil, options: ScanOptions,
  limits: WorkLimits,
  report: @escaping (ScanEvent) -> Void
) async throws {
  let index = options.again ? nil : PhotoIndex(library: known ?? library)
  let units = PageUnits(jobs: jobs, options: options.reading, index: index)
  var assembly = ScanAssembly(library: library, jobs: jobs, options: options, report: report)
  try await inOrder(units, limits: limits, weight: \.memory) { unit in
    preparedUnit(unit, options: options)
  } prepare: { unit in
    try assembly.begin(unit)
  } consume: { prepared in
    try assembly.add(prepared)
  }
  try assembly.finish()
}

/// Scans photos to the end of a scan that is there, or to the place `position` in it, counted from 0.
///
/// - Returns: the scan as it is now, or `nil` when no photo could be used.
/// - Throws: `LibraryError` when the library can't be written, `CancellationError`.
package func append(
  _ photos: [PhotoFile], to target: ScanID, at position: Int?, in library: Library,
  options: ScanOptions, limits: WorkLimits, report: @escaping (ScanEvent) -> Void
) async throws -> ScanRecord? {
  let index = options.again ? nil : PhotoIndex(library: library)
  let job = ScanJob(title: "", photos: photos)
  let units = PageUnits(jobs: [job], options: options.reading, index: index)
  var assembly = ScanAssembly(
    library: library, jobs: [job], options: options, target: (target, position), report: report)
  try await inOrder(units, limits: limits, weight: \.memory) { unit in
    preparedUnit(unit, options: options)
  } prepare: { unit in
    try assembly.begin(unit)
  } consume: { prepared in
    try assembly.add(prepared)
  }
  try assembly.finish()
  return assembly.lastScan
}

/// The part of the work that is done on any processor.
private func preparedUnit(_ unit: PageUnit, options: ScanOptions) -> PreparedUnit {
  guard case .page(let photo, let frame) = unit.content else {
    return PreparedUnit(unit: unit, page: nil)
  }
  let result = Result<EncodedPage, any Error> {
    let (page, warnings) = try preparedPage(photo, frame: frame, options: options)
    let png = try encodePNG(page.raster, resolution: page.resolution)
    return EncodedPage(png: png, page: page, warnings: warnings)
  }
  return PreparedUnit(unit: unit, page: result)
}

/// The flat page; the photo's pixels, which nobody needs any more, are gone when it returns.
private func preparedPage(
  _ photo: OpenedPhoto, frame: Int, options: ScanOptions
) throws -> (PreparedPage, [DecodeWarning]) {
  let image = try photo.source.decode(frame: frame)
  let page = try makePage(from: image, options: options.page)
  if options.isStrict, page.origin == .notFound { throw NoPageError(reasons: page.reasons) }
  return (page, image.warnings)
}
