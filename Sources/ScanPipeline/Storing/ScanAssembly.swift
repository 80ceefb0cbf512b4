import Enhancement
import ImageCodecs
import PerspectiveCorrection
import Raster
import ScanLibrary

/// A page as it will be stored.
struct EncodedPage: Sendable {
  let png: [UInt8]
  let origin: OutlineOrigin
  let quad: Quad?
  let confidence: Double?
  let reasons: [String]
  let otherSheets: Int
  let paper: String?
  let warnings: [DecodeWarning]

  init(png: [UInt8], page: PreparedPage, warnings: [DecodeWarning]) {
    self.png = png
    origin = page.origin
    quad = page.quad
    confidence = page.confidence
    reasons = page.reasons
    otherSheets = page.otherSheets
    paper = page.paper?.rawValue
    self.warnings = warnings
  }
}

/// A unit whose page, if it has one, has been made.
struct PreparedUnit: Sendable {
  let unit: PageUnit
  let page: Result<EncodedPage, any Error>?
}

/// Puts pages, as they come in order, into scans.
struct ScanAssembly {
  private let library: Library
  private let jobs: [ScanJob]
  private let options: ScanOptions
  private let target: (scan: ScanID, position: Int?)?
  private let report: (ScanEvent) -> Void

  private var job = 0
  private var pending: PendingScan?
  private var photo: PhotoInProgress?
  /// The first photo of the job that is stored.
  private var firstStored: PhotoFile?
  private(set) var lastScan: ScanRecord?

  private struct PhotoInProgress {
    let number: Int
    var pages: [StoredPage] = []
    var warnings: [DecodeWarning] = []
    var failure: (any Error & CustomStringConvertible)?
  }

  /// - Parameter target: a scan that all pages are added to, instead of a new one for each job.
  init(
    library: Library, jobs: [ScanJob], options: ScanOptions,
    target: (scan: ScanID, position: Int?)? = nil, report: @escaping (ScanEvent) -> Void
  ) {
    self.library = library
    self.jobs = jobs
    self.options = options
    self.target = target
    self.report = report
  }

  /// Stores the photo of the next unit, whose page is still being made.
  ///
  /// If that fails, the photo is taken out again.
  /// - Throws: `LibraryError` when it can't be stored.
  mutating func begin(_ unit: PageUnit) throws {
    while job < unit.job { try endJob() }
    guard case .page(let opened, frame: 0) = unit.content else { return }
    let scan = try pending ?? library.beginScan()
    pending = scan
    photo = PhotoInProgress(
      number: try scan.addPhoto(
        opened.bytes, name: opened.file.name, format: opened.source.format.rawValue,
        fileExtension: opened.source.format.fileExtension),
      warnings: opened.source.warnings)
  }

  /// Takes the page of the unit that was begun.
  ///
  /// - Throws: `LibraryError` when it can't be stored.
  mutating func add(_ prepared: PreparedUnit) throws {
    let unit = prepared.unit
    switch unit.content {
    case .duplicate(let file, let duplicate):
      report(.photo(.duplicate(file, of: duplicate)))
    case .failed(let file, let error):
      report(.photo(.failed(file, try inputError(error))))
    case .page(let opened, let frame):
      if let page = prepared.page { try add(page, frame: frame) }
      if unit.endsPhoto { try endPhoto(opened.file) }
    }
  }

  /// Ends the jobs that are left.
  ///
  /// - Throws: `LibraryError` when a scan can't be stored.
  mutating func finish() throws {
    while job < jobs.count { try endJob() }
  }

  private mutating func add(_ page: Result<EncodedPage, any Error>, frame: Int) throws {
    guard var current = photo, let pending, current.failure == nil else { return }
    defer { photo = current }
    switch page {
    case .failure(let error):
      current.failure = try inputError(error)
    case .success(let page):
      _ = try pending.addPage(
        png: page.png,
        origin: PageOrigin(
          photo: current.number, frame: frame, quad: page.quad, found: page.origin.rawValue,
          confidence: page.confidence, reasons: page.reasons, paper: page.paper))
      current.pages.append(
        StoredPage(
          origin: page.origin, confidence: page.confidence, reasons: page.reasons,
          otherSheets: page.otherSheets))
      current.warnings += page.warnings
    }
  }

  private mutating func endPhoto(_ file: PhotoFile) throws {
    guard let done = photo else { return }
    photo = nil
    if let failure = done.failure {
      try pending?.removeLastPhoto(done.number)
      report(.photo(.failed(file, failure)))
    } else {
      firstStored = firstStored ?? file
      report(.photo(.stored(file, pages: done.pages, warnings: done.warnings)))
    }
  }

  private mutating func endJob() throws {
    defer {
      job += 1
      pending = nil
      firstStored = nil
    }
    guard let pending, pending.pageCount > 0 else {
      report(.nothing(jobs[job]))
      return
    }
    let record: ScanRecord
    if let target {
      record = try pending.append(to: target.scan, at: target.position)
    } else {
      let name = jobs[job].isNamedAfterPhoto ? firstStored?.stem : nil
      record = try pending.commit(
        title: name ?? jobs[job].title, mode: options.mode, amount: options.amount,
        enhancement: enhancementAlgorithmVersion)
    }
    lastScan = record
    report(.scan(record))
  }

  /// The error as one of the photo's own; what concerns the library ends the whole run.
  private func inputError(_ error: any Error) throws -> any Error & CustomStringConvertible {
    if let error = error as? LibraryError { throw error }
    guard let own = error as? any Error & CustomStringConvertible else { throw error }
    return own
  }
}

extension ImageFormat {
  /// What a stored photo's name ends in.
  var fileExtension: String {
    switch self {
    case .jpeg: "jpg"
    case .png: "png"
    case .tiff: "tif"
    case .heif: "heic"
    }
  }
}
