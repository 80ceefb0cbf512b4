import Enhancement
import FoundationEssentials
import ImageCodecs
import LoopbackServer
import PerspectiveCorrection
import Raster
import ScanLibrary
import ScanPipeline
import Synchronization

extension ReviewDesk {
  /// In bytes, as for `flatbed rename`.
  private static let longestTitle = 1000
  /// Bytes of removed pages that are kept for putting back.
  private static let greatestRemoved = 512 << 20

  /// Makes a change, and tells how the scan is then.
  func edit(_ request: LoopbackRequest) throws(ReviewProblem) -> EditAnswer {
    let edit: ReviewEdit
    do {
      edit = try JSONDecoder().decode(ReviewEdit.self, from: Data(request.body))
    } catch {
      throw .badRequest("it is no change")
    }
    guard let id = ScanID(edit.scan), scans.contains(id) else { throw .gone }
    do {
      switch edit.action {
      case .corners, .whole, .detect, .paper, .restore: return try remake(edit, in: id)
      case .remove: return try remove(edit, from: id)
      case .putBack: return try putBack(edit, into: id)
      case .turn, .mode, .looks, .title, .order: return try setFields(edit, of: id)
      }
    } catch let problem as ReviewProblem {
      throw problem
    } catch let error as LibraryError {
      // The page has another number since somebody else has made it anew.
      if case .noSuchPage = error { throw try changed(id) }
      if case .badOrder = error { throw try changed(id) }
      throw .library(error)
    } catch let error as CorrectionError {
      throw .corners("\(error)")
    } catch {
      throw .picture("\(error)")
    }
  }

  private func changed(_ id: ScanID) throws(ReviewProblem) -> ReviewProblem {
    do {
      return .changed(state(of: try library.scan(id)))
    } catch {
      throw .library(error)
    }
  }

  /// Changes a scan if it is as the page has seen it.
  private func change(
    _ id: ScanID, if isAsSeen: (ScanRecord) -> Bool, _ body: (inout ScanChange) throws(LibraryError) -> Void
  ) throws -> ScanRecord {
    var unseen: ScanRecord?
    let record = try library.change(id) { change throws(LibraryError) in
      guard isAsSeen(change.record) else {
        unseen = change.record
        return
      }
      try body(&change)
    }
    if let unseen { throw ReviewProblem.changed(state(of: unseen)) }
    return record
  }

  /// Whether a page is there, and looks as the page that asks has seen it.
  private func isAsSeen(_ edit: ReviewEdit, _ number: Int) -> (ScanRecord) -> Bool {
    { scan in
      guard let page = scan.page(number) else { return false }
      guard let seen = edit.seen else { return true }
      return page.look == pageLook(seen)
    }
  }

  private func number(_ edit: ReviewEdit) throws(ReviewProblem) -> Int {
    guard let number = edit.page else { throw .badRequest("no page is named") }
    return number
  }

  // MARK: Outline

  private func remake(_ edit: ReviewEdit, in id: ScanID) throws -> EditAnswer {
    let number = try number(edit)
    let (scan, page) = try page(number, of: edit.scan)
    guard isAsSeen(edit, number)(scan) else { throw try changed(id) }
    var newLook = page.look
    var made: RemadePage?
    let paper: PaperChoice?
    if edit.action == .restore {
      guard let old = edit.of, var origin = memory.withLock({ $0.origins[id]?[old] }) else {
        throw ReviewProblem.badRequest("that state isn't known")
      }
      // A page that was put back has its photo under another number.
      origin.photo = page.origin.photo
      newLook = edit.look.map(pageLook) ?? newLook
      paper = memory.withLock { $0.papers[id]?[old] }
      if origin != page.origin { made = try restored(page, of: scan, as: origin) }
    } else {
      let image = try photos.image(of: page, of: scan)
      let chosen = try self.paper(edit.paper, else: page, of: scan, image: image)
      made = try remakePage(
        page, of: scan, in: library, outline: try outline(edit), correction: CorrectionOptions(paper: chosen),
        image: image)
      paper = chosen
      if let turn = edit.turn.flatMap(QuarterTurn.init(rawValue:)) {
        newLook.turn = newLook.turn.followed(by: turn)
      }
    }
    // Made before the library is locked for the change: others need not wait.
    let remade = made
    let set = newLook
    var now = number
    let record = try change(id, if: isAsSeen(edit, number)) { change throws(LibraryError) in
      if let remade { now = try change.replacePage(number, by: remade) }
      try change.setLook(page: now, set)
    }
    memory.withLock { $0.papers[id, default: [:]][now] = paper }
    var answer = EditAnswer(scan: state(of: record), page: now)
    if edit.action == .detect, let remade, remade.origin.found == OutlineOrigin.notFound.rawValue {
      answer.note = "No page found: \(remade.origin.reasons.joined(separator: "; "))."
    }
    return answer
  }

