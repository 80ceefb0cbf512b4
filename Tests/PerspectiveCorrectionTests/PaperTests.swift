import Glibc
import Raster
import TestSupport
import Testing

import PerspectiveCorrection

@Suite struct PaperTests {
  private let camera = PinholeCamera(photo: PixelSize(width: 1008, height: 756), tilt: 35, yaw: 10, roll: 20)

  private func flat(_ quad: Quad, _ paper: PaperChoice, focalLength: Double? = 26) throws -> FlatPage {
    try flattenPage(
      in: Raster(size: camera.photo, format: .gray, filledWith: 200), quad: quad,
      focalLength35mm: focalLength,
      options: CorrectionOptions(paper: paper))
  }

  @Test(
    "a tilted page of a standard size is recognised, upright or on its side, and carries the size as resolution",
    arguments: [PaperSize.a4, .letter, .legal, .id1, .cardUS], [true, false])
  func recognised(paper: PaperSize, upright: Bool) throws {
    let (width, height) =
      upright ? (paper.shortSide, paper.longSide) : (paper.longSide, paper.shortSide)
    let page = try flat(camera.quad(width: width, height: height), .auto)
    #expect(page.paper == paper)
    #expect(page.proportions == .paper)
    #expect(abs(page.aspectRatio - width / height) < 1e-9)
    let resolution = try #require(page.resolution)
    #expect(resolution.horizontal == resolution.vertical)
    #expect(abs(Double(page.raster.width) / resolution.horizontal * 25.4 - width) < width * 0.003)
    #expect(abs(Double(page.raster.height) / resolution.vertical * 25.4 - height) < height * 0.003)
  }

  @Test("proportions of no standard size stay as they are", arguments: [1.0, 1.35, 1.47, 2.0, 3.0, 6.0])
  func unknown(elongation: Double) throws {
    let page = try flat(camera.quad(width: 100, height: 100 * elongation), .auto)
    #expect(page.paper == nil)
    #expect(page.resolution == nil)
    #expect(abs(page.aspectRatio * elongation - 1) < 0.01)
  }

  @Test(
    "a paper asked for is the page's, whatever its outline, lying as the outline does",
    arguments: PaperSize.allCases)
  func forced(paper: PaperSize) throws {
    let upright = try flat(camera.quad(width: 100, height: 133), .size(paper))
    #expect(abs(upright.aspectRatio - paper.shortSide / paper.longSide) < 1e-9)
    #expect(upright.paper == paper)
    let lying = try flat(camera.quad(width: 133, height: 100), .size(paper))
    #expect(abs(lying.aspectRatio - paper.longSide / paper.shortSide) < 1e-9)
    let whole = wholePage(
      Raster(size: PixelSize(width: 80, height: 60), format: .rgb, filledWith: 9),
      options: CorrectionOptions(paper: .size(paper)))
    #expect(abs(whole.aspectRatio - paper.longSide / paper.shortSide) < 1e-9)
    #expect(whole.resolution != nil)
  }

  @Test("a paper never crops: the page's corners are the outline's corners")
  func noCropping() throws {
    // A page that is 1.6 % longer than Letter, with a dark frame at its very rim.
    var photo = Raster(size: PixelSize(width: 500, height: 600), format: .gray, filledWith: 220)
    let (left, top, right, bottom) = (50, 40, 450, 40 + Int(400 * 11 / 8.5 * 1.016))
    unsafe photo.withMutableSamples { samples in
      for y in top..<bottom {
        for x in left..<right where x < left + 3 || x >= right - 3 || y < top + 3 || y >= bottom - 3 {
          unsafe samples[y * 500 + x] = 30
        }
      }
    }
    let quad = Quad(
      topLeft: Point(x: 50, y: 40), topRight: Point(x: 450, y: 40),
      bottomRight: Point(x: 450, y: Double(bottom)),
      bottomLeft: Point(x: 50, y: Double(bottom)))
    let page = try flattenPage(in: photo, quad: quad, focalLength35mm: 26)
    #expect(page.paper == .letter)
    for index in 0..<page.raster.width {
      #expect((page.raster[x: index, y: 0].first ?? 0) < 60)
      #expect((page.raster[x: index, y: page.raster.height - 1].first ?? 0) < 60)
    }
    for index in 0..<page.raster.height {
      #expect((page.raster[x: 0, y: index].first ?? 0) < 60)
      #expect((page.raster[x: page.raster.width - 1, y: index].first ?? 0) < 60)
    }
  }

  @Test("an outline too vague to tell A4 from Letter is taken for neither")
  func vague() {
    let between = Proportions(
      logAspectRatio: -log(1.35), uncertainty: 0.05, source: .focalLengthAssumed)
    #expect(PaperSize.matching(between) == nil)
    let near = Proportions(
      logAspectRatio: -log(1.39), uncertainty: 0.05, source: .focalLengthAssumed)
    #expect(PaperSize.matching(near) == nil)
    let clear = Proportions(
      logAspectRatio: -log(1.40), uncertainty: 0.01, source: .focalLengthGiven)
    #expect(PaperSize.matching(clear) == .a4)
  }

  @Test(
    "a photo of a camera's own shape is no paper, a scan of A4 is",
    arguments: [(4000, 3000), (6000, 4000), (1920, 1080)])
  func wholePhotos(width: Int, height: Int) {
    let photo = Raster(size: PixelSize(width: width / 10, height: height / 10), format: .gray, filledWith: 8)
    #expect(wholePage(photo).paper == nil)
    let scan = wholePage(Raster(size: PixelSize(width: 248, height: 351), format: .gray, filledWith: 8))
    #expect(scan.paper == .a4)
    #expect(abs((scan.resolution?.horizontal ?? 0) - 30) < 0.1)
  }
}
