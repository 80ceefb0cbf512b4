private import CSystemDeflate
package import Raster

/// Pages made ready for the printer: a PDF in memory, each page a sheet with its picture placed on it.
///
/// A PDF is the one thing that every CUPS takes as a single job with many pages, copies collated, and that leaves
/// size and turn to us. Pictures are compressed one by one as they are added, so a long scan needs the memory
/// of one page and of what all have come to. They carry pixels, and nothing else about the photo.
package struct PrintDocument: Sendable {
  package let sheet: Sheet
  package let color: Bool
  private var writer: PDFWriter
  private var pages: [PDFWriter.Reference] = []

  /// An empty document.
  ///
  /// - Parameter color: whether colours are kept; otherwise every page becomes grey.
  package init(sheet: Sheet, color: Bool) {
    self.sheet = sheet
    self.color = color
    writer = PDFWriter()
  }

  package var pageCount: Int { pages.count }

  /// Adds a page: as large as the sheet, in its middle, turned if it suits the sheet better that way.
  ///
  /// - Parameter resolution: only matters when pixels are not square.
  /// - Throws: `.outOfMemory`.
  package mutating func append(_ page: Raster, resolution: Resolution? = nil) throws(PrintError) {
    let picture = color ? page : page.grayscale()
    let place = Placement(of: page.size, resolution: resolution, on: sheet)
    let samples = try compressed(picture.samples)
    // Where a printer has fewer dots than the page has pixels, Ghostscript takes one pixel of several, and thin lines go
    // missing; asked to interpolate, it takes their mean.
    let image = writer.addStream(
      "/Type/XObject/Subtype/Image/Width \(picture.width)/Height \(picture.height)"
        + "/ColorSpace/\(picture.format == .gray ? "DeviceGray" : "DeviceRGB")/BitsPerComponent 8/Interpolate true"
        + "/Filter/FlateDecode", samples)
    let content = writer.addStream("", Array("q \(Self.matrix(place)) cm /P Do Q".utf8))
    let (width, height) = (PDFWriter.number(sheet.width), PDFWriter.number(sheet.height))
    pages.append(
      writer.addObject(
        "<</Type/Page/Parent \(PDFWriter.pageTree.text)/MediaBox[0 0 \(width) \(height)]"
          + "/Resources<</XObject<</P \(image.text)>>>>/Contents \(content.text)>>"))
  }

  /// The whole PDF, in pieces.
  package consuming func finished() -> [[UInt8]] { writer.finish(pages: pages) }

  /// The map from PDF's unit square, in which it draws a picture, to the picture's place.
  private static func matrix(_ place: Placement) -> String {
    let elements =
      place.isTurned
      ? [0, place.height, -place.width, 0, place.left + place.width, place.bottom]
      : [place.width, 0, 0, place.height, place.left, place.bottom]
    return elements.map(PDFWriter.number).joined(separator: " ")
  }
}

/// The fastest level of libdeflate: the bytes only travel through a pipe to this machine's or a near print server, and
/// level 6 takes three times as long for a twentieth less.
private let compressionLevel: Int32 = 1

/// Samples in zlib's format, as PDF's FlateDecode reads it.
private func compressed(_ samples: [UInt8]) throws(PrintError) -> [UInt8] {
  guard let compressor = unsafe libdeflate_alloc_compressor(compressionLevel) else { throw .outOfMemory }
  defer { unsafe libdeflate_free_compressor(compressor) }
  let bound = unsafe libdeflate_zlib_compress_bound(compressor, samples.count)
  return unsafe [UInt8](unsafeUninitializedCapacity: bound) { output, count in
    count = unsafe samples.withUnsafeBytes { input in
      unsafe libdeflate_zlib_compress(compressor, input.baseAddress, input.count, output.baseAddress, bound)
    }
  }
}
