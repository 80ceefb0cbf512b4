import Raster

/// The truth about a photo as it is written in JSON; anything else an entry holds is passed over.
struct TruthEntry: Decodable {
  var file: String?
  var kind: String?
  var tags: [String]?
  var answer: String?
  var corners: [[Double]]?
  var otherCorners: [[Double]]?
  var page: [Double]?
  var size: [Int]?
  var imageSize: [Int]?

  enum CodingKeys: String, CodingKey {
    case file, kind, tags, answer, corners, size
    case otherCorners = "corners_alt"
    case page = "page_mm"
    case imageSize = "image_size"
  }

  /// A reason, as a lower-case sentence.
  struct Fault: Error {
    var reason: String
  }

  /// The truth, checked.
  ///
  /// - Throws: `Fault`, with the first thing that can't be.
  func truth(of photo: String) throws(Fault) -> PhotoTruth {
    let kind = kind ?? "page"
    let answer = try readAnswer(kind: kind)
    var truth = PhotoTruth(file: photo, kind: kind, tags: tags ?? [], answer: answer)
    if let size = size ?? imageSize {
      guard size.count == 2, size[0] > 0, size[1] > 0 else {
        throw Fault(reason: "the photo's size has to be its width and its height, both above 0")
      }
      truth.size = PixelSize(width: size[0], height: size[1])
    }
    guard answer == .page else { return truth }
    guard let corners else { throw Fault(reason: "a page needs its corners") }
    truth.outlines = [try Self.outline(corners, "corners")]
    if let otherCorners { truth.outlines.append(try Self.outline(otherCorners, "corners_alt")) }
    if let page {
      guard page.count == 2, page.allSatisfy({ $0 > 0 && $0.isFinite }) else {
        throw Fault(reason: "page_mm has to be the page's width and height in millimetres, both above 0")
      }
      truth.page = PageMeasure(width: page[0], height: page[1])
    }
    return truth
  }

  private func readAnswer(kind: String) throws(Fault) -> TrueAnswer {
    guard let answer else { return kind == "none" ? .none : .page }
    guard let known = TrueAnswer(rawValue: answer) else {
      let names = TrueAnswer.allCases.map(\.rawValue).joined(separator: ", ")
      throw Fault(reason: "answer is “\(answer)”, and has to be one of \(names)")
    }
    return known
  }

  private static func outline(_ corners: [[Double]], _ name: String) throws(Fault) -> Quad {
    guard corners.count == 4, corners.allSatisfy({ $0.count == 2 && $0.allSatisfy(\.isFinite) }) else {
      throw Fault(reason: "\(name) has to be four pairs of numbers")
    }
    let points = corners.map { Point(x: $0[0], y: $0[1]) }
    let quad = Quad(
      topLeft: points[0], topRight: points[1], bottomRight: points[2], bottomLeft: points[3])
    guard quad.isConvex else {
      throw Fault(reason: "\(name) don't go clockwise around a convex four-sided shape")
    }
    return quad
  }
}