  private func outline(_ edit: ReviewEdit) throws(ReviewProblem) -> NewOutline {
    switch edit.action {
    case .corners: return .choice(.corners(try quad(edit.corners ?? [])))
    case .whole: return .choice(.whole)
    case .detect: return .choice(.detect)
    default: return .same
    }
  }

  /// The page as it was made before, and how that came about.
  private func restored(
    _ page: PageRecord, of scan: ScanRecord, as origin: PageOrigin
  ) throws -> RemadePage {
    // A page without a paper had none that fits, or was to have none.
    let paper = origin.paper.flatMap(PaperSize.init(rawValue:)).map(PaperChoice.size) ?? .none
    let made = try remakePage(
      page, of: scan, in: library, outline: .choice(origin.quad.map(PageChoice.corners) ?? .whole),
      correction: CorrectionOptions(paper: paper), image: try photos.image(of: page, of: scan))
    return RemadePage(png: made.png, origin: origin)
  }

  // MARK: Pages

  private func remove(_ edit: ReviewEdit, from id: ScanID) throws -> EditAnswer {
    let number = try number(edit)
    let (scan, page) = try page(number, of: edit.scan)
    let kept = try RemovedPage(page, of: scan, in: library)
    let record = try change(id, if: isAsSeen(edit, number)) { change throws(LibraryError) in
      try change.removePages([number])
    }
    memory.withLock { memory in
      memory.removed[id, default: [:]][number] = kept
      let bytes = memory.removed.values.flatMap(\.values).reduce(0) {
        $0 + $1.png.count + $1.photoBytes.count
      }
      if bytes > Self.greatestRemoved { memory.removed = [id: [number: kept]] }
    }
    return EditAnswer(scan: state(of: record), page: nil)
  }

  private func putBack(_ edit: ReviewEdit, into id: ScanID) throws -> EditAnswer {
    let number = try number(edit)
    guard let page = memory.withLock({ $0.removed[id]?[number] }) else {
      throw ReviewProblem.badRequest("that page isn't kept any more")
    }
    let before = Set(try library.scan(id).pages.map(\.number))
    let record = try page.putBack(into: id, of: library, at: edit.place ?? .max)
    memory.withLock { $0.removed[id]?[number] = nil }
    let new = record.pages.first { !before.contains($0.number) }
    return EditAnswer(scan: state(of: record), page: new?.number)
  }

  // MARK: Fields

  private func setFields(_ edit: ReviewEdit, of id: ScanID) throws -> EditAnswer {
    let record: ScanRecord
    switch edit.action {
    case .turn:
      let number = try number(edit)
      guard let turn = edit.turn.flatMap(QuarterTurn.init(rawValue:)) else {
        throw ReviewProblem.badRequest("a turn is 1, 2 or 3 quarters")
      }
      record = try change(id, if: isAsSeen(edit, number)) { change throws(LibraryError) in
        try change.turnPages([number], by: turn)
      }
    case .mode:
      guard let mode = edit.mode.flatMap(EnhancementMode.init(rawValue:)) else {
        throw ReviewProblem.badRequest("there is no such mode")
      }
      let number = try number(edit)
      record = try change(id, if: isAsSeen(edit, number)) { change throws(LibraryError) in
        try change.setMode(mode, amount: edit.amount, pages: edit.all == true ? nil : [number])
      }
    case .looks:
      let looks = edit.looks ?? [:]
      record = try change(id) { scan in
        scan.mode == edit.seenMode && scan.pages.allSatisfy { looks[String($0.number)] != nil }
      } _: { change throws(LibraryError) in
        let mode = edit.mode ?? change.record.mode
        change.setMode(mode, amount: edit.amount, enhancement: enhancementAlgorithmVersion)
        for page in change.record.pages {
          guard let look = looks[String(page.number)] else { continue }
          try change.setLook(page: page.number, pageLook(look))
        }
      }
    case .title:
      guard let title = edit.title, !title.allSatisfy(\.isWhitespace), title.utf8.count <= Self.longestTitle
      else {
        throw ReviewProblem.badRequest("a title has 1 to \(Self.longestTitle) bytes")
      }
      record = try change(id) {
        $0.title == edit.seenTitle
      } _: { change throws(LibraryError) in
        change.setTitle(title)
      }
    default:
      let order = edit.order ?? []
      record = try change(id) {
        $0.pages.map(\.number) == edit.seenOrder
      } _: { change throws(LibraryError) in
        try change.reorderPages(order)
      }
    }
    return EditAnswer(scan: state(of: record), page: edit.page)
  }
}

private func pageLook(_ look: ReviewEdit.Look) -> PageLook {
  PageLook(turn: QuarterTurn(rawValue: look.turn) ?? .none, mode: look.mode, amount: look.amount)
}
