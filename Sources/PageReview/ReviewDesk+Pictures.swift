import Enhancement
import ImageCodecs
import LoopbackServer
import PageDetection
import PerspectiveCorrection
import Raster
import ScanLibrary
import ScanPipeline
import Synchronization

extension ReviewDesk {
  /// The most pixels a side of any picture that is sent.
  private static let greatestSide = 4096
  /// A thumbnail is enhanced at a size from which on it looks as the page does, and then made small.
  private static let thumbnailFactor = 2

  /// A part of a photo, as large as it is shown.
  func photo(_ request: LoopbackRequest) throws(ReviewProblem) -> LoopbackResponse {
    let (scan, page) = try page(request)
    let image = try photos.image(of: page, of: scan)
    let whole = PixelRect(wholeOf: image.raster.size)
    let x = min(max(try number("x", in: request) ?? 0, 0), whole.size.width - 1)
    let y = min(max(try number("y", in: request) ?? 0, 0), whole.size.height - 1)
    let part = PixelRect(
      x: x, y: y,
      size: PixelSize(
        width: min(max(try number("w", in: request) ?? whole.size.width, 1), whole.size.width - x),
        height: min(max(try number("h", in: request) ?? whole.size.height, 1), whole.size.height - y)))
    let side = try side(in: request)
    let cropped = image.raster.cropped(to: part)
    var response = try png(cropped.reduced(to: cropped.sizeFitting(width: side, height: side)))
    response.headers["X-Paper"] = try paper(nil, else: page, of: scan, image: image).name
    response.headers["X-Photo-Size"] = "\(whole.size.width),\(whole.size.height)"
    response.headers["X-Part"] = "\(part.x),\(part.y),\(part.size.width),\(part.size.height)"
    return response
  }

  /// A page as it will be exported, as large as it is shown.
  func flat(_ request: LoopbackRequest) throws(ReviewProblem) -> LoopbackResponse {
    let (scan, page) = try page(request)
    let side = try side(in: request)
    do {
      guard request.query["thumbnail"] != nil else {
        let look = try renderPage(page, of: scan, in: library).raster
        return try png(look.reduced(to: look.sizeFitting(width: side, height: side)))
      }
      let stored = try ImageSource(
        bytes: library.pageBytes(scan, page: page.number), options: DecodeOptions(maximumPixels: .max)
      ).decode().raster
      let middle = stored.sizeFitting(width: Self.thumbnailFactor * side, height: Self.thumbnailFactor * side)
      let look = enhance(
        stored.reduced(to: middle), mode: try enhancementMode(of: page, in: scan),
        amount: enhancementAmount(of: page, in: scan)
      ).turned(page.look.turn)
      return try png(look.reduced(to: look.sizeFitting(width: side, height: side)))
    } catch let error as ReviewProblem {
      throw error
    } catch let error as LibraryError {
      throw .library(error)
    } catch {
      throw .picture("\(error)")
    }
  }

  private func png(_ raster: Raster) throws(ReviewProblem) -> LoopbackResponse {
    do {
      return LoopbackResponse(contentType: "image/png", body: try encodePNG(raster, resolution: nil))
    } catch {
      throw .picture("\(error)")
    }
  }

  private func side(in request: LoopbackRequest) throws(ReviewProblem) -> Int {
    min(max(try number("side", in: request) ?? 1600, 16), Self.greatestSide)
  }

  private func number(_ name: String, in request: LoopbackRequest) throws(ReviewProblem) -> Int? {
    guard let text = request.query[name] else { return nil }
    guard let value = Int(text) else { throw .badRequest("\(name) is no number") }
    return value
  }

  // MARK: Outlines

  /// What a flat page would be like.
  struct ShapeAnswer: Encodable {
    /// Width over height, before it is turned.
    var aspect: Double?
    var paper: String?
    /// Why these corners can't be a page's.
    var problem: String?
  }

  /// The proportions that a page with other corners would have: quick enough to be asked while a corner is dragged.
  func shape(_ request: LoopbackRequest) throws(ReviewProblem) -> ShapeAnswer {
    let (scan, page) = try page(request)
    let image = try photos.image(of: page, of: scan)
    let values = (request.query["corners"] ?? "").split(separator: ",").map { Double($0) ?? .nan }
    guard values.count == 8 else { throw .badRequest("corners are eight numbers") }
    let quad = try quad(stride(from: 0, to: 8, by: 2).map { [values[$0], values[$0 + 1]] })
    do {
      // A page of a few pixels is made in no time, and knows its proportions.
      let flat = try flattenPage(
        in: image.raster, quad: quad, focalLength35mm: image.focalLength35mm,
        options: CorrectionOptions(
          paper: try paper(request.query["paper"], else: page, of: scan, image: image), maximumPixels: 16))
      return ShapeAnswer(aspect: flat.aspectRatio, paper: flat.paper?.rawValue)
    } catch let error as CorrectionError {
      return ShapeAnswer(problem: "\(error)")
    } catch let error as ReviewProblem {
      throw error
    } catch {
      throw .picture("\(error)")
    }
  }

  struct GuessAnswer: Encodable {
    let corners: [[Double]]
    let confidence: Double
  }

  /// The detector's outlines, best first, without those that can't be flattened.
  func guesses(_ request: LoopbackRequest) throws(ReviewProblem) -> [GuessAnswer] {
    let (scan, page) = try page(request)
    let image = try photos.image(of: page, of: scan)
    let result = findPage(in: image, options: DetectionOptions())
    return ([result.page].compactMap { $0 } + result.runnersUp).map { found in
      GuessAnswer(corners: found.quad.corners.map { [$0.x, $0.y] }, confidence: found.confidence)
    }
  }

  /// Four corners in any order as a quad.
  func quad(_ corners: [[Double]]) throws(ReviewProblem) -> Quad {
    let points = corners.filter { $0.count == 2 }.map { Point(x: $0[0], y: $0[1]) }
    guard points.allSatisfy({ abs($0.x) < 1e7 && abs($0.y) < 1e7 }), let quad = Quad(corners: points) else {
      throw .corners("no four-sided shape without a dent has these corners")
    }
    return quad
  }

  /// The paper that is asked for, or else the one that was chosen when the page was made.
  func paper(
    _ name: String?, else page: PageRecord, of scan: ScanRecord, image: DecodedImage
  ) throws(ReviewProblem) -> PaperChoice {
    if let name {
      guard let choice = PaperChoice(name: name) else { throw .badRequest("there is no paper \(name)") }
      return choice
    }
    if let known = memory.withLock({ $0.papers[scan.id]?[page.number] }) { return known }
    let choice = paperChoice(of: page, image: image)
    memory.withLock { $0.papers[scan.id, default: [:]][page.number] = choice }
    return choice
  }
}
