import ImageCodecs
import Raster
import ScanLibrary

/// One page to be made, or a photo that makes none.
struct PageUnit: Sendable {
  enum Content: Sendable {
    case page(OpenedPhoto, frame: Int)
    case duplicate(PhotoFile, of: Duplicate)
    case failed(PhotoFile, any Error)
  }

  /// The place of its job.
  let job: Int
  /// The place of its photo in the job.
  let photo: Int
  /// Whether this is the last unit of its photo.
  let endsPhoto: Bool
  let content: Content

  /// What it takes to make the page, in bytes.
  var memory: Int {
    guard case .page(let photo, let frame) = content else { return 0 }
    return photo.bytes.count + (photo.source.frameSizes[frame].pixelCount ?? 0) * Self.bytesPerPixel
  }

  /// Three for the photo, three for the flat page, up to six for the PNG and for rows and maps in between.
  private static let bytesPerPixel = 12
}

/// The pages of all photos of all jobs, in order.
///
/// A photo is read when its turn comes, so that no more of them are in memory than are worked on.
struct PageUnits: Sequence, IteratorProtocol {
  private let jobs: [ScanJob]
  private let options: DecodeOptions
  private var index: PhotoIndex?
  private var job = 0
  private var photo = 0
  private var opened: (photo: OpenedPhoto, nextFrame: Int)?

  init(jobs: [ScanJob], options: DecodeOptions, index: PhotoIndex?) {
    self.jobs = jobs
    self.options = options
    self.index = index
  }

  mutating func next() -> PageUnit? {
    if let (photo, frame) = opened { return pageUnit(photo, frame: frame) }
    while job < jobs.count, photo >= jobs[job].photos.count {
      job += 1
      photo = 0
    }
    guard job < jobs.count else { return nil }
    let file = jobs[job].photos[photo]
    do {
      let photo = try OpenedPhoto(file, options: options)
      if let duplicate = try index?.note(photo) {
        return endOfPhoto(.duplicate(file, of: duplicate))
      }
      return pageUnit(photo, frame: 0)
    } catch {
      return endOfPhoto(.failed(file, error))
    }
  }

  private mutating func pageUnit(_ photo: OpenedPhoto, frame: Int) -> PageUnit {
    if frame + 1 == photo.source.frameCount {
      return endOfPhoto(.page(photo, frame: frame))
    }
    opened = (photo, frame + 1)
    return PageUnit(
      job: job, photo: self.photo, endsPhoto: false, content: .page(photo, frame: frame))
  }

  private mutating func endOfPhoto(_ content: PageUnit.Content) -> PageUnit {
    defer {
      photo += 1
      opened = nil
    }
    return PageUnit(job: job, photo: photo, endsPhoto: true, content: content)
  }
}

/// Tells which photos are there already, by their bytes.
struct PhotoIndex {
  private let library: Library
  private var given: [ContentHash: PhotoFile] = [:]

  init(library: Library) { self.library = library }

  /// Where the same bytes are; `nil` for a new photo, which is then known.
  ///
  /// - Throws: `LibraryError` when the library can't be read.
  mutating func note(_ photo: OpenedPhoto) throws -> Duplicate? {
    let hash = ContentHash(of: photo.bytes)
    if let before = given[hash] { return .givenBefore(before) }
    if let (scan, _) = try library.scan(holdingPhoto: hash) { return .inLibrary(scan.summary) }
    given[hash] = photo.file
    return nil
  }
}
