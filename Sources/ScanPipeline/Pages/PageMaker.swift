package import ImageCodecs
package import PageDetection
package import PerspectiveCorrection
package import Raster

/// Where the page is in a photo, as far as the caller has an opinion.
package enum PageChoice: Sendable, Hashable {
  /// Look for it.
  case detect
  /// The whole photo is the page.
  case whole
  /// These corners, in pixels of the upright photo.
  case corners(Quad)
}

/// How a page came by its outline.
///
/// Raw values are those of the library's records.
package enum OutlineOrigin: String, Sendable {
  /// The detector found it.
  case detected
  /// The detector found none, so the whole photo is kept.
  case notFound = "not-found"
  /// The whole photo was asked for.
  case whole
  /// A person gave the corners.
  case manual
}

/// How a photo becomes a flat page.
package struct PageOptions: Sendable {
  package var choice: PageChoice
  package var detection: DetectionOptions
  package var correction: CorrectionOptions

  package init(
    choice: PageChoice = .detect, detection: DetectionOptions = DetectionOptions(),
    correction: CorrectionOptions = CorrectionOptions()
  ) {
    self.choice = choice
    self.detection = detection
    self.correction = correction
  }
}

/// A flat page, not enhanced, and how it was made.
package struct PreparedPage: Sendable {
  package var raster: Raster
  package var resolution: Resolution?
  package var paper: PaperSize?
  package var origin: OutlineOrigin
  /// In pixels of the upright photo; `nil` when the whole photo is the page.
  package var quad: Quad?
  /// The detector's confidence, where it found the page.
  package var confidence: Double?
  /// Why no page was found, where none was.
  package var reasons: [String]
  /// How many other sheets the detector saw beside the page.
  package var otherSheets = 0
}

/// Makes the flat page of a photo: finds its outline, unless that is given, and takes the perspective out.
///
/// A photo without a page, or with one whose outline can't be a page's, is kept whole.
/// - Throws: `CorrectionError` when corners that were given can't be those of a page.
package func makePage(
  from image: DecodedImage, options: PageOptions
) throws(CorrectionError) -> PreparedPage {
  switch options.choice {
  case .whole:
    return wholePhoto(image, origin: .whole, reasons: [], options: options.correction)
  case .corners(let quad):
    return try flatPage(image, quad: quad, origin: .manual, options: options.correction)
  case .detect:
    let result = findPage(in: image, options: options.detection)
    guard let found = result.page else {
      return wholePhoto(
        image, origin: .notFound, reasons: result.reasons.map(\.description), options: options.correction)
    }
    do {
      var page =
        if found.method == .frame && found.quad == Quad(wholeOf: image.raster.size) {
          wholePhoto(image, origin: .detected, reasons: [], options: options.correction)
        } else {
          try flatPage(image, quad: found.quad, origin: .detected, options: options.correction)
        }
      page.confidence = found.confidence
      page.otherSheets = result.otherSheets
      return page
    } catch {
      // A wrong guess costs nothing: the photo is kept, and says why.
      return wholePhoto(
        image, origin: .notFound, reasons: [error.description], options: options.correction)
    }
  }
}

/// Looks for the page in the part of a photo that holds a picture: the blank rest of a damaged one is no paper.
///
/// The outline is in pixels of the whole photo.
package func findPage(in image: DecodedImage, options: DetectionOptions) -> DetectionResult {
  var result = detectPage(in: image.raster.cropped(to: image.intact), options: options)
  let offset = Point(x: Double(image.intact.x), y: Double(image.intact.y))
  result.page?.quad.move(by: offset)
  for index in result.runnersUp.indices { result.runnersUp[index].quad.move(by: offset) }
  return result
}

private func flatPage(
  _ image: DecodedImage, quad: Quad, origin: OutlineOrigin, options: CorrectionOptions
) throws(CorrectionError) -> PreparedPage {
  let flat = try flattenPage(
    in: image.raster, quad: quad, focalLength35mm: image.focalLength35mm, options: options)
  return PreparedPage(
    raster: flat.raster, resolution: flat.resolution, paper: flat.paper, origin: origin, quad: quad,
    confidence: nil, reasons: [])
}

private func wholePhoto(
  _ image: DecodedImage, origin: OutlineOrigin, reasons: [String], options: CorrectionOptions
) -> PreparedPage {
  var options = options
  if origin == .notFound, case .size(let paper) = options.paper, !fits(image.raster.size, paper) {
    // A photo of something else isn't squeezed into the shape of a page.
    options.paper = .none
  }
  let flat = wholePage(image.raster, options: options)
  // What the file says of its size is better than what its shape suggests, but not than what the user says.
  let isForced = if case .size = options.paper { true } else { false }
  return PreparedPage(
    raster: flat.raster, resolution: isForced ? flat.resolution : image.resolution ?? flat.resolution,
    paper: isForced || image.resolution == nil ? flat.paper : nil, origin: origin, quad: nil,
    confidence: nil, reasons: reasons)
}

/// How far from a paper's proportions a flat scan with a cut margin may be.
private let marginTolerance = 0.05

private func fits(_ size: PixelSize, _ paper: PaperSize) -> Bool {
  let elongation = Double(max(size.width, size.height)) / Double(min(size.width, size.height))
  return abs(elongation / (paper.longSide / paper.shortSide) - 1) < marginTolerance
}
