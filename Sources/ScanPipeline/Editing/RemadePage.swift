package import ImageCodecs
package import PageDetection
package import PerspectiveCorrection
package import ScanLibrary

/// A page made anew from its photo, such as with other corners, and not stored yet.
package struct RemadePage: Sendable {
  /// The flat page as it will be stored.
  package let png: [UInt8]
  package let origin: PageOrigin

  package init(png: [UInt8], origin: PageOrigin) {
    self.png = png
    self.origin = origin
  }
}

/// Which outline a page is made anew with.
package enum NewOutline: Sendable, Hashable {
  /// The one it has; how that came about stays, too.
  case same
  case choice(PageChoice)
}

/// Makes a page anew.
///
/// - Parameter image: the photo at full size, when it has been decoded already.
/// - Throws: `LibraryError`, `CodecError` or `CorrectionError`.
package func remakePage(
  _ page: PageRecord, of scan: ScanRecord, in library: Library, outline: NewOutline,
  detection: DetectionOptions = DetectionOptions(), correction: CorrectionOptions,
  image: DecodedImage? = nil
) throws -> RemadePage {
  let choice: PageChoice =
    switch outline {
    case .same: page.origin.quad.map(PageChoice.corners) ?? .whole
    case .choice(let choice): choice
    }
  let options = PageOptions(choice: choice, detection: detection, correction: correction)
  let made = try makePage(from: image ?? decodedPhoto(of: page, of: scan, in: library), options: options)
  var origin = page.origin
  origin.quad = made.quad
  origin.paper = made.paper?.rawValue
  if outline != .same {
    origin.found = made.origin.rawValue
    origin.confidence = made.confidence
    origin.reasons = made.reasons
  }
  return RemadePage(png: try encodePNG(made.raster, resolution: made.resolution), origin: origin)
}

/// The choice of paper that a page was made with, as far as its record tells: what looking for a paper that fits would not have given
/// was chosen.
///
/// - Parameter image: the page's photo.
package func paperChoice(of page: PageRecord, image: DecodedImage) -> PaperChoice {
  let chosen = page.origin.paper.flatMap(PaperSize.init(rawValue:)).map(PaperChoice.size) ?? .none
  // A page of a few pixels is made in no time, and knows its paper.
  let options = PageOptions(
    choice: page.origin.quad.map(PageChoice.corners) ?? .whole,
    correction: CorrectionOptions(paper: .auto, maximumPixels: 16))
  do throws(CorrectionError) {
    return try makePage(from: image, options: options).paper?.rawValue == page.origin.paper ? .auto : chosen
  } catch {
    // Corners that a page was made with once are refused now: nothing fits them.
    return chosen
  }
}

/// The photo of a page at full size.
///
/// - Throws: `LibraryError` or `CodecError`.
package func decodedPhoto(
  of page: PageRecord, of scan: ScanRecord, in library: Library
) throws -> DecodedImage {
  let photo = try library.photoBytes(scan, photo: page.origin.photo)
  // What the library holds has passed the limits when it came in.
  let reading = DecodeOptions(maximumPixels: .max, damage: .keep)
  return try ImageSource(bytes: photo, options: reading).decode(frame: page.origin.frame)
}
