import ImageCodecs
import Raster
import ScanLibrary
import ScanPipeline
private import Synchronization

/// Photos that were decoded last, so that dragging and zooming need not decode them again.
///
/// They are kept in memory only.
final class PhotoShelf: Sendable {
  /// Which picture of which photo; photos' numbers never stand for another content.
  private struct Key: Hashable {
    let scan: ScanID
    let photo: Int
    let frame: Int
  }

  private let library: Library
  private let held = Mutex<[(key: Key, image: DecodedImage)]>([])

  /// Samples that may be held besides the photo in use: two of 48 megapixels in colour.
  private static let greatestSamples = 300_000_000

  init(library: Library) { self.library = library }

  /// The photo that a page comes from, at full size.
  ///
  /// Others wait meanwhile, so that no photo is decoded twice at the same time.
  func image(of page: PageRecord, of scan: ScanRecord) throws(ReviewProblem) -> DecodedImage {
    let key = Key(scan: scan.id, photo: page.origin.photo, frame: page.origin.frame)
    do {
      return try held.withLock { held in
        if let index = held.firstIndex(where: { $0.key == key }) {
          held.append(held.remove(at: index))
          return held[held.count - 1].image
        }
        let image = try decodedPhoto(of: page, of: scan, in: library)
        held.append((key, image))
        while held.count > 1, held.reduce(0, { $0 + $1.image.raster.samples.count }) > Self.greatestSamples {
          held.removeFirst()
        }
        return image
      }
    } catch let error as LibraryError {
      throw .library(error)
    } catch {
      throw .picture("\(error)")
    }
  }

  /// Lets all photos go.
  func empty() { held.withLock { $0 = [] } }
}
