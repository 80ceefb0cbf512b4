package import LoopbackServer
import PerspectiveCorrection
package import ScanLibrary
import Synchronization

/// Answers what the review's page asks: shows scans of a library and changes them, each change at once.
///
/// Every answer is made from the library as it is then; what is kept here besides is for undoing, and goes with the review. Changes name
/// what they have seen, and are refused when that isn't so any more, so that two tabs or a command beside don't overwrite
/// each other. May be asked from several threads.
package final class ReviewDesk: Sendable {
  let library: Library
  /// The scans in review, in the order in which they are shown.
  let scans: [ScanID]
  let photos: PhotoShelf
  let memory = Mutex(ReviewMemory())
  /// Stores the scans elsewhere when it is done, if they are only a draft.
  private let store: Store?
  private let isUnlocked: @Sendable () -> Bool
  private let presence = Mutex(Presence())

  package typealias Store = @Sendable () throws(LibraryError) -> Void

  /// Which tabs show the page.
  private struct Presence {
    var tabs: Set<String> = []
    var isDone = false
    var isLocked = false
  }

  /// - Parameters:
  ///   - store: stores the scans elsewhere when it is done, if they are only a draft until then; asked again after it has failed.
  ///   - isUnlocked: whether the library may still be read; asked before every answer.
  package init(
    library: Library, scans: [ScanID], store: Store? = nil,
    isUnlocked: @escaping @Sendable () -> Bool = { true }
  ) {
    self.store = store
    self.library = library
    self.scans = scans
    self.isUnlocked = isUnlocked
    photos = PhotoShelf(library: library)
  }

  /// Whether somebody said that it is done.
  package var isDone: Bool { presence.withLock { $0.isDone } }
  /// Whether the library was locked meanwhile.
  package var isLocked: Bool { presence.withLock { $0.isLocked } }
  /// Whether no tab shows the page at the moment.
  package var isDeserted: Bool { presence.withLock { $0.tabs.isEmpty } }

  /// The answer to a request that has been let in.
  package func respond(to request: LoopbackRequest) -> LoopbackResponse {
    guard isUnlocked() else {
      presence.withLock { $0.isLocked = true }
      photos.empty()
      return problem(.locked)
    }
    do throws(ReviewProblem) {
      switch (request.method, request.path) {
      case ("GET", "/api/scans"): return json(try listing())
      case ("GET", "/api/photo"): return try photo(request)
      case ("GET", "/api/flat"): return try flat(request)
      case ("GET", "/api/shape"): return json(try shape(request))
      case ("GET", "/api/guesses"): return json(try guesses(request))
      case ("POST", "/api/edit"): return json(try edit(request))
      case ("POST", "/api/arrive"): return noted(arrived: Self.tab(of: request))
      case ("POST", "/api/leave"): return noted(left: Self.tab(of: request))
      case ("POST", "/api/done"):
        try finish()
        return noted(isDone: true)
      default: throw .unknownAddress
      }
    } catch {
      return problem(error)
    }
  }

  /// Stores a draft: the page is told that it is done only when that is so.
  private func finish() throws(ReviewProblem) {
    do throws(LibraryError) {
      try store?()
    } catch {
      throw .library(error)
    }
  }

  private func noted(
    arrived: String? = nil, left: String? = nil, isDone: Bool = false
  ) -> LoopbackResponse {
    presence.withLock { presence in
      if let arrived { presence.tabs.insert(arrived) }
      if let left { presence.tabs.remove(left) }
      if isDone { presence.isDone = true }
    }
    return LoopbackResponse(status: 200, text: "")
  }

  /// A name that a tab gives itself; what is longer is cut.
  private static func tab(of request: LoopbackRequest) -> String {
    String(decoding: request.body.prefix(64), as: UTF8.self)
  }

  // MARK: What there is

  private func listing() throws(ReviewProblem) -> ReviewListing {
    var shown: [ScanState] = []
    for id in scans {
      do throws(LibraryError) {
        shown.append(state(of: try library.scan(id)))
      } catch .noSuchScan {
        // Deleted meanwhile.
      } catch {
        throw .library(error)
      }
    }
    return ReviewListing(scans: shown, isDraft: store != nil)
  }

  /// A scan as the page knows it; its pages are remembered, so that they can be brought back.
  func state(of scan: ScanRecord) -> ScanState {
    let papers = memory.withLock { memory in
      memory.note(scan)
      return memory.papers[scan.id] ?? [:]
    }
    return ScanState(scan, papers: papers)
  }

  /// The scan and page that a request names.
  func page(_ request: LoopbackRequest) throws(ReviewProblem) -> (ScanRecord, PageRecord) {
    guard let scan = request.query["scan"], let number = request.query["page"].flatMap({ Int($0) }) else {
      throw .badRequest("no page is named")
    }
    return try page(number, of: scan)
  }

  func page(_ number: Int, of scan: String) throws(ReviewProblem) -> (ScanRecord, PageRecord) {
    guard let id = ScanID(scan), scans.contains(id) else { throw .gone }
    do {
      let record = try library.scan(id)
      guard let page = record.page(number) else { throw ReviewProblem.changed(state(of: record)) }
      return (record, page)
    } catch let error as LibraryError {
      throw .library(error)
    } catch let error as ReviewProblem {
      throw error
    } catch {
      throw .picture("\(error)")
    }
  }
}

/// What the review remembers for undoing.
struct ReviewMemory: Sendable {
  /// How every page that was ever shown was made, by its number: numbers never stand for another content.
  private(set) var origins: [ScanID: [Int: PageOrigin]] = [:]
  /// The choice of paper with which pages were made, by their numbers, as far as it has been asked for.
  var papers: [ScanID: [Int: PaperChoice]] = [:]
  /// Pages that were removed, with all it takes to put them back.
  var removed: [ScanID: [Int: RemovedPage]] = [:]

  mutating func note(_ scan: ScanRecord) {
    for page in scan.pages { origins[scan.id, default: [:]][page.number] = page.origin }
  }
}
