package import Raster

/// The shortest side, in pixels, of an outline that is worth flattening.
private let shortestSide = 4.0
/// The smallest share of an outline that has to lie inside the photo.
private let leastVisibleShare = 0.2
/// The largest ratio of two corners' distances from the camera; photos of pages stay below 3.
private let steepest = 12.0
/// The largest ratio of a page's sides; a long till receipt is 1:15.
private let longest = 60.0

/// Flattens the page that `quad` outlines in a photo.
///
/// - Parameters:
///   - photo: the upright photo at full size.
///   - quad: the page's corners in the photo's pixels, clockwise. The first becomes the flat page's top-left. They may lie
///     outside of the photo.
///   - focalLength35mm: the camera's focal length in millimetres for 35 mm film, where the photo's file gives it.
/// - Returns: a page with at least as many pixels as the quad covers, unless `options` allow fewer.
/// - Throws: `CorrectionError` when the quad can't be the outline of a page.
package func flattenPage(
  in photo: Raster, quad: Quad, focalLength35mm: Double?, options: CorrectionOptions = .init()
) throws(CorrectionError) -> FlatPage {
  try check(quad, in: photo.size)
  if quad == Quad(wholeOf: photo.size) {
    return wholePage(photo, options: options)
  }
  guard
    var proportions = proportions(of: quad, in: photo.size, focalLength35mm: focalLength35mm)
  else { throw .notConvex }
  let elongation = Swift.max(proportions.aspectRatio, 1 / proportions.aspectRatio)
  guard elongation <= longest else { throw .tooLong(elongation: elongation) }

  let paper: PaperSize? =
    switch options.paper {
    case .none: nil
    case .size(let size): size
    case .auto: PaperSize.matching(proportions)
    }
  if let paper {
    let aspectRatio = paper.aspectRatio(lyingAs: proportions.aspectRatio)
    proportions = Proportions(
      logAspectRatio: naturalLogarithm(aspectRatio), uncertainty: 0, source: .paper)
  }
  let size = flatSize(
    of: quad, aspectRatio: proportions.aspectRatio, maximumPixels: options.maximumPixels)
  guard let map = Homography(from: Quad(wholeOf: size), to: quad) else { throw .notConvex }
  return FlatPage(
    raster: resample(photo, size: size, map: map), resolution: paper.map { resolution(of: size, on: $0) },
    paper: paper, aspectRatio: proportions.aspectRatio, proportions: proportions.source)
}

/// The whole photo as a page: its pixels as they are, unless a paper's shape is asked for or there are too many.
///
/// A photo takes on a standard size only when it has that size's proportions to half a percent, as flat scans do.
package func wholePage(_ photo: Raster, options: CorrectionOptions = .init()) -> FlatPage {
  let ratio = Double(photo.width) / Double(photo.height)
  let found = Proportions(logAspectRatio: naturalLogarithm(ratio), uncertainty: 0, source: .wholePhoto)
  let paper: PaperSize?
  var aspectRatio = ratio
  switch options.paper {
  case .none: paper = nil
  case .size(let size):
    paper = size
    aspectRatio = size.aspectRatio(lyingAs: ratio)
  case .auto:
    paper = PaperSize.matching(found).flatMap { size in
      abs(naturalLogarithm(size.aspectRatio(lyingAs: ratio) / ratio)) < 0.005 ? size : nil
    }
  }
  var raster = photo
  let quad = Quad(wholeOf: photo.size)
  let size = flatSize(of: quad, aspectRatio: aspectRatio, maximumPixels: options.maximumPixels)
  if size != photo.size, let map = Homography(from: Quad(wholeOf: size), to: quad) {
    raster = resample(photo, size: size, map: map)
  }
  return FlatPage(
    raster: raster, resolution: paper.map { resolution(of: raster.size, on: $0) }, paper: paper,
    aspectRatio: aspectRatio, proportions: aspectRatio == ratio ? .wholePhoto : .paper)
}

/// Refuses outlines that no photo of a page can have.
private func check(_ quad: Quad, in size: PixelSize) throws(CorrectionError) {
  let corners = quad.corners
  guard corners.allSatisfy({ $0.x.isFinite && $0.y.isFinite }), quad.isConvex,
    let map = Homography(unitSquareTo: quad)
  else { throw .notConvex }
  let sides = corners.indices.map { corners[$0].distance(to: corners[($0 + 1) % 4]) }
  let shortest = sides.min() ?? 0
  guard shortest >= shortestSide else { throw .tooSmall(shortestSide: shortest) }
  // The map's denominator at a corner is that corner's distance from the camera along its axis.
  let (across, down) = (map.elements[6], map.elements[7])
  let depths = [1, 1 + across, 1 + across + down, 1 + down]
  guard let nearest = depths.min(), let farthest = depths.max(), nearest > 0 else { throw .notConvex }
  guard farthest / nearest <= steepest else { throw .tooSteep(depthRatio: farthest / nearest) }
  let visible = Polygon(quad).clipped(to: Polygon(Quad(wholeOf: size)))
  let share = visible.area / quad.area
  guard share >= leastVisibleShare else { throw .outsidePhoto(visibleShare: share) }
}

/// The size of a flat page: as many pixels as the quad covers, and sides no shorter than the mean of the two that face each other in the photo.
private func flatSize(of quad: Quad, aspectRatio: Double, maximumPixels: Int) -> PixelSize {
  let across = (quad.topLeft.distance(to: quad.topRight) + quad.bottomLeft.distance(to: quad.bottomRight)) / 2
  let down = (quad.topLeft.distance(to: quad.bottomLeft) + quad.topRight.distance(to: quad.bottomRight)) / 2
  let wanted = max((quad.area * aspectRatio).squareRoot(), across, down * aspectRatio)
  let limit = Double(max(1, maximumPixels))
  let allowed = (limit * aspectRatio).squareRoot()
  // Rounding up keeps every pixel; a limit is kept by rounding down. Rounding errors of whole numbers don't count.
  if wanted * wanted / aspectRatio <= limit {
    let size = PixelSize(
      width: max(1, Int((wanted - 1e-6).rounded(.up))),
      height: max(1, Int((wanted / aspectRatio - 1e-6).rounded(.up))))
    if let count = size.pixelCount, count <= maximumPixels { return size }
  }
  let width = min(wanted, allowed)
  return PixelSize(width: max(1, Int(width)), height: max(1, min(Int(width / aspectRatio), Int(limit))))
}

/// Pixels per inch of a page that fills a paper.
private func resolution(of size: PixelSize, on paper: PaperSize) -> Resolution {
  let (long, short) = (Double(max(size.width, size.height)), Double(min(size.width, size.height)))
  let perMillimetre = (long / paper.longSide + short / paper.shortSide) / 2
  return Resolution(dotsPerInch: perMillimetre * Resolution.millimetresPerInch)
}
