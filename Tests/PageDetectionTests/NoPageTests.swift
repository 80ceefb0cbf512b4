import PageDetection
import Raster
import TestSupport
import Testing

@Suite("Finding no page")
struct NoPageTests {
  @Test("a desk without a page gives no page and a reason", arguments: SyntheticScene.Background.allCases)
  func emptyDesks(background: SyntheticScene.Background) {
    let scene = SyntheticScene(
      size: PixelSize(width: 600, height: 800), page: nil, background: background, features: [.noise(2)])
    let result = detectPage(in: scene.photo())
    #expect(result.page == nil)
    #expect(!result.reasons.isEmpty)
  }

  @Test("a page that fills the frame is left whole")
  func flatPage() {
    let size = PixelSize(width: 600, height: 800)
    let scene = SyntheticScene(size: size, page: Quad(wholeOf: size), features: [.text, .noise(2)])
    let result = detectPage(in: scene.photo())
    let whole = Quad(wholeOf: size)
    #expect(result.page.map { $0.quad.overlap(with: whole) >= 0.95 } ?? true)
    if result.page == nil { #expect(result.reasons == [.alreadyFlat]) }
  }

  @Test(
    "a page up to the frame is the page itself, the whole photo",
    arguments: [[], [SyntheticScene.Feature.shadow]])
  func filledByPage(also: [SyntheticScene.Feature]) throws {
    let size = PixelSize(width: 600, height: 800)
    let scene = SyntheticScene(size: size, page: Quad(wholeOf: size), features: [.text, .noise(2)] + also)
    let page = try #require(detectPage(in: scene.photo()).page)
    #expect(page.quad == Quad(wholeOf: size) && page.method == .frame && page.confidence >= 0.5)
    var sure = DetectionOptions()
    sure.minimumConfidence = 1
    #expect(detectPage(in: scene.photo(), options: sure).page == nil)
    var square = DetectionOptions()
    square.minimumAspectRatio = 0.9
    #expect(detectPage(in: scene.photo(), options: square).page?.method != .frame)
  }

  @Test("pictures of any size are answered", arguments: [1, 2, 3, 7, 23, 24, 25, 31, 97])
  func sizes(side: Int) {
    var generator = SeededGenerator(seed: UInt64(side))
    for size in [
      PixelSize(width: side, height: side), PixelSize(width: side, height: 1),
      PixelSize(width: 1, height: side),
      PixelSize(width: 2000, height: side), PixelSize(width: side, height: 2000),
    ] {
      for format in [PixelFormat.gray, .rgb] {
        let count = size.width * size.height * format.channels
        let noise = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let result = detectPage(in: Raster(size: size, format: format, samples: noise))
        #expect(result.page != nil || !result.reasons.isEmpty)
      }
    }
  }

  @Test("a picture of one tone has nothing in it", arguments: [0, 128, 255] as [UInt8])
  func oneTone(sample: UInt8) {
    let picture = Raster(size: PixelSize(width: 640, height: 480), format: .rgb, filledWith: sample)
    #expect(detectPage(in: picture).reasons == [.nothingButEvenArea])
  }

  @Test("a picture of a few pixels is too small")
  func tooFewPixels() {
    let picture = Raster(size: PixelSize(width: 1, height: 1), format: .gray, filledWith: 9)
    let result = detectPage(in: picture)
    #expect(result == DetectionResult(page: nil, runnersUp: [], reasons: [.pictureTooSmall]))
  }

  @Test("options refuse what is too small, too slender, or too uncertain, and say so")
  func options() throws {
    let quad = try #require(
      SyntheticScene.turnedRectangle(centre: Point(x: 310, y: 400), width: 250, height: 400, degrees: 8))
    let photo = SyntheticScene(size: PixelSize(width: 600, height: 800), page: quad).photo()
    #expect(detectPage(in: photo).page != nil)

    var large = DetectionOptions()
    large.minimumSize = 0.9
    let small = detectPage(in: photo, options: large)
    #expect(small.page == nil)
    let percents = small.reasons.compactMap { reason -> Int? in
      if case .tooSmall(let percent) = reason { percent } else { nil }
    }
    // The page covers 21 %; the reason is given before the refit at full size.
    #expect(percents.count == 1 && percents.allSatisfy { (19...23).contains($0) })
    #expect(!small.runnersUp.isEmpty)

    var square = DetectionOptions()
    square.minimumAspectRatio = 0.98
    let slender = detectPage(in: photo, options: square)
    #expect(slender.page.map { $0.quad.overlap(with: quad) < 0.5 } ?? true)

    var sure = DetectionOptions()
    sure.minimumConfidence = 1
    #expect(detectPage(in: photo, options: sure).page == nil)
  }

  @Test("each reason is a lower-case sentence without a full stop")
  func sentences() {
    let reasons: [NoPageReason] = [
      .pictureTooSmall, .nothingButEvenArea, .noOutline, .alreadyFlat, .tooSmall(percent: 2),
      .wrongAspectRatio(0.05), .uncertain(confidence: 0.31),
    ]
    for reason in reasons {
      let text = "\(reason)"
      #expect(text.first?.isLowercase == true)
      #expect(text.hasSuffix(".") == false)
    }
    #expect("\(NoPageReason.tooSmall(percent: 2))" == "the outline is too small (2 % of the photo)")
  }
}
